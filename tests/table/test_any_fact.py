"""Any fact at any moment: nothing raises, nothing is lost, whatever a broken device or program tells.

FELT_FUZZ sets how many times 300 facts each game gets, FELT_FUZZ_SEED where they begin.
"""

from __future__ import annotations

import os
from typing import get_args

import msgspec
import pytest

from controller.games import GAMES, find, restored, step
from controller.journal import InlineWriter, Journal
from controller.poker.words import Declared
from controller.service.engine import Engine, EventId
from controller.table import facts, state
from controller.table.effects import AnyEffect, Defective, Prompted
from controller.table.facts import AnyFact
from controller.table.keys import keys_of
from controller.table.lamps import EVERY_TABLE
from controller.table.state import Table
from controller.table.view import gate, lamps, meter_shown, shuffle_wanted, sign_text
from controller.views.cards import public_hands
from controller.views.fact_text import tell
from controller.views.words import phase, waiting
from tests.citing import unknown
from tests.searches import times
from tests.table.any_facts import Anybody

FACTS = times(300)
SEED = int(os.environ.get("FELT_FUZZ_SEED", "1"))
IN_A_ROW = 100  # facts at one table
SENSE = (0.3, 0.6, 0.8, 0.9)


def looked_at(table: Table) -> None:
    """Everything that people see of it."""
    game = find(table.game)
    for what in ("bets", "deal", "jackpot"):
        for place in ("", "1", "3.2", "12"):
            gate(table, game, what, place)
    assert lamps(table, game).keys() <= {lamp.name for lamp in (*EVERY_TABLE, *game.lights)}
    public_hands(table, game)
    sign_text(table, find(table.game))
    meter_shown(table)
    shuffle_wanted(table, game)
    waiting(table, game)
    phase(table, game)


def storable(fact: AnyFact) -> bool:
    try:
        facts.encode(fact)
    except OverflowError:
        return False
    return True


def followed(effects: list[AnyEffect]) -> bool:
    return not any(isinstance(effect, Defective) for effect in effects)


def offered(effects: list[AnyEffect]) -> set[str]:
    return {word for effect in effects if isinstance(effect, Prompted) for word in effect.prompt.offers}


def tellings(game: str) -> list[Anybody]:
    count = -(-FACTS // IN_A_ROW)
    return [Anybody(SEED * 1_000_003 + n * 101 + sum(map(ord, game)), SENSE[n % len(SENSE)]) for n in range(count)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_fact_is_followed_refused_or_named(game: str) -> None:
    known = {key.name for key in keys_of(find(game))} | set(get_args(Declared))
    for anybody in tellings(game):
        table, effects = step(Table(), 1, 0, anybody.start(game))
        assert followed(effects)
        for n in range(2, IN_A_ROW if table.game else 2):
            fact = anybody.fact(table)
            if not storable(fact):
                continue  # the engine names a fault instead
            at = n * anybody.rng.choice((1, 1_000_000, 60_000_000))
            before = state.encode(table)
            after, effects = step(table, n, at, fact)
            assert followed(effects), (game, SEED, n, fact, effects)
            assert not unknown(find(game).document.number, msgspec.to_builtins(effects)), (game, SEED, n, fact, effects)
            assert offered(effects) <= known  # nobody is offered a key that the table does not have
            assert state.encode(table) == before
            table = restored(state.encode(after)) if n % 25 == 0 else after
            looked_at(table)
            tell(fact)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_any_fact_is_recorded_and_a_restart_tells_the_same(game: str) -> None:
    anybody = tellings(game)[0]
    journal = Journal.open(None, table="T1")
    engine = Engine(journal, InlineWriter(journal), clock=lambda: journal.head.seq * 1_000_000)
    await engine.start(anybody.start(game))
    for _ in range(IN_A_ROW if engine.table.game else 0):
        fact = anybody.fact(engine.table)
        await engine.submit(fact, EventId("sensor.1", 1, engine.seq))
    assert not engine.defects and engine.defect is None
    again = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    again.recover()
    assert state.encode(again.table) == state.encode(engine.table)
    journal.close()
