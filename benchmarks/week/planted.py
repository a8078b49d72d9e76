"""What goes wrong at a table on purpose, and what only looks so: planted without knowing how it is found."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.cards import DECK


class Kind(Enum):
    """One kind of deed; its value is how people are told it."""

    LATE = "late bet: chips added after no more bets"
    PINCHED = "theft: part of a wager taken off before the settlement"
    LEFT = "theft: a lost wager not taken, lifted by the player in the next round"
    PAID_LOSER = "theft: a lost wager paid as if it had won"
    OVERPAID = "theft: a winner paid too much"
    SHORT = "short payment"
    SNATCHED = "theft: a lost wager lifted by the player as the dealer would take it"
    TRAY = "theft: chips out of the tray"
    BOX = "theft: money out of the drop box"
    UNSHUFFLED = "unshuffled deck: the order of a new deck"
    RIFFLED = "unshuffled deck: a new deck, riffled once"
    REPEATED = "unshuffled deck: the cards of the shoe before in the same order"
    FOREIGN = "a second copy of a card among the cards that come"
    SLOW = "a dealer who waits for minutes between two cards"
    LUCKY = "cheating: the dealer gives one player the best of the next eight cards"
    COUNT = "a card missing, as the machine counts"


class Habit(Enum):
    """What people do who mean no harm."""

    PIECES = "winnings lifted in two parts"
    CORRECTED = "what was paid too much taken back before it is lifted"
    ANEW = "a wrong payment taken back whole, and paid anew"
    EXCHANGED = "a winning stake lifted and put back with the payment"
    ADDED = "a stand-off raised for the next round without lifting it"
    MISREAD = "a card that the shoe reads as another one"
    DARK = "the sensor sees nothing while the dealer takes and pays"


CHIPS: Final = (Kind.LATE, Kind.PINCHED, Kind.LEFT, Kind.PAID_LOSER, Kind.OVERPAID, Kind.SHORT, Kind.SNATCHED)
COUNTED: Final = (Kind.TRAY, Kind.BOX)  # no sensor sees them: the count of the float does
ORDER: Final = (Kind.UNSHUFFLED, Kind.RIFFLED, Kind.REPEATED)
CARDS: Final = (*ORDER, Kind.FOREIGN)


@dataclass
class Planted:
    """One planted deed, and what came of it."""

    table: str
    kind: Kind
    round: int
    seq: int
    place: str = ""
    cents: int = 0  # what the house's chips change by beside what was settled
    shift: int = 0
    card: str = ""  # of which there is a second copy
    within: bool = True  # docs/protection.md promises that it is found
    found: int | None = None  # after how many rounds
    by: str = ""  # which alert


@dataclass
class Innocent:
    """A habit at a place, for alarms that come of it."""

    table: str
    kind: Habit
    round: int
    seq: int
    place: str  # of a card that was read wrong: the card that was told


def new_deck(decks: int) -> list[str]:
    """Returns cards in the order in which they come when nobody has shuffled them; the first one comes first."""
    suits = "shdc"
    ranks = "A23456789TJQK"
    deck = [rank + suit for suit in suits for rank in ranks]
    assert sorted(deck) == sorted(DECK)
    return deck * decks


def riffled(cards: list[str], chance: random.Random) -> list[str]:
    """Returns the cards after one riffle as people do it: each card falls from a half by how many are left in it."""
    cut = sum(chance.random() < 0.5 for _ in cards)
    left, right, out = cards[:cut], cards[cut:], list[str]()
    while left or right:
        half = left if chance.random() * (len(left) + len(right)) < len(left) else right
        out.append(half.pop(0))
    return out
