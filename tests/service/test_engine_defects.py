"""A defect met by a running engine: refused or held, logged without cards, and a restart tells the same table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.games import defaults
from controller.house import dealing
from controller.house.games.casino_war import CasinoWar
from controller.house.keys import HANDLERS
from controller.journal import InlineWriter, Journal
from controller.service.engine import Engine, EventId
from controller.table import state
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import Badge, CardOut, Chips, Key, Spot, Started

BEGIN = Started("casino-war", defaults("casino-war"))


def breaks(*args: object, **options: object) -> None:
    raise ZeroDivisionError("Kh")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "journal.db", table="T1")
    yield journal
    journal.close()


async def opened(journal: Journal) -> tuple[Engine, list[AnyEffect]]:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    heard: list[AnyEffect] = []
    engine.listeners.append(lambda seq, fact, table, effects: heard.extend(effects))
    engine.recover()
    await engine.start(BEGIN)
    return engine, heard


async def test_a_wish_that_raises_is_refused_and_told_to_whoever_listens(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, heard = await opened(journal)
    monkeypatch.setitem(HANDLERS, "owner", breaks)
    before = state.encode(engine.table)
    await engine.submit(Key("owner", ("2", "1")))
    assert "table.defect" in next(e.why for e in heard if isinstance(e, Refused))
    table = state.decode(state.encode(engine.table))
    assert state.encode(table) == before and engine.defect is None
    assert "ZeroDivisionError" in engine.defects[0] and "Kh" not in engine.defects[0]
    await engine.submit(Key("seat", ("3",)))
    assert "3" in engine.table.seats


async def test_a_reading_that_raises_holds_the_round_also_after_a_restart(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _ = await opened(journal)
    acknowledged: list[int] = []
    with monkeypatch.context() as broken:
        broken.setattr(dealing, "card_out", breaks)
        await engine.submit(Chips(1, (Spot("war", 1, 1000),)))
        await engine.submit(Key("no-more-bets"))
        await engine.submit(CardOut("Kh"), EventId("shoe", 1, 1), lambda: acknowledged.append(1))
        assert acknowledged == [1], "it is on record, so the shoe may forget it"
        again, _ = await opened(journal)
        assert list(again.table.holds) == ["table.defect"]
        assert state.encode(again.table) == state.encode(engine.table)
        await again.submit(Badge("supervisor", "Anna"))
        await again.submit(Key("void"))
        assert again.table.round is not None and again.table.round.outcome == "void" and not again.table.holds
    mended, _ = await opened(journal)
    assert mended.table.open and mended.defect is None


async def test_a_table_whose_game_fails_opens_again_and_is_freed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _ = await opened(journal)
    await engine.submit(Chips(1, (Spot("war", 1, 1000),)))
    await engine.submit(Key("no-more-bets"))
    await engine.submit(CardOut("Kh"))
    monkeypatch.setattr(CasinoWar, "play", breaks)
    again, _ = await opened(journal)
    assert again.defect is None
    await again.submit(CardOut("5c"))
    assert again.table.holds
    await again.submit(Badge("supervisor"))
    await again.submit(Key("void"))  # refused when the replay did not even open the round
    await again.submit(Key("resume"))
    assert not again.table.holds
    await again.submit(Key("seat", ("4",)))
    assert "4" in again.table.seats


async def test_a_listener_that_fails_does_not_stop_the_table(journal: Journal) -> None:
    engine, heard = await opened(journal)
    engine.listeners.insert(0, breaks)
    await engine.submit(Key("seat", ("3",)))
    await engine.submit(Key("settle"))
    assert "3" in engine.table.seats and any(isinstance(e, Refused) for e in heard)


async def test_what_cannot_be_recorded_is_a_named_fault_and_the_sensor_is_not_lost(journal: Journal) -> None:
    engine, _ = await opened(journal)
    acknowledged: list[int] = []
    await engine.submit(Chips(2, (Spot("war", 1, 2**70),)), EventId("sensor.2", 1, 1), lambda: acknowledged.append(1))
    assert acknowledged == [1]
    assert engine.table.faults == {"sensor.2": {"device.unstorable": "Chips: OverflowError"}}
