"""felt deck: the decks of the table by name: a list, one of them, what people do with them, receipts of inspections."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from controller.cli import receipts
from controller.cli.client import TROUBLE, Client, Noun, columns, dumped, explained, with_json, with_socket
from controller.cli.journal_file import read_journal, with_journal_and_keys
from controller.cli.receipts import hand_over, with_compare
from controller.counts import many
from controller.errors import FeltError
from controller.rules import by as by_rule
from controller.service import deck_routes
from controller.views.deck_receipt import InspectionFound
from controller.views.decks import DeckShown, DecksShown, DoneBy, InspectionShown, StoryLine
from controller.views.moments import day_and_time

HEADING: Final = ("deck", "backs", "serial", "where", "checked", "shuffles", "hands", "came (UTC)")
WHICH: Final = click.IntRange(min=1)


@click.group(name="deck", cls=Noun)
def command() -> None:
    """The decks of the table, each with a record: bring it, check it, count it, call it unfit, seal it.

    Who does something signs in before: `felt sign-in`.  It is on record with person, role and place, and the rule
    document says who may.
    """


# ---- to look at


@command.command(name="list")
@with_journal_and_keys
@with_socket
@with_json
@explained
def list_(journal: Path | None, path: str, as_json: bool) -> None:
    """Every deck, what is to be done with them, and the story of the cards that are dealt now.

    Exit status 1: something is to be done.
    """
    decks = _decks(journal, path)
    print(dumped(decks) if as_json else "\n".join(_list(decks)))
    sys.exit(TROUBLE if decks.duties else 0)


def _list(decks: DecksShown) -> Iterator[str]:
    rows = [HEADING, *(_row(deck) for deck in decks.decks)]
    yield from columns(rows, right=(0, 5, 6), spare=(7, 4))
    for duty in decks.duties:
        yield f"to do: {duty.text}{by_rule(duty.rule)}"
    if decks.story:
        yield "the cards that are dealt now:"
        yield from (f"  {_story(line)}" for line in decks.story)
    if decks.inspections:
        yield "inspections, the newest first:"
        yield from (f"  {_inspection(made)}" for made in decks.inspections[:10])


def _row(deck: DeckShown) -> tuple[str, ...]:
    where = f"{deck.in_words}, dealt now" if deck.dealt else deck.in_words
    checked = f"by {deck.inspected}" if deck.inspected is not None else "-"
    numbers = str(deck.shuffles), str(deck.hands)
    return str(deck.number), deck.colour or "-", deck.serial or "-", where, checked, *numbers, _day(deck.came)


def _day(by: DoneBy) -> str:
    return day_and_time(by.at)[2:16]


def _who(by: DoneBy) -> str:
    words = " ".join(filter(None, (by.role.replace("-", " "), by.person)))
    return f" [{words}]" if words else ""


def _story(line: StoryLine) -> str:
    return f"{day_and_time(line.by.at)}  {line.text}{_who(line.by)}"


def _inspection(made: InspectionShown) -> str:
    which = ", ".join(map(str, made.decks))
    decks = f"deck {which}" if len(made.decks) == 1 else f"decks {which}"
    return (
        f"{made.number:>3}  {day_and_time(made.by.at)}  {decks}: {made.in_words}, "
        f"{made.why}{by_rule(made.rule)}{_who(made.by)}"
    )


@command.command()
@click.argument("number", type=WHICH)
@with_journal_and_keys
@with_socket
@with_json
@explained
def show(number: int, journal: Path | None, path: str, as_json: bool) -> None:
    """One deck, from the day it came."""
    decks = _decks(journal, path)
    deck = next((each for each in decks.decks if each.number == number), None)
    if deck is None:
        raise FeltError("deck.unknown", f"there is no deck {number} among the newest of this table")
    print(dumped(deck) if as_json else "\n".join(_one(deck, decks)))


def _one(deck: DeckShown, decks: DecksShown) -> Iterator[str]:
    yield f"{deck.name}: {deck.in_words}{', dealt now' if deck.dealt else ''}"
    yield f"  came       {day_and_time(deck.came.at)} UTC{_who(deck.came)}, fact {deck.came.seq}"
    if deck.named is not None:
        yield f"  named      {day_and_time(deck.named.at)} UTC{_who(deck.named)}, fact {deck.named.seq}"
    yield f"  dealt      {many(deck.hands, 'hand')}, {many(deck.shuffles, 'shuffle')}"
    yield from _looked_at(deck, decks)
    if deck.left is not None:
        left = deck.left
        yield f"  left play  {day_and_time(left.by.at)}  {left.why}{by_rule(left.rule)}{_who(left.by)}"
    if deck.sealed is not None:
        box = deck.sealed
        word = "" if box.seen is None else ", by their own word"
        words = f"slip {box.slip}, seal {box.seal}, seen by {box.witness}{word}"
        yield f"  sealed     {day_and_time(box.by.at)}  {words}{by_rule(box.rule)}{_who(box.by)}"
    for duty in decks.duties:
        if duty.deck == deck.number or (not duty.deck and deck.standing == "play"):
            yield f"  to do      {duty.text}{by_rule(duty.rule)}"


def _looked_at(deck: DeckShown, decks: DecksShown) -> Iterator[str]:
    """Yields its inspections and what was found with its cards, as they came."""
    lines = [
        (made.by.seq, f"  inspected  {_inspection(made).strip()}")
        for made in decks.inspections
        if deck.number in made.decks
    ]
    for each in deck.unfit:
        what = f"{' '.join(each.cards)} {each.fault}".strip()
        became = "changed" if each.changed else "unfit"
        note = f": {each.note}" if each.note else ""
        line = f"  {became:<9}  {day_and_time(each.by.at)}  {what}{note}{by_rule(each.rule)}{_who(each.by)}"
        lines.append((each.by.seq, line))
    for _, line in sorted(lines):
        yield line


@command.command()
@click.argument("number", type=WHICH)
@click.option("--html", "as_html", is_flag=True, help="A page to print, instead of plain text.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it into this file, which must be new.")
@with_compare
@with_journal_and_keys
@with_socket
@with_json
@explained
def receipt(
    number: int,
    as_html: bool,
    output: Path | None,
    compare: Path | None,
    journal: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """The receipt of inspection NUMBER, tied to the journal: print it, sign it, check it later.

    It tells what was known when the inspection was made, whenever it is printed.  The daemon has the newest ones at
    hand; with --journal any is told.
    """
    from controller.views import deck_receipt

    made = Client(path).get(deck_routes.INSPECTION, number) if journal is None else _in_file(journal, number)
    plain, page = "\n".join(deck_receipt.lines(made)) + "\n", deck_receipt.page(made)
    text = page if as_html else plain
    if compare is not None:
        receipts.compare(compare, plain, page, as_json=as_json)
    elif as_json:
        print(json.dumps({"number": number, "anchor": made.anchor, "receipt": text}))
    else:
        hand_over(text, output, f"the receipt of inspection {number}")


# ---- without the daemon


def _decks(journal: Path | None, path: str) -> DecksShown:
    """Returns the decks as the daemon has them, or those of a file."""
    if journal is None:
        return Client(path).get(deck_routes.DECKS)
    from controller.service.deck_telling import decks_of

    return read_journal(journal, decks_of)


def _in_file(journal: Path, number: int) -> InspectionFound:
    from controller.service.deck_telling import inspection_of

    return read_journal(journal, lambda opened, progress: inspection_of(opened, number, progress))


# ---- to do


@command.command()
@click.argument("serials", nargs=-1, metavar="[SERIAL]...")
@click.option("--colour", default="", help="Of the backs.")
@with_socket
@with_json
@explained
def bring(serials: tuple[str, ...], colour: str, path: str, as_json: bool) -> None:
    """Decks come to the table: they wait here until cards are replaced.  Check them before that: `felt deck check`."""
    for serial in serials or ("",):
        _do(path, as_json, "bring", serial=serial, colour=colour)


@command.command()
@click.argument("deck", type=WHICH)
@click.argument("serial")
@click.option("--colour", default="", help="Of the backs.")
@with_socket
@with_json
@explained
def name(deck: int, serial: str, colour: str, path: str, as_json: bool) -> None:
    """Deck DECK, which came without a name, is the one with this serial number on its box."""
    _do(path, as_json, "name", deck=deck, serial=serial, colour=colour)


@command.command()
@click.argument("deck", type=WHICH, required=False)
@click.option("--count", type=click.IntRange(0, 9999), default=None, help="So many cards were counted.")
@with_socket
@with_json
@explained
def check(deck: int | None, count: int | None, path: str, as_json: bool) -> None:
    """A deck was looked through; without DECK all that are in play were.  There is a receipt of it."""
    _do(path, as_json, "check", deck=deck or 0, count=-1 if count is None else count)


@command.command()
@with_socket
@with_json
@explained
def order(path: str, as_json: bool) -> None:
    """The dealer is told to count all cards, now or when the hand is over."""
    _do(path, as_json, "order")


_FAULT: Final = click.option(
    "--fault",
    type=click.Choice(["marked", "bent", "torn", "soiled", "misprinted", "other"]),
    required=True,
    help="What is wrong.",
)
_NOTE: Final = click.option("--note", default="", help="In words.")


@command.command()
@click.argument("deck", type=WHICH, required=False)
@_FAULT
@click.option("--card", "cards", multiple=True, help="Which card, such as Kh; several times for several.")
@_NOTE
@with_socket
@with_json
@explained
def unfit(deck: int | None, fault: str, cards: tuple[str, ...], note: str, path: str, as_json: bool) -> None:
    """Cards of a deck are unfit: it leaves play, in a hand when that is over.  Without DECK all that are in play do."""
    _do(path, as_json, "unfit", deck=deck or 0, fault=fault, cards=list(cards), note=note)


@command.command()
@click.argument("deck", type=WHICH)
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
@_FAULT
@_NOTE
@with_socket
@with_json
@explained
def change(deck: int, cards: tuple[str, ...], fault: str, note: str, path: str, as_json: bool) -> None:
    """Single cards of a deck were changed for others, such as Kh: all cards are then counted and shuffled."""
    _do(path, as_json, "change", deck=deck, fault=fault, cards=list(cards), note=note)


@command.command()
@click.argument("deck", type=WHICH)
@click.option("--slip", required=True, help="The number of the card slip.")
@click.option("--seal", "seal_", required=True, help="The number of the seal on the box.")
@click.option("--witness", required=True, help="Who saw it.")
@with_socket
@with_json
@explained
def seal(deck: int, slip: str, seal_: str, witness: str, path: str, as_json: bool) -> None:
    """A deck that left play is in its box, with a slip and a seal."""
    _do(path, as_json, "seal", deck=deck, slip=slip, seal=seal_, witness=witness)


@command.command()
@click.argument("deck", type=WHICH)
@with_socket
@with_json
@explained
def witness(deck: int, path: str, as_json: bool) -> None:
    """Who is signed in saw how the deck was boxed and sealed; it cannot be who sealed it."""
    _do(path, as_json, "witness", deck=deck)


def _do(path: str, as_json: bool, deed: str, **words: Any) -> None:
    """Asks the table for it, and says what came of it."""
    done = Client(path).post(deck_routes.DEED, {"deed": deed, **words})
    if as_json:
        print(dumped(done))
        return
    which = f"deck {done['deck']}" if done["deck"] else "the cards in play"
    print(f"fact {done['seq']}: {deed}: {which}, by {done['person']}")
    for prompt in done["prompts"]:
        print(f"{prompt['role']}: {prompt['text']}{by_rule(prompt['rule'])}")
    if done["inspection"] is not None:
        print(f"inspection {done['inspection']}: felt deck receipt {done['inspection']}")
