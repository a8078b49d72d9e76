"""Irregularities of which documents 001 and 003 say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from controller.house.layout import Layout
from controller.house.rulings import (
    Change,
    End,
    GiveBack,
    Lose,
    Racked,
    Ruling,
    ShoeVoid,
    Tell,
    Warn,
    only_tell,
)
from controller.house.state import Mark
from controller.table.documents import Cause
from controller.table.facts import Key
from controller.table.requests import Choice

HANDS: Final = "hands"  # the initial deal
FULL: Final = 52
ABOUT_CARDS: Final = ("exposed", "short", "excess", "stray", "taken", "viewed")


def too_soon(f: Layout, fact: Key) -> bool:
    """Tells whether this is a report about cards although none was dealt."""
    if f.own.tape:
        return False
    return fact.key in ABOUT_CARDS


def misdeal(rule: str, text: str, *more: Change, jackpot_stays: bool = False) -> Ruling:
    """Returns the ruling that the round is a misdeal: the wagers go back."""
    return Ruling(rule, text, "misdeal", (End("misdeal", rule, jackpot_stays=jackpot_stays), *more))


def invalidated(f: Layout, cause: Cause, refund: str) -> Ruling:
    """Rules that the outcome does not count, and all wagers go back (001 11.3, 003 14.3)."""
    back = End("void", refund, reverse=True)
    return Ruling(f.cites.invalid(cause), "the outcome is invalid", "void", (back,))


def taken(f: Layout, place: str, named: Sequence[str], rule: str, back: str) -> Ruling:
    """Rules on cards taken by mistake (001 9.9, 003 11.7): named or only ones come back; else the wagers."""
    if not any(f.live(place, spot) for spot in f.game.opening):
        return only_tell(rule, "nothing is at stake there", place=place)
    if named and sorted(named) == sorted(f.hands.get(place, [])):
        return Ruling(f"{rule}.1", "the cards go back to the player", changes=(Racked(place, back=True),))
    if _only_ones(f, place, named):
        return Ruling(f"{rule}.2", "the only cards there go back", changes=(Racked(place, back=True),))
    changes = (Racked(place), GiveBack(place, "returned", back))
    return Ruling(f"{rule}.2", "the cards stay in the rack, the wagers go back", changes=changes)


def _only_ones(f: Layout, place: str, named: Sequence[str]) -> bool:
    """Tells whether no other cards lie in the rack, so that these go back to whoever has not claimed others."""
    if named and f.game.document.policy.claims_bind:  # cards that were not there are nobody's
        return False
    others = [p for p in f.own.rack if p != place]
    return not others and not f.burns


def counted(f: Layout, n: int) -> Ruling:
    """Rules on a count of the cards (001 9.10, 003 11.9, or what asked for it)."""
    deck = f.table.deck
    if n == FULL:
        return Ruling(deck.unverified or f.cites.count, "all 52 cards are there")
    if not deck.after_misdeal:
        rule = deck.unverified or f.cites.count
        return _void(rule, n, replaced=rule)
    if f.own.tape:
        return _void(f.cites.count, n, replaced=f.cites.bad_after)
    rule = f.cites.bad_after  # this round has no part in it
    return Ruling(rule, f"{n} cards instead of 52", changes=(ShoeVoid(rule),))


def _void(rule: str, n: int, *, replaced: str) -> Ruling:
    """Returns the ruling that the round is void, and its cards are out of play by the rule on those."""
    changes = (End("void", rule), ShoeVoid(replaced))
    return Ruling(rule, f"{n} cards instead of 52: the round is void", "void", changes)


def unable(f: Layout, place: str, rule: str, forfeited: Sequence[str]) -> Ruling:
    """Rules on who cannot place a wager (001 9.11, 003 11.10): the hand is void, the next time wagers are forfeited."""
    deciding = [q.place for q in f.waiting if isinstance(q, Choice)]
    if place not in deciding:
        return only_tell(rule, "no wager is due there", place=place)
    if _warned(f, place):
        lost = (Lose(place, rule, tuple(forfeited)), GiveBack(place, "void", rule), Racked(place))
        return Ruling(rule, "the first wagers are forfeited", "forfeited", lost)
    text = "tell the player: the next time the first wagers are forfeited"
    void = (GiveBack(place, "void", rule), Racked(place), Warn(place), Tell("dealer", text, rule, place))
    return Ruling(rule, "the hand is void", changes=void)


def _warned(f: Layout, place: str) -> bool:
    """Tells whether whoever plays there could not place a wager before."""
    person = f.table.people.get(f.table.seats.get(place, ""))
    return person is not None and person.unable


def unfinished(f: Layout, mark: Mark) -> bool:
    """Tells whether the initial deal, read anew with this mark, needs more cards: nobody was told to decide yet."""
    pressed = f.own.looked or f.own.announced
    if pressed or f.own.choices:
        return False
    marks = f.own.marks if mark in f.own.marks else [*f.own.marks, mark]
    return not f.reread(replace(f.own, marks=marks)).complete(HANDS)
