"""The engine: what is on record acts, whoever waits for it; what could not be stored does not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from controller.errors import FeltError, step_for
from controller.games import defaults
from controller.journal import Duplicate, Entry, InlineWriter, Journal, JournalError, Record
from controller.poker.room.seats import room_of
from controller.service.engine import REPEATED, Engine, EventId
from controller.table.effects import Refused
from controller.table.facts import Badge, Chips, Key, Spot, Started, Tick

BEGIN = Started("casino-war", defaults("casino-war"))


async def opened(journal: Journal) -> Engine:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    await engine.start(BEGIN)
    return engine


async def test_a_fact_acts_although_whoever_waited_for_it_has_gone() -> None:
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    acknowledged: list[int] = []
    waiting = engine.submit(Key("seat", ("1",)), EventId("console", 1, 1), lambda: acknowledged.append(1))
    waiting.cancel()
    for _ in range(2):  # it acts, then it is acknowledged
        await asyncio.sleep(0)
    assert journal.head.seq == engine.seq == 2
    assert "1" in engine.table.seats
    assert acknowledged == [1] and engine.pending == 0
    journal.close()


async def test_a_repeated_event_acts_once_and_is_acknowledged_again() -> None:
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    acknowledged: list[int] = []
    origin = EventId("console", 1, 1)
    results = await asyncio.gather(
        *(engine.submit(Key("seat", ("1",)), origin, lambda: acknowledged.append(1)) for _ in range(2))
    )
    assert results[0].seq == 2 and results[1] == REPEATED
    assert engine.seq == 2 and acknowledged == [1, 1]
    journal.close()


async def test_who_submits_a_fact_gets_its_effects_and_no_others() -> None:
    """Also when facts of others are stored with it."""
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    seated, settled, ticked = await asyncio.gather(
        engine.submit(Key("seat", ("1",))), engine.submit(Key("settle")), engine.submit(Tick())
    )
    assert [seated.seq, settled.seq, ticked.seq] == [2, 3, 4]
    assert [type(effect) for effect in settled.effects] == [Refused]
    assert not any(isinstance(effect, Refused) for effect in (*seated.effects, *ticked.effects))
    journal.close()


async def test_what_could_not_be_stored_neither_acts_nor_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(batch: Sequence[Entry]) -> list[Record | Duplicate]:
        raise JournalError("journal.full", "no space")

    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    monkeypatch.setattr(journal, "append", full)
    acknowledged: list[int] = []
    waiting = engine.submit(Key("seat", ("1",)), EventId("console", 1, 1), lambda: acknowledged.append(1))
    engine.submit(Key("seat", ("2",)))  # nobody waits for this one: its failure is no stray error
    with pytest.raises(JournalError):
        await waiting
    assert not engine.table.seats and not acknowledged and engine.pending == 0
    journal.close()


async def test_another_configuration_waits_until_the_round_is_over_and_has_a_code_of_its_own() -> None:
    journal = Journal.open(None, table="T1")
    former, other = (Started("casino-war", defaults("casino-war") | {"min": least}) for least in ("5", "10"))
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    await engine.start(former)
    await engine.submit(Chips(1, (Spot("war", 1, 1000),)))
    again = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    again.recover()
    with pytest.raises(FeltError) as caught:
        await again.start(other)
    assert caught.value.code == "table.unfinished"
    assert "former options back" in caught.value.next_step and "former options back" in step_for(caught.value.code)
    journal.close()


async def test_another_configuration_forgets_no_stake_without_a_word() -> None:
    journal = Journal.open(None, table="T1")
    former, other = (Started("holdem", defaults("holdem") | {"act-time": time}) for time in ("30s", "60s"))
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    await engine.start(former)
    await engine.submit(Key("seat", ("1-2", "stack=500")))
    for _ in range(2):  # it is told once
        engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
        engine.recover()
        await engine.start(other)
        (held,) = engine.table.holds.values()
        assert held.code == "table.changed" and "seat 1 has 500, seat 2 has 500" in held.text
    await engine.submit(Key("seat", ("1-2", "stack=500")))
    await engine.submit(Badge("supervisor"))
    await engine.submit(Key("resume"))
    assert not engine.table.holds
    assert room_of(engine.table).stakes == {"1": 50_000, "2": 50_000}
    journal.close()


async def test_another_configuration_of_an_empty_poker_table_holds_nothing() -> None:
    journal = Journal.open(None, table="T1")
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    for time in ("30s", "1m"):
        await engine.start(Started("holdem", defaults("holdem") | {"act-time": time}))
        assert engine.table.options["act-time"] == time and not engine.table.holds
    journal.close()
