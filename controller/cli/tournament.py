"""felt tournament: the terms of a tournament, before anybody enters it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import TROUBLE, explained, with_json

if TYPE_CHECKING:
    from controller.config import Problem
    from controller.config.terms import TermsFile
    from controller.tournament.terms import TournamentTerms


@click.group(name="tournament")
def command() -> None:
    """Check the terms of a tournament."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
@explained
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in the terms in FILE at once, each with the rule that asks for it.

    It also tells what may surprise although it can be used. Exit status 0: it can be used; 1: it cannot.
    """
    from controller.config.errors import TermsError
    from controller.config.terms import load_terms

    try:
        opened, terms = load_terms(file)
    except TermsError as error:
        if as_json:
            print(json.dumps({"ok": False, "code": error.code, "problems": _json(error.problems)}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)
    hints = opened.hints(terms)
    if as_json:
        about = {"name": opened.name, "game": opened.game, "sha256": opened.digest}
        print(json.dumps({"ok": True, **about, "hints": _json(hints)}))
        return
    print(f"{file} can be used: {opened.name}, {_summary(opened, terms)}")
    if hints:
        print("\n".join(["but look at this:", *(hint.at(str(file)) for hint in hints)]))


def _summary(file: TermsFile, terms: TournamentTerms) -> str:
    from controller.money import on_sign

    starts = datetime.fromtimestamp(terms.when / 1000, UTC)
    paid = f"{on_sign(terms.buy_in)} and a fee of {on_sign(terms.fee)}"
    people = f"{terms.players.least} to {terms.players.most} players"
    return f"{file.game}, {people}, {paid}, not before {starts:%Y-%m-%d %H:%M} UTC"


def _json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"line": problem.line, "key": problem.key, "message": problem.message} for problem in problems]
