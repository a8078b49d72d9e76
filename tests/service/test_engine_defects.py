"""A defect met by a running engine: refused or held, logged without cards, and a restart tells the same table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest

from controller.games import defaults
from controller.house import dealing
from controller.house.games.casino_war import CasinoWar
from controller.house.keys import HANDLERS
from controller.journal import Entry, InlineWriter, Journal
from controller.service.disclosure import disclosed
from controller.service.engine import Engine, EventId
from controller.table import facts, state
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import (
    AnyFact,
    Badge,
    CardOut,
    CardsOut,
    Chips,
    DeviceCleared,
    DeviceFault,
    Hold,
    Key,
    Spot,
    Started,
)

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


def _as_told(*facts: AnyFact) -> pytest.MarkDecorator:
    """Returns facts as a driver from outside may make them: of the right class, with fields of a wrong type."""
    return pytest.mark.parametrize("fact", facts, ids=repr)


WRONG_TYPES = (
    DeviceFault("sensor.2", "sensor.x", cast(str, 5)),
    DeviceFault("sensor.2", cast(str, 7), "x"),
    DeviceCleared("sensor.2", cast(str, 5)),
    Chips(2, (Spot("war", 1, cast(int, "10")),)),
    Key("seat", (cast(str, 3),)),
    Key(cast(str, ["seat"])),
    Badge(cast(str, None)),
)
WRONG_CARDS = (CardOut("Kh", cast(bool, "yes")), CardOut(cast(str, None)), CardsOut((cast(str, 1),)))


@_as_told(*WRONG_TYPES)
async def test_what_could_not_be_read_back_is_not_recorded_but_a_named_fault(journal: Journal, fact: AnyFact) -> None:
    engine, _ = await opened(journal)
    acknowledged: list[int] = []
    await engine.submit(fact, EventId("sensor.2", 1, 1), lambda: acknowledged.append(1))
    assert acknowledged == [1] and list(engine.table.faults["sensor.2"]) == ["device.unstorable"]
    again, _ = await opened(journal)
    assert state.encode(again.table) == state.encode(engine.table)


@_as_told(*WRONG_CARDS)
async def test_a_card_that_could_not_be_read_back_holds_the_table(journal: Journal, fact: AnyFact) -> None:
    engine, _ = await opened(journal)
    await engine.submit(Chips(1, (Spot("war", 1, 1000),)))
    await engine.submit(Key("no-more-bets"))
    await engine.submit(fact, EventId("shoe", 1, 1))
    assert [(held.code, held.device) for held in engine.table.holds.values()] == [("device.unstorable", "shoe")]
    again, _ = await opened(journal)
    assert state.encode(again.table) == state.encode(engine.table)


@_as_told(*WRONG_TYPES, *WRONG_CARDS)
async def test_a_record_that_an_older_version_should_not_have_written_is_a_hold(
    journal: Journal, fact: AnyFact
) -> None:
    engine, _ = await opened(journal)
    await engine.submit(Chips(1, (Spot("war", 1, 1000),)))
    journal.append([Entry(2, facts.encode(fact), "sensor.2", 1, 1)])
    again, _ = await opened(journal)
    assert [held.code for held in again.table.holds.values()] == ["journal.fact"] and again.defect is None
    shown = disclosed(journal, journal.read(1, 100), {})
    assert any(isinstance(each, Hold) and each.code == "journal.fact" for _, each in shown)
    await again.submit(Badge("supervisor", "Anna"))
    await again.submit(Key("resume"))
    await again.submit(Key("seat", ("3",)))
    assert not again.table.holds and "3" in again.table.seats
    last, _ = await opened(journal)
    assert state.encode(last.table) == state.encode(again.table)


async def test_a_kind_of_fact_that_nobody_knows_is_of_another_version(journal: Journal) -> None:
    await opened(journal)
    journal.append([Entry(2, b"\x81\xa4fact\xa7unheard")])
    with pytest.raises(msgspec.DecodeError):
        await opened(journal)
