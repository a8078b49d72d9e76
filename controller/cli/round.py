"""felt round: rounds on record, with or without the daemon: a list, one told whole or step by step, its receipt."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from controller.api import routes, shapes
from controller.cli import receipts
from controller.cli.client import Client, Json, Noun, columns, dumped, explained, with_json, with_socket
from controller.cli.journal_file import Bar, rounds_of, with_journal_and_keys
from controller.cli.receipts import hand_over, with_compare
from controller.cli.round_export import command as export
from controller.counts import many
from controller.errors import FeltError
from controller.rules import by as by_rule
from controller.views import receipt, record_text
from controller.views.record import RoundRecord, Summary

Command = TypeVar("Command", bound=Callable[..., Any])
ARCHIVED = "round.archived"
KINDS = ("any", "none", "misdeal", "void", "ruling", "correction", "hold", "fault", "dispute")
MOST = 200


@click.group(name="round", cls=Noun)
def command() -> None:
    """Rounds on record: find them, tell them, print a receipt."""


def with_round(command: Command) -> Command:
    """Adds the number of a round to a command, and what tells rounds of one number apart."""
    opened = click.option(
        "--opened", type=click.IntRange(min=1), help="Of several with this number, the one that this fact opened."
    )
    return click.argument("number", type=click.IntRange(min=1))(opened(command))


# ---- a list


@command.command(name="list")
@click.option("--game", help="Of this game.")
@click.option("--area", type=click.IntRange(1, 999), help="In which this area, or seat, took part.")
@click.option("--outcome", type=click.Choice(["settled", "misdeal", "void", "forgotten"]))
@click.option("--irregular", type=click.Choice(KINDS), help="In which something was not plain.")
@click.option("--since", help="Opened at this time or later, such as 2026-11-17T20:15; UTC unless it says otherwise.")
@click.option("--until", help="Opened before this time.")
@click.option("--before", type=click.IntRange(min=1), help="Opened before this fact: the next page.")
@click.option(
    "-n", "n", type=click.IntRange(1, MOST), default=20, show_default=True, help="How many, the newest first."
)
@with_journal_and_keys
@with_socket
@with_json
@explained
def list_(journal: Path | None, path: str, as_json: bool, **wanted: Any) -> None:
    """The latest rounds, the newest first."""
    asked = {name: value for name, value in wanted.items() if value is not None}
    answer = Client(path).get(routes.ROUNDS, **asked) if journal is None else _list_file(journal, asked)
    if as_json:
        print(dumped(answer))
        return
    if answer["rounds"]:
        print("\n".join(columns(list(record_text.rows(answer["rounds"])), right=(0, 5, 6))))
    else:
        print("no such round is on record")
    for line in _afterwards(answer):
        print(line)


def _afterwards(answer: shapes.RoundList) -> Iterator[str]:
    """Yields what a list does not show."""
    if answer["running"] is not None:
        yield f"round {answer['running']} is running"
    if answer["next"] is not None:
        yield f"more: --before {answer['next']}"
    elif answer["older"]:
        yield "older ones are in the journal: felt round show N"
    if answer["behind"] is not None:
        behind = answer["behind"]
        done = f"{behind['done']} of {many(behind['all'], 'fact')}"
        yield f"the journal is being told again: {done}; rounds may be missing"


# ---- one round


@command.command()
@with_round
@with_journal_and_keys
@with_socket
@with_json
@explained
def show(number: int, opened: int | None, journal: Path | None, path: str, as_json: bool) -> None:
    """One round, told whole.

    A round that is older than those at hand is told from the journal, which takes a while.
    """
    answer = find(number, opened, journal, path)
    if as_json:
        print(dumped(answer))
        return
    print("\n".join(record_text.lines(_record(answer))))
    for line in _others(answer):
        print(line)


@command.command()
@with_round
@click.option("--all", "at_once", is_flag=True, help="All steps at once, without waiting for Enter.")
@with_journal_and_keys
@with_socket
@with_json
@explained
def replay(number: int, opened: int | None, at_once: bool, journal: Path | None, path: str, as_json: bool) -> None:
    """One round step by step: each fact, what came of it, and what the table then waited for.

    Enter goes on, q ends it.
    """
    answer = find(number, opened, journal, path)
    record = _record(answer)
    if as_json:
        print(dumped({"number": record.number, "steps": record.steps}))
        return
    waits = not at_once and sys.stdin.isatty() and sys.stdout.isatty()
    print(f"{record.called.round} {record.number}: {record.title}, {many(len(record.steps), 'step')}")
    for number_, step in enumerate(record.steps, 1):
        print("\n".join(record_text.step(step, number_, len(record.steps))), flush=True)
        if waits and number_ < len(record.steps) and _quits():
            return
    if record.left_out:
        print(f"{many(record.left_out, 'more step')} not told: felt journal tail has them")
    print(f"{record.called.round} {record.number}: {record.outcome}{by_rule(record.rule)}")


def _quits() -> bool:
    """Waits for Enter; tells whether somebody wants an end."""
    try:
        return input().strip().lower().startswith("q")
    except EOFError:
        return True


@command.command(name="receipt")
@with_round
@click.option("--html", "as_html", is_flag=True, help="A page to print, instead of plain text.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it into this file, which must be new.")
@with_compare
@with_journal_and_keys
@with_socket
@with_json
@explained
def receipt_(
    number: int,
    opened: int | None,
    as_html: bool,
    output: Path | None,
    compare: Path | None,
    journal: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """The receipt of a round for a dispute, tied to the journal: print it, sign it, check it later."""
    record = _record(find(number, opened, journal, path))
    plain, page = "\n".join(receipt.lines(record)) + "\n", receipt.page(record)
    text = page if as_html else plain
    if compare is not None:
        receipts.compare(compare, plain, page, as_json=as_json)
    elif as_json:
        print(json.dumps({"number": number, "anchor": record.anchor, "receipt": text}))
    else:
        hand_over(text, output, f"the receipt of {record.called.round} {number}")


def _others(answer: shapes.RoundFound) -> Iterator[str]:
    """Yields where to find other rounds of the same number."""
    for opened in answer["others"]:
        yield f"another one has this number, from another configuration: --opened {opened}"


def _record(answer: shapes.RoundFound) -> RoundRecord:
    record = answer["round"]
    if record.troubles:  # which are told in the words that the devices' codes are declared with
        from controller.cli.explain import every_code

        every_code()
    return record


command.add_command(export)


# ---- where it comes from


def find(number: int, opened: int | None, journal: Path | None, path: str) -> shapes.RoundFound:
    """Returns the daemon's answer for a round, or the same from a file."""
    if journal is not None:
        return _find_in_file(journal, number, opened or 0)
    client = Client(path)
    try:
        return client.get(routes.ROUND, number, opened=opened)
    except FeltError as error:
        if error.code != ARCHIVED:
            raise
    print(f"round {number} is not among the latest: it is told from the journal", file=sys.stderr)
    bar = Bar()
    for word in client.work(routes.SEARCH, None, number, opened=opened):
        if "round" in word:
            bar.end()
            return shapes.RoundFound(round=word["round"], anchor=word["anchor"], others=word["others"])
        bar.show(word["done"], word["all"])
    raise FeltError("daemon.ended", "the daemon stopped while it looked for the round")


def _list_file(file: Path, asked: Json) -> shapes.RoundList:
    from controller.api.round_filter import wanted
    from controller.views.recorder import summary

    which = wanted({name: str(value) for name, value in asked.items()})
    by_opening: dict[int, Summary] = {}
    running = None
    for record in rounds_of(file):
        each = summary(record)
        if record.ended is None:
            running = record.number
        elif which.fits(each):
            by_opening[each.opened.seq] = each
    newest = sorted(by_opening.values(), key=lambda each: -each.opened.seq)
    return {
        "rounds": newest[: which.most],
        "running": running,
        "next": newest[which.most - 1].opened.seq if len(newest) > which.most else None,
        "older": False,
        "behind": None,
    }


def _find_in_file(file: Path, number: int, opened: int) -> shapes.RoundFound:
    from controller.api.round_filter import unknown

    by_opening: dict[int, RoundRecord] = {}
    for record in rounds_of(file):
        if record.number == number:
            by_opening[record.opened.seq] = record
    wanted = by_opening.get(opened) if opened else by_opening[max(by_opening)] if by_opening else None
    if wanted is None:
        raise unknown(number, f" in {file}")
    others = sorted((seq for seq in by_opening if seq != wanted.opened.seq), reverse=True)
    return {"round": wanted, "anchor": wanted.anchor, "others": others}
