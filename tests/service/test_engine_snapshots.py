"""When the engine takes snapshots: whatever happened, a start repeats little."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import cycle, islice

import pytest

from controller.games import defaults
from controller.house.state import own
from controller.journal import InlineWriter, Journal
from controller.service import engine as engines
from controller.service.engine import SNAPSHOT_AT_LAST, Engine
from controller.table.facts import Amend, AnyFact, CardOut, Chips, DeviceLost, DeviceReady, Key, Spot, Started
from controller.table.state import encode

BEGIN = Started("casino-war", defaults("casino-war"))
FLAP = (DeviceLost("lamps", "link.silent", "no answer"), DeviceReady("lamps"))
DEALT = (Chips(1, (Spot("war", 1, 1000),)), Key("no-more-bets"), CardOut("Kh"))


async def opened(journal: Journal) -> Engine:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    await engine.start(BEGIN)
    return engine


async def tell(engine: Engine, facts: Iterable[AnyFact]) -> None:
    last = None
    for fact in facts:
        last = engine.submit(fact)
    if last is not None:
        await last


def again(journal: Journal) -> tuple[Engine, int]:
    """The same table after a restart, and how many facts that took."""
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    return engine, engine.recover()


@pytest.mark.parametrize("round_", [(), DEALT])
async def test_a_device_that_comes_and_goes_for_hours_makes_no_start_long(round_: tuple[AnyFact, ...]) -> None:
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    await tell(engine, round_)
    await tell(engine, islice(cycle(FLAP), 16_000))
    after, replayed = again(journal)
    assert replayed < SNAPSHOT_AT_LAST
    assert encode(after.table) == encode(engine.table)
    journal.close()


async def test_a_snapshot_in_mid_round_has_what_a_correction_needs() -> None:
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    await tell(engine, DEALT)
    await tell(engine, islice(cycle(FLAP), 2 * SNAPSHOT_AT_LAST))
    card = next(x.seq for x in engine.table.history if x.fact == CardOut("Kh"))
    after, replayed = again(journal)
    assert replayed < SNAPSHOT_AT_LAST < len(after.table.history)
    await tell(after, [Amend(card, CardOut("2h"), "S. Visor")])
    assert after.table.round is not None and [d.card for d in own(after.table.round).tape] == ["2h"]
    journal.close()


async def test_corrections_of_a_long_round_are_not_told_again_at_every_start() -> None:
    journal = Journal.open(None, table="T1")
    engine = await opened(journal)
    await tell(engine, DEALT)
    await tell(engine, islice(cycle(FLAP), SNAPSHOT_AT_LAST))
    card = next(x.seq for x in engine.table.history if x.fact == CardOut("Kh"))
    await tell(engine, [Amend(card, CardOut(c)) for c in ("2h", "3h", "4h")])
    await asyncio.sleep(0)
    after, replayed = again(journal)
    assert replayed <= 3  # the records that name the snapshots, and no correction
    assert encode(after.table) == encode(engine.table)
    journal.close()


async def test_a_long_start_is_long_once(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.open(None, table="T1")
    monkeypatch.setattr(engines, "SNAPSHOT_AT_LAST", 1 << 30)  # a version that took none
    engine = await opened(journal)
    await tell(engine, islice(cycle(FLAP), 3000))
    monkeypatch.undo()
    first, replayed = again(journal)
    assert replayed == 3001
    await first.start(BEGIN)
    await asyncio.sleep(0)
    second, replayed = again(journal)
    assert replayed == 1  # the record that names the snapshot
    assert encode(first.table) == encode(second.table) == encode(engine.table)
    journal.close()
