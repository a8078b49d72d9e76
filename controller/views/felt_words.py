"""Wagers, cards and places in words for people at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.cards import UNREAD, spoken
from controller.counts import many
from controller.money import on_sign
from controller.places import DEALER, is_place
from controller.rules import WON_OR_LOST
from controller.table.state import Line

RESULTS: Final = {
    "win": "wins",
    "lose": "loses",
    "stand-off": "stand-off",
    "surrender": "is surrendered",
    "carried": "stays for the next round",
    "void": "is void and goes back",
    "returned": "goes back",
    "reversed": "is at stake again",
}


def wager_text(line: Line, pays: str) -> str:
    """Returns a wager and its end in words; its rule is told beside it.

    >>> wager_text(Line("1", "ante", 1000, "win", 4000, "5.6.1(b)"), "straight pays 4 to 1")
    'ante $10 wins $40, straight pays 4 to 1'
    >>> wager_text(Line("1", "pair-plus", 500, "open", 0, ""), "")
    'pair plus $5'
    """
    text = f"{spot_label(line.spot)} {on_sign(line.stake)}"
    if line.result == "open":
        return text
    amount = f" {on_sign(abs(line.net))}" if line.net and line.result in WON_OR_LOST else ""
    lost = f", {on_sign(-line.net)} of it is lost" if line.result == "surrender" and line.net < 0 else ""
    surplus = f", {on_sign(line.surplus)} too much goes back" if line.surplus else ""
    prize = f", the prize of {on_sign(line.prize)}" if line.prize else ""
    return f"{text} {RESULTS[line.result]}{amount}{lost}{prize}{f', {pays}' if pays else ''}{surplus}"


def spoken_cards(cards: Sequence[str]) -> str:
    """Returns cards as people say them.

    >>> spoken_cards(["Kh", "??", "??"]), spoken_cards(["??"])
    ('king of hearts, 2 cards face down', '1 card face down')
    """
    up = [spoken(card) for card in cards if card != UNREAD]
    down = len(cards) - len(up)
    return ", ".join([*up, *([f"{many(down, 'card')} face down"] if down else [])])


def signed(amount: int) -> str:
    """Returns a change of somebody's chips.

    >>> signed(4000), signed(-250), signed(0)
    ('+$40', '-$2.50', '$0')
    """
    if amount == 0:
        return on_sign(0)
    return f"{'+' if amount > 0 else '-'}{on_sign(abs(amount))}"


def spot_label(spot: str) -> str:
    """Returns what is printed on a spot.

    >>> spot_label("go-to-war")
    'go to war'
    """
    return spot.replace("-", " ")


def spoken_place(place: str, place_called: str) -> str:
    """Returns a place at the beginning of a sentence.

    >>> spoken_place("3", "seat"), spoken_place("dealer", "seat")
    ('Seat 3', 'Dealer')
    """
    return f"{place_called.capitalize()} {place}" if place != DEALER and is_place(place) else place.capitalize()
