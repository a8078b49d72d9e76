"""The cards that left the shoe since they were mixed, in their order: the account that people compare them with.

It decides nothing.  What is kept is frozen, and shared by all copies of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.cards import UNREAD, is_card
from controller.table.facts import AnyFact, CardOut, CardRead, CardsOut, Key, ShoeEmpty, Shuffled, Turned

MOST: Final = 1000  # cards of one shoe that are kept; eight decks have 416
MOST_COUNTS: Final = 8


class Out(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A card that is out: the fact that told it, which of its cards it was, and whether everybody has seen it."""

    card: str
    seq: int
    nth: int = 1
    public: bool = False


class Count(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A count of the cards: by whom, and whether a machine found their backs to be of one deck."""

    seq: int
    cards: int
    machine: bool = True
    verified: bool = True


class ShoeAccount(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards between two shuffles."""

    number: int = 0  # how often cards were mixed after some had left
    cards: tuple[Out, ...] = ()
    before: tuple[str, ...] = ()  # the same cards as they came before they were mixed; (): other cards, or not known
    earlier: tuple[str, ...] = ()  # and those of the shoe before that one: two decks may take turns
    empty: bool = False  # the last card is out
    counts: tuple[Count, ...] = ()  # the last ones, the newest last
    whole: bool = False  # the account began with a shuffle; an older version may have told the beginning

    def mixed(self, *, fresh: bool = False, out: tuple[str, ...] = ()) -> ShoeAccount:
        """Returns the account after a shuffle; `fresh`: with other cards; `out`: what lies on the table meanwhile."""
        if not self.cards:
            kept = replace(self, empty=False, whole=True)
            return replace(kept, before=(), earlier=()) if fresh else kept
        new = ShoeAccount(self.number + 1, tuple(Out(card, 0) for card in out), counts=self.counts, whole=True)
        return new if fresh else replace(new, before=tuple(each.card for each in self.cards), earlier=self.before)


NO_SHOE: Final = ShoeAccount()  # of a table that has not begun


def follow(shoe: ShoeAccount, seq: int, fact: AnyFact) -> ShoeAccount:
    """Returns the account after a fact that the table has followed."""
    match fact:
        case CardOut() | CardsOut() | CardRead():
            new = tuple(Out(card, seq, n) for n, card in _new(shoe, fact))
            return replace(shoe, cards=(shoe.cards + new)[-MOST:]) if new else shoe
        case ShoeEmpty():
            return replace(shoe, empty=True)
        case Shuffled(count, verified):
            return _counted(shoe, Count(seq, count, verified=verified))
        case Key("count", (text,)) if text.isdecimal():
            return _counted(shoe, Count(seq, int(text), machine=False))
        case Turned(cards=turned):
            return _turned(shoe, frozenset(turned))
    return shoe


def _new(shoe: ShoeAccount, fact: CardOut | CardsOut | CardRead) -> Iterator[tuple[int, str]]:
    """Yields the cards of a fact that left the shoe with it; a reader may tell of one that lay elsewhere before."""
    match fact:
        case CardOut(card):
            drawn: tuple[str, ...] = (card,)
        case CardsOut(cards):
            drawn = cards
        case CardRead(card=card, together=together):
            drawn = together or (card,)
    known = {each.card for each in shoe.cards} if isinstance(fact, CardRead) else ()
    for n, card in enumerate(drawn, 1):
        read = card if is_card(card) else UNREAD
        if read not in known:
            yield n, read


def _counted(shoe: ShoeAccount, count: Count) -> ShoeAccount:
    return replace(shoe, counts=(*shoe.counts, count)[-MOST_COUNTS:])


def _turned(shoe: ShoeAccount, turned: frozenset[tuple[int, int]]) -> ShoeAccount:
    """Returns the account with what a round that is over has made public."""
    cards = tuple(
        replace(each, public=True) if (each.seq, 0) in turned or (each.seq, each.nth) in turned else each
        for each in shoe.cards
    )
    return replace(shoe, cards=cards) if cards != shoe.cards else shoe
