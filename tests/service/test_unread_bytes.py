"""What a driver could not read of its device: a shoe's bytes may have been a card, so a round that runs is held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from controller.games import defaults
from controller.journal import InlineWriter, Journal
from controller.service.table import TableService
from controller.table import facts
from controller.table.facts import Badge, Chips, DeviceLost, Hold, Key, Spot, Started
from drivers.device_spec import DeviceSpec
from drivers.vendors.memory import Memory
from tests.vendors.test_misbehaving import AcmeLink, Wire

BEGIN = Started("casino-war", defaults("casino-war"))


class Stumbling(AcmeLink):
    def received(self, data: bytes) -> None:
        raise ZeroDivisionError("Kh")


class Table:
    """A table with one shoe, whose driver fails at everything that it reads."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.journal = Journal.open(None, table="T1")
        memory = Memory()
        shoe = DeviceSpec("shoe", lambda: self.wire, make_link=lambda way, owner: Stumbling(way, owner, memory, None))
        self.service = TableService(BEGIN, self.journal, InlineWriter(self.journal), {"shoe": shoe}, lambda: 1)
        self.engine = self.service.engine

    async def says(self) -> None:
        """Lets the shoe say something, and waits until it is greeted again."""
        assert self.wire.far is not None
        self.wire.far.received(b"C")
        shoe = self.service.fleet.devices["shoe"]
        deadline = asyncio.get_running_loop().time() + 5
        while shoe.state.phase == "ready":
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.001)
        assert await self.service.all_ready()
        while self.engine.pending:  # its return is on its way to the table
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.001)

    @property
    def held(self) -> list[tuple[str, str]]:
        return [(held.code, held.device) for held in self.engine.table.holds.values()]


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    made = Table()
    await made.service.start()
    assert await made.service.all_ready()
    yield made
    await made.service.stop()
    made.journal.close()


async def test_bytes_of_a_shoe_that_are_lost_in_a_round_hold_it_once(table: Table) -> None:
    await table.engine.submit(Chips(1, (Spot("war", 1, 1000),)))
    await table.engine.submit(Key("no-more-bets"))
    await table.says()
    assert table.held == [("device.unread", "shoe")]
    await table.says()
    assert table.held == [("device.unread", "shoe")]
    recorded = [facts.decode(record.payload) for record in table.journal.read(1, 99)]
    assert sum(isinstance(fact, DeviceLost) for fact in recorded) == 2
    assert sum(isinstance(fact, Hold) for fact in recorded) == 1, "its loss is told again, the hold is not"
    await table.engine.submit(Badge("supervisor", "Anna"))
    await table.engine.submit(Key("void"))
    assert not table.held and table.engine.table.round is not None and table.engine.table.round.outcome == "void"


async def test_between_rounds_the_loss_is_told_and_nothing_is_held(table: Table) -> None:
    await table.says()
    assert not table.held and not table.engine.table.faults
    assert any("device.unread" in bytes(record.payload).decode(errors="ignore") for record in table.journal.read(1, 99))
