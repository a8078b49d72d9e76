"""What is remembered of a CAN bus: its states, its error counters, and when it was well again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.address import open_transport, parse
from firmware_bridge.can_health import BusHealth, bus_health
from firmware_bridge.can_ports import _counters
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.transport import TransportError
from hw_sim.can import SimBus
from hw_sim.table import SimTable


class Node:
    """A link to one device of a table on a bus; it is opened again when it is lost."""

    def __init__(self, sim: SimTable) -> None:
        self.losses: list[LinkError] = []
        transport = open_transport(parse(sim.device("lamps").address))
        self.link = HostLink(transport, on_event=lambda *_: None, on_lost=self.losses.append)

    async def again(self) -> None:
        await self.link.close()
        await self.link.open()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.fixture(params=["can", "slcan"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_trouble_is_counted_and_its_end_is_noted(kind: str, tmp_path: Path) -> None:
    sim = SimTable(seats=1, wire=kind, directory=tmp_path)
    sim.start()
    bus: SimBus = sim.cabling.buses[kind]
    node = Node(sim)
    try:
        await node.link.open()
        (health,) = bus_health()
        assert (health.state, health.since, health.recovered) == ("active", None, None)
        bus.fault("warning")
        await until(lambda: health.state == "warning")
        bus.clear()
        await until(lambda: health.state == "active")
        assert not node.losses and health.recovered is None  # a warning is no trouble yet
        for turn, fault in enumerate(("passive", "bus-off", "bus-off"), 1):
            bus.fault(fault)
            await until(lambda turn=turn: health.losses.total() == turn)  # type: ignore[misc]
            before = asyncio.get_running_loop().time()
            assert (health.state, health.since is None) == (fault, False)
            assert health.cause is not None and health.cause.code == f"can.{fault}"
            await node.link.close()
            assert health.state == fault  # it is closed, and still in trouble
            bus.clear()
            await node.again()
            assert [(each.state, each.since, each.cause) for each in bus_health()] == [("active", None, None)]
            assert health.recovered is not None and health.recovered >= before
        assert (health.times["warning"], health.times["bus-off"]) == (1, 2)
        assert health.times["passive"] >= 1  # an SLCAN adapter comes by there on its way to bus-off
        assert health.losses == {"can.passive": 1, "can.bus-off": 2}
        assert health.frames_in and health.frames_out
        assert bus_health() == [health]
    finally:
        await node.link.close()
        sim.stop()
    assert health.state == "closed"


async def test_error_counters_where_the_adapter_tells_them(kind: str, tmp_path: Path) -> None:
    sim = SimTable(seats=1, wire=kind, directory=tmp_path)
    sim.start()
    node = Node(sim)
    try:
        await node.link.open()
        (health,) = bus_health()
        sim.cabling.buses[kind].fault("warning")
        await until(lambda: health.state == "warning")
        expected = (96, 3) if kind == "can" else (None, None)
        assert (health.tx_errors, health.rx_errors) == expected
    finally:
        await node.link.close()
        sim.stop()


def test_counters_of_an_error_frame() -> None:
    assert _counters(0x204, bytes(6) + b"\x80\x05") == (128, 5)
    assert _counters(0x004, bytes(6) + b"\x60\0") == (96, 0)  # an older kernel
    assert _counters(0x008, bytes(6) + b"\x60\0") is None  # damage on the wire: these bytes mean something else
    assert _counters(0x204, b"\0\x30") is None


def test_an_adapter_that_is_not_there_is_lost_and_not_counted_again_and_again() -> None:
    health, gone = BusHealth("socketcan", "can0"), TransportError("can.missing", "no adapter")
    for now in (1.0, 2.0, 3.0):
        health.failed(gone, now)
        health.closed()
    assert (health.state, health.since, health.losses.total()) == ("lost", 1.0, 0)
    health.opened()
    assert (health.state, health.recovered) == ("lost", None)  # nobody was heard yet
    health.count_frames(1, 4.0)
    assert (health.state, health.since, health.recovered, health.cause) == ("active", None, 4.0, None)
    health.lost(TransportError("can.down", "down"), 5.0)
    assert (health.state, health.losses) == ("lost", {"can.down": 1})
