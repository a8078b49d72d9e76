"""Detours of a script's run: at some moments something else happens than the script says, and then the script goes on.

Scripts lead tables where nothing chosen by chance ever comes.  What lies beside their ways is kept as a digest too.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from controller.games import step
from controller.table import state
from controller.table.facts import AnyFact, Badge, Key, Tick, TournamentTold
from controller.table.state import Table
from controller.views.fact_text import tell
from tests.rules.pictures import pictures
from tests.table.any_facts import Anybody
from tests.table.test_any_fact import storable
from tests.walks.asides import aside
from tests.walks.looks import Looks
from tests.walks.wanderer import Wanderer

DETOURS = 5  # of a run
FOLLOWED = 5  # facts of the script that come behind one
BUSY = 4  # times as often from a moment at which somebody is asked something
LEFT_OUT = "-"  # instead of a digest
ONE_OF = 1 if "FELT_DETOURS" in os.environ else 3  # runs is looked at beside its way
LATER = (1_000, 200_000, 3_000_000, 60_000_000, 1_300_000_000)  # microseconds


class Moment(NamedTuple):
    """A table after a fact, and the fact that came next."""

    table: Table
    following: tuple[AnyFact, ...]


def wanted(name: str) -> bool:
    """Tells whether a run is looked at beside its way, this time; always the same runs are."""
    return zlib.crc32(name.encode()) % ONE_OF == 0


def digest(runs: dict[str, list[tuple[AnyFact, Table]]], seed: int) -> str:
    """Returns the digest of all that comes of some detours from these runs, one for each table."""
    r, found = Random(seed), hashlib.sha256()
    moments = [moment for run in runs.values() for moment in _moments(run)]
    weights = [BUSY if moment.table.talk is not None or moment.table.live else 1 for moment in moments]
    for moment in r.choices(moments, weights, k=DETOURS) if moments else ():
        for shown in _detour(r, moment):
            _add(found, shown)
    return found.hexdigest()


def _moments(run: list[tuple[AnyFact, Table]]) -> Iterator[Moment]:
    facts = [fact for fact, _ in run]
    for n, (_, table) in enumerate(run):
        if table.game:
            yield Moment(table, tuple(facts[n + 1 : n + 1 + FOLLOWED]))


def _detour(r: Random, moment: Moment) -> Iterator[object]:
    """Yields what is told of each fact of a detour, and what is to be seen at its end."""
    table, seq = moment.table, 1_000_000
    at = table.now + table.ahead
    for fact in _otherwise(r, table, moment.following):
        if not storable(fact):
            continue
        seq, at = seq + 1, at + r.choice(LATER)
        table, effects = step(table, seq, at, fact)
        yield tell(fact), effects
    yield state.encode(table).hex()
    yield from pictures(table)
    yield from Looks(r.randrange(8)).at(table)
    if r.random() < 0.1:
        yield from Looks(r.randrange(8)).seldom(table)


def _otherwise(r: Random, table: Table, following: tuple[AnyFact, ...]) -> tuple[AnyFact, ...]:
    """Returns the facts that come instead of those that followed in the script."""
    anybody = Wanderer(r.randrange(2**32), 0.5)
    first, rest = following[:1], following[1:]
    way = r.randrange(10)
    match way:
        case 0:  # something is left out
            return rest
        case 1:  # in another order
            return (*rest[:1], *first, *rest[1:])
        case 2:  # twice
            return (*first, *first, *rest)
        case 3:  # by another role
            role = r.choice(("dealer", "supervisor", "area-manager", "casino-manager"))
            return (Badge(role), *following)
        case 4:  # the same key with other words
            return (*(_other_words(r, anybody, table, fact) for fact in first), *rest)
        case 5:  # time passes
            return (Tick(), *following)
        case 6:  # something beside the play
            return (aside(r, table), *following)
        case 7 | 8:  # a key that may or may not fit
            return (anybody.any_key(table), *following)
    return (anybody.fact(table), *following)


def _other_words(r: Random, anybody: Anybody, table: Table, fact: AnyFact) -> AnyFact:
    if isinstance(fact, Key):
        return replace(fact, args=anybody.key(fact.key, r.choice(("1", "2", "3", "")), table).args)
    return fact if isinstance(fact, TournamentTold) else anybody.any_card(table)


def _add(to: Any, shown: object) -> None:
    to.update(msgspec.json.encode(shown, order="sorted", enc_hook=str))
