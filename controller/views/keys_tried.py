"""Every key as it stands now: whether the table would take it, from whom, at which places, and why not.

The table itself is asked, without telling it: a key is lit if one sensible way to press it would be taken.  A report is
never refused; it is lit while it would say something.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.games import asking
from controller.rules import RANKS, Cited, Rank, at_least
from controller.table import facts
from controller.table.declare import Key, Words
from controller.table.keys import SIGN_OUT
from controller.table.rules import Rules
from controller.table.state import Table, round_runs
from controller.table.step import CardsForbid, Refusal
from controller.tournament.table_keys import keys_at
from controller.views.key_ways import Ways
from controller.views.keys import has_use, wagers_taken
from controller.views.keys_due import done_by_hand, keys_due

NOT_NOW: Final = "nothing asks for it now"
_HIGHEST: Final = RANKS[-1]


class KeyTried(msgspec.Struct, frozen=True):
    """How a key stands now."""

    key: str
    lit: bool  # the table would take it, in one way at least, from who has the power
    due: bool  # the table waits for it, or somebody is asked for it
    role: Rank  # the lowest that may press it
    alone: bool = False  # the table waits for it as it is, without the words that may come with it
    places: list[str] = []  # where the table would take it; nothing: it is not about a place
    why: Cited = Cited("", "")  # it is not lit


def keys_tried(table: Table, rules: Rules) -> list[KeyTried]:
    """Returns every key of the game as it stands now, whoever is signed in, in the order of their declarations."""
    return list(one_by_one(table, rules))


def one_by_one(table: Table, rules: Rules, where: bool = True) -> Iterator[KeyTried]:
    """Yields the same: each key takes a moment, and whoever has other things to do can do them in between.

    Without the places where it would be taken, unless `where`: that is quicker.
    """
    due, by_hand = keys_due(table, rules), done_by_hand(table, rules)
    trial = _Trial(table, rules, where)
    for key in shown_keys(table, rules, wagers_taken(table, rules)):
        is_due = key.name in due
        tried = _reported(table, rules, key, is_due) if key.report else trial.tried(key, is_due)
        yield replace(tried, alone=True) if key.name in by_hand else tried


def shown_keys(table: Table, rules: Rules, wagers: Container[str]) -> list[Key]:
    """Returns the keys that a screen shows: those that mean something at a table that takes these wagers.

    Signing out is done at the console alone.
    """
    return [key for key in keys_at(table, rules) if key is not SIGN_OUT and has_use(rules, key, wagers)]


def _reported(table: Table, rules: Rules, key: Key, due: bool) -> KeyTried:
    lit = due or key.between or round_runs(table)
    why = Cited("", "" if lit else f"no {rules.called.round} is running")
    return KeyTried(key.name, lit, due, _by_power(table, rules, key, ()), why=why)


class _Trial:
    """Tries keys on one table, in every sensible way.  `where`: whether it matters at which places they are taken."""

    def __init__(self, table: Table, rules: Rules, where: bool) -> None:
        self._table, self._rules, self._where = table, rules, where
        self._ways, self._asking = Ways(table, rules), asking(table)

    def tried(self, key: Key, due: bool) -> KeyTried:
        """Returns how a key stands."""
        places: list[str] = []
        taken: Words | None = None
        refused: Refusal | None = None
        for args in self._lowest_first(key):
            if taken is not None and not self._where:
                break
            place = key.about(args)
            if taken is not None and (not place or place in places):
                continue
            no = self._refusal(key.name, args, _HIGHEST)
            if no is not None:
                refused = refused or no
                continue
            taken = taken or args
            places += [place] if place else []
        if self._ways.free[:1] == places[-1:]:
            places += self._ways.free[1:]
        if taken is not None:
            return KeyTried(key.name, True, due, self._lowest(key, taken), places=places if self._where else [])
        why = Cited("", NOT_NOW) if refused is None else Cited(refused.rule, refused.why)
        role = _by_power(self._table, self._rules, key, next(self._ways.of(key), ()))
        return KeyTried(key.name, False, due, role, why=why)

    def _lowest_first(self, key: Key) -> list[Words]:
        """Returns the ways to press a key; where the words make a difference, first those that need the lowest role."""
        every = list(self._ways.of(key))
        if not key.powers_by_words:
            return every
        return sorted(every, key=lambda args: RANKS.index(_by_power(self._table, self._rules, key, args)))

    def _refusal(self, name: str, args: Words, role: Rank) -> Refusal | None:
        """Returns why the table would refuse a key; None when it would take it, or tell of cards by refusing it."""
        no = self._asking.refusal(facts.Key(name, args, person="nobody", role=role, place="page"))
        return None if isinstance(no, CardsForbid) else no

    def _lowest(self, key: Key, args: Words) -> Rank:
        """Returns the lowest role from which the table would take it so: it may want more than the power to press."""
        first = RANKS.index(_by_power(self._table, self._rules, key, args))
        able = (rank for rank in RANKS[first:] if self._refusal(key.name, args, rank) is None)
        return next(able, _HIGHEST)


def _by_power(table: Table, rules: Rules, key: Key, args: Words) -> Rank:
    """Returns the lowest role that has the power to press a key so."""
    if key.anyone or (key.powers_by_words and key.misfit(args)):
        return RANKS[0]
    powers = key.needs(rules.document.powers, table, args)
    return next(rank for rank in RANKS if all(at_least(rank, power.role) for power in powers))
