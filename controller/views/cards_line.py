"""The cards of a table in a short line: whether they were checked, what was counted last, what is due before a deal.

It tells no name and no serial number, so that it may stand on a page that anybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.places import is_area
from controller.table.deck import SUPERVISOR, cutter
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.moments import time_of_day


class CardsPart(msgspec.Struct, frozen=True):
    """One thing that is known of the cards; `due`: somebody has to do something."""

    text: str
    rule: str = ""
    due: bool = False


def cards_line(table: Table, rules: Rules, offset: int = 0) -> list[CardsPart]:
    """Returns the parts of the line; `offset`: seconds from UTC to the clock on the wall."""
    return [*_inspected(table, rules, offset), *_counted(table, offset), *_due(table, rules)]


def _inspected(table: Table, rules: Rules, offset: int) -> Iterator[CardsPart]:
    """Yields whether every deck in play was looked through since it came, or since the table opened or closed."""
    book, cites = table.decks, rules.document.citations
    missing = sum(not deck.inspected for deck in book.in_play)
    word, rule = ("checked", cites.checked) if table.open else ("counted after gaming", cites.count_end)
    if missing:
        which = "" if missing == len(book.in_play) else f"{missing} of {len(book.in_play)} decks "
        yield CardsPart(f"{which}not {word}", rule, due=True)
    elif book.in_play:
        made = book.inspection(min(deck.inspected for deck in book.in_play))
        at = "" if made is None else f" {time_of_day(made.by.at, offset)}"
        yield CardsPart(f"{word}{at}")


def _counted(table: Table, offset: int) -> Iterator[CardsPart]:
    """Yields what was counted last."""
    made = next((each for each in reversed(table.decks.inspections) if each.counted is not None), None)
    if made is not None:
        wrong = "" if made.is_right else f" instead of {made.expected}"
        yield CardsPart(f"last count {made.counted}{wrong}, {time_of_day(made.by.at, offset)}")


def _due(table: Table, rules: Rules) -> Iterator[CardsPart]:
    """Yields what is to be done before the next deal; a shuffle only where somebody presses a key for it."""
    deck, cites = table.deck, rules.document.citations
    if deck.bad:
        yield CardsPart("out of play", deck.bad, due=True)
    if table.decks.ordered is not None:
        yield CardsPart("count ordered", table.decks.ordered_by, due=True)
    elif deck.unverified:
        yield CardsPart("count due", deck.unverified, due=True)
    if deck.refill:
        yield CardsPart("shoe empty", cites.empty, due=True)
    elif deck.due and table.options.typed.gates == "manual":
        yield CardsPart("shuffle due", deck.due, due=True)
    if deck.cut_due:
        yield CardsPart(f"cut due{_by(table, rules)}", cites.cutter, due=True)


def _by(table: Table, rules: Rules) -> str:
    """Returns who is to cut, after the words that a cut is due; "" for the dealer."""
    who = cutter(table) if rules.document.policy.players_cut else ""
    if is_area(who):
        return f": {rules.called.place} {who}"
    return ": the supervisor" if who == SUPERVISOR else ""
