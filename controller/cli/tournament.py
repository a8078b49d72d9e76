"""felt tournament: the terms of a tournament, before anybody enters it; then how it stands and what it comes to."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import TROUBLE, Client, Noun, columns, dumped, explained, with_json, with_socket
from controller.counts import many
from controller.money import dollars

if TYPE_CHECKING:
    from controller.config import Problem
    from controller.config.terms import TermsFile
    from controller.tournament.terms import TournamentTerms
    from controller.views.tournament import CupReport, RoomShown


@click.group(name="tournament", cls=Noun)
def command() -> None:
    """Check the terms of a tournament, open it, see how it stands."""


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
    people = f"{terms.players.least} to {many(terms.players.most, 'player')}"
    return f"{file.game}, {people}, {paid}, not before {starts:%Y-%m-%d %H:%M} UTC"


def _json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"line": problem.line, "key": problem.key, "message": problem.message} for problem in problems]


@command.command(name="open")
@click.argument("file", type=click.Path(path_type=Path))
@with_socket
@with_json
@explained
def open_file(file: Path, path: str, as_json: bool) -> None:
    """Open the tournament whose terms are in FILE, as the tournament director who is signed in."""
    from controller.config.terms import load_terms
    from controller.service import tournament_routes

    opened, _ = load_terms(file)
    done = Client(path).post(tournament_routes.OPEN, {"terms": opened.text})
    print(dumped(done) if as_json else f"{done['tournament']} is open")


@command.command(name="do")
@click.argument("name")
@click.argument("words", nargs=-1, required=True)
@click.option("--employees", is_flag=True, help="With enter: they are employees.")
@with_socket
@with_json
@explained
def do_deed(name: str, words: tuple[str, ...], employees: bool, path: str, as_json: bool) -> None:
    """Do something at the desk of the tournament NAME, as its director or a deputy who is signed in.

    WORDS: enter PERSON ..., withdraw PERSON, substitute PERSON OTHER, seat TABLE PLACE PERSON, or a key of the desk
    with its words, such as start, level 2, rebuy Ann. Exit status 1: the rules refuse it.
    """
    from controller.service import tournament_routes

    deed, *rest = words if words[0] in ("enter", "withdraw", "substitute", "seat") else ("key", *words)
    wish = {"deed": deed, "words": rest, "employees": employees}
    done = Client(path).post(tournament_routes.DO, wish, name)
    print(dumped(done) if as_json else f"line {done['line']}: {' '.join(words)}")


@command.command(name="table")
@click.argument("name")
@click.option("--free", is_flag=True, help="Free it instead, when the tournament is over.")
@with_socket
@with_json
@explained
def own_table(name: str, free: bool, path: str, as_json: bool) -> None:
    """Make this table the tournament's, as an area manager who is signed in."""
    from controller.service import tournament_routes

    done = Client(path).post(tournament_routes.FREE if free else tournament_routes.DESIGNATE, {}, name)
    words = f"the table is free of {name}" if free else f"the table is that of {name}"
    print(dumped(done) if as_json else words)


@command.command(name="list")
@with_socket
@with_json
@explained
def list_all(path: str, as_json: bool) -> None:
    """The tournaments of the store that this table uses, the newest first."""
    from controller.service import tournament_routes

    listed = Client(path).get(tournament_routes.LIST)
    if as_json:
        print(dumped(listed))
        return
    rows: list[tuple[str, ...]] = [("NAME", "GAME", "NOW", "IN", "ENTERED", "TABLES", "")]
    rows += [
        (
            cup.name,
            cup.game,
            cup.stage,
            str(cup.left),
            str(cup.entered),
            str(cup.tables),
            "this table's" if cup.name == listed.own else "",
        )
        for cup in listed.tournaments
    ]
    print("\n".join(columns(rows, right=(3, 4, 5))) if listed.tournaments else "there are no tournaments")


@command.command()
@click.argument("name")
@with_socket
@with_json
@explained
def show(name: str, path: str, as_json: bool) -> None:
    """How the tournament NAME stands: level, time, people, places."""
    from controller.service import tournament_routes

    room = Client(path).get(tournament_routes.ROOM, name)
    print(dumped(room) if as_json else "\n".join(_room(room)))


def _limited(limits: str, bets: str) -> str:
    return f"{limits}, bets {bets}" if bets else limits


def _room(room: RoomShown) -> Iterator[str]:
    session = f", session {room.session} of {room.sessions}" if room.session else ""
    yield f"{room.name}: {room.game}, {room.stage}{session}{', final' if room.final else ''}"
    more = f"; next {_limited(room.next_limits, room.next_bets)}" if room.next_limits else ""
    yield f"level {room.level} of {room.levels}: {_limited(room.limits, room.bets)}{more}"
    yield f"{room.left} of {room.entered} in, at {many(room.tables, 'table')}; pool {dollars(room.pool)}"
    rows: list[tuple[str, ...]] = [("PLACE", "NAME", "BANK", "", "SEAT", "PRIZE")]
    rows += [
        (
            str(row.place or ""),
            row.name,
            dollars(row.bank),
            "" if row.state == "in" else row.state,
            f"{row.table} {row.seat}".strip(),
            dollars(row.prize) if row.prize else "",
        )
        for row in room.ranking
    ]
    yield from columns(rows, right=(0, 2, 5))


@command.command()
@click.argument("name")
@with_socket
@with_json
@explained
def report(name: str, path: str, as_json: bool) -> None:
    """What the tournament NAME comes to in money; no report on cash games has any of it."""
    from controller.service import tournament_routes

    money = Client(path).get(tournament_routes.REPORT, name)
    print(dumped(money) if as_json else "\n".join(_report(money)))


def _report(money: CupReport) -> Iterator[str]:
    yield f"{money.name}: {money.game}, {money.stage}{', final' if money.final else ', as it stands'}"
    yield f"terms {money.terms}"
    sums = [("fees", money.fees), ("buy-ins, re-buys, add-ons", money.paid), ("refunds", money.refunds)]
    sums += [("pool", money.pool), ("prizes", money.prizes), ("left in the pool", money.left)]
    sums += [("banks paid", money.cash)]
    yield from columns([(what, dollars(cents)) for what, cents in sums], right=(1,))
    rows: list[tuple[str, ...]] = [("PLACE", "NAME", "", "FEE", "BUY-IN", "RE-BUYS", "ADD-ONS", "REFUND", "PRIZE")]
    rows += [
        (
            str(row.place or ""),
            row.name,
            "" if row.state == "in" else row.state,
            *(dollars(cents) for cents in (row.fee, row.buy_in, row.rebuys, row.add_ons, row.refund, row.prize)),
        )
        for row in money.rows
    ]
    yield from columns(rows, right=(0, 3, 4, 5, 6, 7, 8))
