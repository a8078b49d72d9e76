"""The receipt of an inspection of cards: one page to print and sign, or plain text, tied to the journal's hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from controller.rules import by as by_rule
from controller.views import paper
from controller.views.decks import DeckShown, DecksShown, DoneBy, InspectionShown
from controller.views.moments import day_and_time
from controller.views.paper import Receipt, Sheet

SIGNATURES: Final = ("Dealer", "Supervisor", "Witness")
HEADING: Final = ("Deck", "Backs", "Serial", "Came (UTC)", "Shuffles", "Hands")


class InspectionFound(msgspec.Struct, frozen=True):
    """An inspection with the decks it is of; `anchor` proves the journal up to the fact up to which this is told."""

    table: str
    title: str  # of the game
    inspection: InspectionShown
    decks: list[DeckShown]
    upto: int
    anchor: str


def look_up(
    decks: DecksShown, number: int, table: str, title: str, upto: int, anchor: Callable[[int], str]
) -> InspectionFound | None:
    """Returns the inspection with this number, as all facts up to `upto` tell it; None when it is not at hand.

    `anchor` gives the line that proves the journal up to a fact.
    """
    made = next((each for each in decks.inspections if each.number == number), None)
    if made is None:
        return None
    looked_at = [deck for deck in decks.decks if deck.number in made.decks]
    return InspectionFound(table, title, made, looked_at, upto, anchor(upto))


def lines(of: InspectionFound) -> Iterator[str]:
    """Yields the receipt as plain text that fits a page."""
    return paper.lines(_receipt(of))


def page(of: InspectionFound) -> str:
    """Returns the receipt as one HTML page."""
    return paper.page(_receipt(of))


def _receipt(of: InspectionFound) -> Receipt:
    made, looked_at = of.inspection, of.decks
    return Receipt(
        title(made, of.table),
        list(_about(made, of.title)),
        [
            Sheet("Decks", HEADING, _rows(made, looked_at), (4, 5)),
            Sheet("Unfit cards", lines=[line for deck in looked_at for line in _unfit(deck)]),
            Sheet("Boxes", lines=[line for deck in looked_at for line in _box(deck)]),
        ],
        [],
        list(paper.proof(f"facts {made.by.seq} to {of.upto}", of.table, of.anchor)),
        of.anchor,
        SIGNATURES,
    )


def title(made: InspectionShown, table: str) -> str:
    """Returns what a receipt is of."""
    return f"Inspection {made.number} of cards at table {table}"


def _about(made: InspectionShown, game: str) -> Iterator[str]:
    yield f"Result: {made.in_words}"
    yield f"Why: {made.why}{by_rule(made.rule)}"
    yield f"When: {day_and_time(made.by.at)} UTC, {game}"
    yield f"By: {_who(made.by)}"
    if made.ordered is not None:
        yield f"Ordered by: {_who(made.ordered)}, {day_and_time(made.ordered.at)} UTC"


def _rows(made: InspectionShown, looked_at: list[DeckShown]) -> list[tuple[str, ...]]:
    """Returns a row for each deck, with its counts at that time; of a record that is not kept the number alone."""
    known = {deck.number: deck for deck in looked_at}
    counts = dict(zip(made.decks, zip(made.shuffles, made.hands, strict=True), strict=False))
    return [_row(number, known.get(number), counts.get(number, ("", ""))) for number in made.decks]


def _row(number: int, deck: DeckShown | None, counts: tuple[object, object]) -> tuple[str, ...]:
    if deck is None:
        return str(number), "", "", "", "", ""
    shuffles, hands = counts
    return str(number), deck.colour or "-", deck.serial or "-", day_and_time(deck.came.at), str(shuffles), str(hands)


def _unfit(deck: DeckShown) -> Iterator[str]:
    for each in deck.unfit:
        cards = f" {' '.join(each.cards)}" if each.cards else ""
        note = f": {each.note}" if each.note else ""
        became = ", changed" if each.changed else ""
        yield f"deck {deck.number}: {each.fault}{cards}{became}{note}{by_rule(each.rule)}, said by {_who(each.by)}"


def _box(deck: DeckShown) -> Iterator[str]:
    if deck.left is not None:
        left = f"left play {day_and_time(deck.left.by.at)} UTC: {deck.left.why}{by_rule(deck.left.rule)}"
        yield f"deck {deck.number} {left}"
    if deck.sealed is not None:
        sealed = f"slip {deck.sealed.slip}, seal {deck.sealed.seal}, by {_who(deck.sealed.by)}"
        word = "" if deck.sealed.seen is None else f", by their own word at the {deck.sealed.seen.place}"
        yield f"deck {deck.number} {sealed}; seen by {deck.sealed.witness}{word}"


def _who(by: DoneBy) -> str:
    role = by.role.replace("-", " ")
    place = f" at the {by.place}" if by.place else ""
    return f"{by.person or 'nobody signed in'}, {role}{place}" if by.role else "nobody"
