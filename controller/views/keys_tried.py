"""Every key as it stands now: whether the table would take it, from whom, at which places, and why not.

Which keys make sense is for `keys_now`.  A screen with room for reasons knows more: the table itself is asked, as a
step changes nothing that it is given.  Keys whose refusal would tell of cards that lie face down are never tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Final

import msgspec

from controller.games import step
from controller.places import order
from controller.rules import RANKS, Cited, Rank
from controller.table import facts, holds
from controller.table.declare import AREA, CODE, PLACE, SEAT, SPOT, Argument, Form, Key, WordKind, Words
from controller.table.effects import Refused
from controller.table.keys import keys_of
from controller.table.rules import Rules
from controller.table.state import Table, round_runs
from controller.views.keys_now import KeyNow, keys_now

NOT_NOW: Final = "nothing asks for it now"
_MOST: Final = 24  # ways to press one key; where there are more, it is left to whoever presses it
_OF_PLACES: Final = frozenset(kind.name for argument in (AREA, PLACE, SEAT) for kind in argument.kinds)


class KeyTried(msgspec.Struct, frozen=True):
    """How a key stands now."""

    key: str
    lit: bool  # it makes sense, and the table would take it in one of its ways at least
    due: bool  # the table waits for it, or somebody is asked for it
    role: Rank  # the lowest that may press it
    places: list[str] = []  # where the table would take it; nothing: it is not about a place, or that was not tried
    why: Cited = Cited("", "")  # it is not lit


def keys_tried(table: Table, rules: Rules) -> list[KeyTried]:
    """Returns every key of the table as it stands now, whoever is signed in, in the order of their declarations."""
    by_rank = {rank: {now.key: now for now in keys_now(table, rules, rank, at_keypad=False)} for rank in RANKS}
    places = _places(table, rules)
    out = []
    for key in keys_of(rules):
        rank = next((rank for rank in RANKS if key.name in by_rank[rank]), None)
        now = by_rank[rank][key.name] if rank is not None else None
        out.append(_tried(table, rules, key, now, _lowest(table, key, rank or RANKS[0]), places))
    return out


def _lowest(table: Table, key: Key, rank: Rank) -> Rank:
    """Returns the lowest role that may press a key; only one that may free a held table declares its round void."""
    return max(rank, holds.FREED_BY, key=RANKS.index) if table.holds and key.name == "void" else rank


def _tried(table: Table, rules: Rules, key: Key, now: KeyNow | None, rank: Rank, places: list[str]) -> KeyTried:
    due = now is not None and now.due
    if key.report or key.proves_cards or (key.anyone and key.plays) or not _can_be_listed(key):
        why = Cited("", "") if now is not None else Cited("", _senseless(table, rules, key))
        at = [words.split()[1] for words in now.presses] if now is not None and key.anyone else []
        return KeyTried(key.name, now is not None, due, rank, at, why)
    ways = list(islice(_ways(table, rules, key, places), _MOST))
    refusals = [(args, _refusal(table, key.name, args)) for args in ways]
    taken = [args for args, no in refusals if no is None]
    if now is not None and (taken or len(ways) == _MOST):
        at = list(dict.fromkeys(place for args in taken if (place := key.about(args))))
        return KeyTried(key.name, True, due, rank, at)
    no = next((no for _, no in refusals if no is not None), None)
    why = Cited("", NOT_NOW) if taken or no is None else Cited(no.rule, no.why)
    return KeyTried(key.name, False, due, rank, [], why)


def _senseless(table: Table, rules: Rules, key: Key) -> str:
    """Returns why a key that is not tried makes no sense."""
    return NOT_NOW if round_runs(table) or key.when == "any" else f"no {rules.called.round} is running"


def _refusal(table: Table, name: str, args: Words) -> Refused | None:
    """Returns why the table would refuse a key from anybody; None when it would take it."""
    pressed = facts.Key(name, args, person="nobody", role=RANKS[-1], place="page")
    _, effects = step(table, table.now, table.now, pressed)
    return next((effect for effect in effects if isinstance(effect, Refused)), None)


# ---- the ways to press a key


def _places(table: Table, rules: Rules) -> list[str]:
    """Returns the places that a key may be about: where somebody sits or something lies; every seat of players."""
    if not rules.required:
        return [str(n) for n in range(1, table.options.typed.seats + 1)]
    wagers = table.round.wagers if table.round is not None else {}
    return sorted({*table.seats, *(place for place, _ in wagers)}, key=order)


def _can_be_listed(key: Key) -> bool:
    """Tells whether all words can be listed that one form of a key needs."""
    return any(all(not one.many and all(map(_is_listed, one.kinds)) for one in _needed(form)) for form in key.forms)


def _needed(form: Form) -> Form:
    return tuple(argument for argument in form if not argument.optional)


def _is_listed(kind: WordKind) -> bool:
    return kind.fixed or kind.name in _OF_PLACES or kind in (*SPOT.kinds, *CODE.kinds)


def _ways(table: Table, rules: Rules, key: Key, places: list[str]) -> Iterator[Words]:
    """Yields the words with which a key can be pressed, as far as they can be listed."""
    for form in key.forms:
        words = [_listed(table, rules, argument, places) for argument in _needed(form)]
        shortest = list(product(*words))
        yield from shortest
        further = _listed(table, rules, form[-1], places) if form and form[-1].optional else []
        yield from ((*before, word) for before in shortest for word in further)


def _listed(table: Table, rules: Rules, argument: Argument, places: list[str]) -> list[str]:
    """Returns the words that may stand at one point, as far as they can be listed."""
    out: list[str] = []
    for kind in argument.kinds:
        if kind.fixed:
            out.append(kind.name)
        elif kind.name in _OF_PLACES:
            out += places
        elif kind in SPOT.kinds:
            out += rules.spots
        elif kind in CODE.kinds:
            out += sorted({held.code for held in table.holds.values()})
    return out
