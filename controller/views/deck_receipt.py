"""The receipt of an inspection of cards: one page to print and sign, or plain text, tied to the journal's hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from controller.rules import by as by_rule
from controller.table.deck_book import DeckBook, DeckRecord
from controller.views import paper
from controller.views.decks import DoneBy, InspectionShown, LeftShown, UnfitShown, deck_shown, inspection_shown
from controller.views.moments import day_and_time
from controller.views.paper import Receipt, Sheet

SIGNATURES: Final = ("Dealer", "Supervisor", "Witness")
HEADING: Final = ("Deck", "Backs", "Serial", "Came (UTC)", "Shuffles", "Hands")


class DeckThen(msgspec.Struct, frozen=True):
    """A deck as it was known when it was inspected."""

    number: int
    colour: str
    serial: str
    came: DoneBy
    unfit: list[UnfitShown]
    left: LeftShown | None


class InspectionFound(msgspec.Struct, frozen=True):
    """An inspection with the decks it is of, as they were known then; `anchor` proves the journal up to there."""

    table: str
    title: str  # of the game
    inspection: InspectionShown
    decks: list[DeckThen]
    anchor: str


def look_up(
    book: DeckBook, number: int, table: str, title: str, anchor: Callable[[int], str]
) -> InspectionFound | None:
    """Returns the inspection with this number, as it was told when it was made; None when it is not at hand.

    `title` is of the game that is played now; `anchor` gives the line that proves the journal up to a fact.
    """
    made = book.inspection(number)
    if made is None:
        return None
    seq = made.by.seq
    looked_at = [_then(deck, seq) for deck in book.decks if deck.number in made.decks]
    return InspectionFound(table, made.game or title, inspection_shown(made), looked_at, anchor(seq))


def _then(deck: DeckRecord, seq: int) -> DeckThen:
    """Returns what was known of a deck when this fact had come."""
    later = deck.named is not None and deck.named.seq > seq
    serial = "" if later else deck.serial
    colour = "" if later and deck.colour_named else deck.colour
    now = deck_shown(deck, dealt=False)
    unfit = [each for each in now.unfit if each.by.seq <= seq]
    left = now.left if now.left is not None and now.left.by.seq <= seq else None
    return DeckThen(deck.number, colour, serial, now.came, unfit, left)


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
            Sheet("Left play", lines=[_left(deck.number, deck.left) for deck in looked_at if deck.left is not None]),
        ],
        [],
        list(paper.proof(f"the facts up to {made.by.seq}", of.table, of.anchor)),
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


def _rows(made: InspectionShown, looked_at: list[DeckThen]) -> list[tuple[str, ...]]:
    """Returns a row for each deck, with its counts at that time; of a record that is not kept the number alone."""
    known = {deck.number: deck for deck in looked_at}
    counts = dict(zip(made.decks, zip(made.shuffles, made.hands, strict=True), strict=False))
    return [_row(number, known.get(number), counts.get(number, ("", ""))) for number in made.decks]


def _row(number: int, deck: DeckThen | None, counts: tuple[object, object]) -> tuple[str, ...]:
    if deck is None:
        return str(number), "", "", "", "", ""
    shuffles, hands = counts
    return str(number), deck.colour or "-", deck.serial or "-", day_and_time(deck.came.at), str(shuffles), str(hands)


def _unfit(deck: DeckThen) -> Iterator[str]:
    for each in deck.unfit:
        cards = f" {' '.join(each.cards)}" if each.cards else ""
        note = f": {each.note}" if each.note else ""
        became = ", changed" if each.changed else ""
        yield f"deck {deck.number}: {each.fault}{cards}{became}{note}{by_rule(each.rule)}, said by {_who(each.by)}"


def _left(number: int, left: LeftShown) -> str:
    return f"deck {number} left play {day_and_time(left.by.at)} UTC: {left.why}{by_rule(left.rule)}"


def _who(by: DoneBy) -> str:
    role = by.role.replace("-", " ")
    place = f" at the {by.place}" if by.place else ""
    return f"{by.person or 'nobody signed in'}, {role}{place}" if by.role else "nobody"
