"""The 52 cards, written as people write them: rank and suit, "Td" is the ten of diamonds."""

from __future__ import annotations

import re

RANKS = "23456789TJQKA"
SUITS = "cdhs"
UNREAD = "??"  # a card that could not be read, or that whoever looks may not see

DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = frozenset(DECK)
_RANK = {card: RANKS.index(card[0]) for card in DECK}

_WRITTEN = rf"(?<![^\W_])(10|[{RANKS}])[{SUITS}](?![^\W_])"
_OURS = re.compile(_WRITTEN)
_ANYBODYS = re.compile(_WRITTEN, re.IGNORECASE)

_RANK_NAMES = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def is_card(text: str) -> bool:
    """Tells whether a text is one of the 52 cards.

    >>> is_card("Td"), is_card("1d"), is_card("??")
    (True, False, False)
    """
    return text in _CARDS


def veiled(text: str) -> str:
    """Returns somebody's words without the cards in them, however these are written.

    >>> veiled("1=kh,10s fold Ash 3")
    '1=??,?? fold Ash 3'
    """
    return _ANYBODYS.sub(UNREAD, text)


def veiled_log(text: str) -> str:
    """Returns a text of ours without the cards in it: small letters make words, as in "such as".

    >>> veiled_log("such as Kh, 10s")
    'such as ??, ??'
    """
    return _OURS.sub(UNREAD, text)


def rank(card: str) -> int:
    """Returns the rank of a card as a number: 0 for a two, 12 for an ace, which is high."""
    return _RANK[card]


def spoken(card: str) -> str:
    """Returns a card as people say it.

    >>> spoken("Td")
    'ten of diamonds'
    """
    return f"{_RANK_NAMES[card[0]]} of {_SUIT_NAMES[card[1]]}" if card in _CARDS else "unread card"
