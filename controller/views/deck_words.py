"""Decks in words for people: what one is called, where it is, why it was inspected, and the story of its cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.counts import many, many_were
from controller.places import is_area
from controller.table.deck import SUPERVISOR
from controller.table.deck_book import DeckDoing, DeckRecord, Doing, InspectedFor, Inspection, Standing
from controller.table.rules import Rules

STANDINGS: Final[Mapping[Standing, str]] = {
    "reserve": "waits at the table",
    "play": "in play",
    "out": "left play",
    "sealed": "boxed and sealed",
}
INSPECTED: Final[Mapping[InspectedFor, str]] = {
    "gaming": "before gaming",
    "close": "at the end of gaming",
    "order": "as somebody told the dealer",
    "misdeal": "after a wrong number of cards",
    "machine": "as the machine could not verify them",
    "changed": "as single cards were changed",
    "round": "during a round",
    "between": "between rounds",
    "reserve": "before it comes into play",
    "left": "after it left play",
}


def deck_name(deck: DeckRecord) -> str:
    """Returns what a deck is called: its number here, its backs and its serial number, as far as they are known."""
    backs = f"{deck.colour} backs" if deck.colour else ""
    return ", ".join(filter(None, (f"deck {deck.number}", backs, deck.serial)))


def count_words(made: Inspection) -> str:
    """Returns what came of an inspection."""
    if made.counted is None:
        return "checked"
    if made.is_right:
        return f"{many(made.counted, 'card')}, complete"
    return f"{many(made.counted, 'card')} instead of {made.expected}"


# ---- the story of the cards


def doing_words(doing: DeckDoing, rules: Rules) -> str:
    """Returns what was done with the cards, as a sentence without who told it."""
    return WORDS[doing.what](doing, rules.called.place)


def _place(at: str, called: str) -> str:
    if is_area(at):
        return f"{called} {at}"
    return "the supervisor" if at == SUPERVISOR else "the dealer"


def _cards(doing: DeckDoing) -> str:
    """Returns how many cards were counted, or lie before the place of a cut."""
    return many(doing.depth or 0, "card")


def _shuffled(doing: DeckDoing, called: str) -> str:
    if doing.by.device:
        return f"the machine shuffled {_cards(doing)}"
    return "the cards that were left were shuffled" if doing.in_round else "the cards were shuffled"


def _offered(doing: DeckDoing, called: str) -> str:
    declined = ", as every player declined" if doing.at == SUPERVISOR else ""
    return f"the cut was offered to {_place(doing.at, called)}{declined}"


def _cut(doing: DeckDoing, called: str) -> str:
    depth = "" if doing.depth is None else f" {_cards(doing)} from the nearer end"
    return f"{_place(doing.at, called)} cut{depth}"


WORDS: Final[Mapping[Doing, Callable[[DeckDoing, str], str]]] = {
    "checked": lambda doing, called: "the cards were checked",
    "counted": lambda doing, called: f"{many_were(doing.depth or 0, 'card')} counted",
    "replaced": lambda doing, called: "other cards came into play",
    "unfit": lambda doing, called: "cards were called unfit",
    "changed": lambda doing, called: f"{many_were(doing.depth or 0, 'card')} changed",
    "shuffled": _shuffled,
    "offered": _offered,
    "declined": lambda doing, called: f"{_place(doing.at, called)} declined to cut",
    "cut": _cut,
    "placed": lambda doing, called: f"the dealer put the cutting card {_cards(doing)} from the back",
    "out": lambda doing, called: f"the cutting card came out at {_place(doing.at, called)}",
}
