"""Where things lie at a table: betting areas, the bettors on them, the dealer, and the spots of a place."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

Place: TypeAlias = str  # an area ("3"), a further bettor on it ("3.2"), or the dealer
Spot: TypeAlias = str  # a circle on the layout, as the game names it: "ante"
At: TypeAlias = tuple[Place, Spot]  # where one wager lies

DEALER: Final = "dealer"
SHARED: Final[tuple[Place, ...]] = (DEALER, "flop", "turn", "river", "community")  # cards of no player, as people say
JACKPOT: Final[Spot] = "jackpot"  # the spot of Jackpot wagers, the same in every game that has one


@lru_cache(1024)
def area_of(place: Place) -> int:
    """Returns the betting area of a place.

    >>> area_of("3.2"), area_of("4")
    (3, 4)
    """
    return int(place.partition(".")[0])


def bettor_of(place: Place) -> int:
    """Returns which of the bettors on an area has this place.

    >>> bettor_of("3.2"), bettor_of("4")
    (2, 1)
    """
    return int(place.partition(".")[2] or 1)


def shared_place(place: Place) -> Place:
    """Returns where the cards and lamps of a place are: bettors of one area share them.

    >>> shared_place("3.2"), shared_place("4"), shared_place("dealer")
    ('3', '4', 'dealer')
    """
    return place.partition(".")[0]


def place_of(area: int, bettor: int = 1) -> Place:
    """Returns how a bettor's place is written: the first one on an area has no number.

    >>> place_of(3), place_of(3, 2)
    ('3', '3.2')
    """
    return str(area) if bettor == 1 else f"{area}.{bettor}"


def plain_place(place: Place) -> Place:
    """Returns how a place is written that may have come with the number of the first bettor.

    >>> plain_place("3.1"), plain_place("3.2"), plain_place("dealer")
    ('3', '3.2', 'dealer')
    """
    area, _, bettor = place.partition(".")
    return area if bettor == "1" else place


def names_bettor(place: Place) -> bool:
    """Tells whether a place comes with the number of a bettor.

    >>> names_bettor("3.1"), names_bettor("3")
    (True, False)
    """
    return "." in place


def is_area(place: Place) -> bool:
    """Tells whether a place is a betting area or a bettor on one: not the dealer, nor a part of the board.

    >>> is_area("3.2"), is_area("dealer"), is_area("flop"), is_area("")
    (True, False, False, False)
    """
    return place[:1].isdigit()


def is_place(text: str) -> bool:
    """Tells whether a word names an area, a bettor on it, or the dealer.

    >>> is_place("3.2"), is_place("dealer"), is_place("fraud"), is_place("1=Kh")
    (True, True, False, False)
    """
    return text == DEALER or text.replace(".", "", 1).isdigit()


def family_and_place(device: str) -> tuple[str, str]:
    """Returns what a device is and where it stands, as its name at the table says; "" where that says no place.

    >>> family_and_place("sensor.3"), family_and_place("shoe")
    (('sensor', '3'), ('shoe', ''))
    """
    family, _, place = device.partition(".")
    return family, place


@lru_cache(1024)
def order(place: Place) -> tuple[int, int]:
    """Returns what sorts places clockwise from the dealer's left, then by bettor; the dealer comes last.

    >>> sorted(["dealer", "10", "3.2", "3"], key=order)
    ['3', '3.2', '10', 'dealer']
    """
    area, _, bettor = place.partition(".")
    return (int(area), int(bettor or 1)) if area.isdigit() else (1 << 16, 0)
