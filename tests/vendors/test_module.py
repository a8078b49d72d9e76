"""The CiA 401 module: lamps, buttons and a door on a CAN bus that it shares with our own devices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from drivers.lamps import BLINKING, OFF, ON, LampsDriver
from drivers.vendors.cia401 import Cia401
from firmware_bridge import messages as m
from firmware_bridge.can import Wiring
from firmware_bridge.can_frame import CanFrame
from firmware_bridge.messages import FaultCleared, Lock
from firmware_bridge.transport import Receiver, Transport, TransportError
from firmware_bridge.vendors import cia401 as wire
from firmware_bridge.vendors.node import NodeTransport
from hw_sim import loop
from hw_sim.can import SimBus, SlcanAdapter, VirtualAdapter
from hw_sim.errors import SimError
from hw_sim.table import SimDevice
from hw_sim.vendors.cia401 import NO_SUCH_OBJECT, Cia401End, IoModule, NodeWire
from hw_sim.vendors.register import vendor_end
from hw_sim.wire import MemoryWire, Wire
from tests.vendors.bench import Bench, on_the_bench

ENTER_PREOPERATIONAL = 0x80  # what another master may say

NODE = 0x21
SETTINGS = Cia401(
    outputs={"bets": 0, "decide:1": 1, "shuffle": 9},
    inputs={"no-more-bets": 0, "fold 1": 1, "door": 10},
)


def a_module(place: Wire, end: Callable[..., Cia401End] = Cia401End) -> SimDevice:
    return SimDevice("lamps", IoModule(), place, make_end=partial(end, node=NODE, serial=77))


@asynccontextmanager
async def running(end: Callable[..., Cia401End] = Cia401End, *, plugged: bool = True) -> AsyncIterator[Bench]:
    """Without a bus: frames go straight to the module, and time may jump."""
    device, place = a_module(MemoryWire(), end), f"can://can0/{NODE:#x}"
    async with on_the_bench(device, LampsDriver({}), "cia401", SETTINGS, plugged=plugged, address=place) as bench:
        yield bench


def lit(bench: Bench) -> dict[str, int]:
    return dict(bench.device.model.view()["lamps"])


def test_lamps_buttons_and_the_door() -> None:
    async def main() -> None:
        async with running() as bench:
            identity = bench.supervisor.state.identity
            assert identity is not None
            assert (identity.model, identity.serial, identity.firmware) == ("cia401 1209:401", "77", "1.2")
            assert bench.readings == [m.DoorChanged(False)]
            bench.driver.show({"bets": ON, "shuffle": ON})
            await bench.until(lambda: lit(bench) == {"0": 1, "9": 1})
            bench.driver.show({"bets": OFF})
            await bench.until(lambda: lit(bench) == {"9": 1})
            bench.device.do("press", 0)
            bench.device.do("press", "1")
            bench.device.do("press", 5)  # nothing is connected there
            bench.device.do("close", 10)
            bench.device.do("open", 10)
            await bench.until(lambda: len(bench.readings) == 5)
            assert bench.readings[1:] == [
                m.KeyPressed("no-more-bets"),
                m.KeyPressed("fold", ("1",)),
                m.DoorChanged(True),
                m.DoorChanged(False),
            ]
            assert (await bench.driver.self_test()).ok
            assert not (await bench.driver.ask(Lock(True))).ok
        assert lit(bench) == {}  # safe when the controller stops

    loop.run(main())


def test_a_lamp_blinks_and_stops() -> None:
    async def main() -> None:
        async with running() as bench:
            bench.driver.show({"decide:1": BLINKING, "bets": ON})
            await bench.until(lambda: bench.driver.settled)
            for wanted in ({"0": 1}, {"0": 1, "1": 1}) * 3:
                await bench.until(lambda wanted=wanted: lit(bench) == wanted)  # type: ignore[misc]
            bench.driver.show({"decide:1": OFF})
            await bench.until(lambda: lit(bench) == {"0": 1} and bench.driver.settled)
            assert not bench.faults

    loop.run(main())


def test_an_emergency_is_a_fault_until_it_is_over() -> None:
    async def main() -> None:
        async with running() as bench:
            bench.device.fault("open-circuit", 9)
            await bench.until(lambda: bench.faults == ["lamps.emergency-2300"])
            assert not (await bench.driver.self_test()).ok
            bench.driver.show({"shuffle": ON})
            await bench.until(lambda: bench.faults == ["lamps.emergency-2300", "lamps.not-set"])
            bench.device.clear()
            await bench.until(lambda: "lamps.emergency-2300" in bench.cleared)

    loop.run(main())


def test_an_emergency_that_ended_while_nobody_listened_is_over() -> None:
    async def main() -> None:
        async with running() as bench:
            bench.device.fault("open-circuit", 9)
            await bench.until(lambda: bench.faults == ["lamps.emergency-2300"])
            bench.device.fault("unplug")
            await bench.lost()
            bench.device.model.clear()
            bench.device._end.report([FaultCleared("lamps.open-circuit")])
            bench.device.clear()
            await bench.until(lambda: bench.cleared == ["lamps.emergency-2300"])

    loop.run(main())


@pytest.mark.parametrize("fault", [("drop", 2), ("corrupt", 1), ("duplicate", 4)])
def test_a_bad_bus_costs_no_lamp(fault: tuple[Any, ...]) -> None:
    async def main() -> None:
        async with running() as bench:
            bench.device.fault(*fault)
            bench.driver.show({"bets": ON})
            await bench.until(lambda: lit(bench) == {"0": 1} and bench.driver.settled)
            assert not bench.faults

    loop.run(main())


def test_a_module_without_heartbeat_is_lost_and_found() -> None:
    async def main() -> None:
        async with running() as bench:
            bench.driver.show({"bets": ON})
            bench.device.fault("hang")
            await bench.lost()
            bench.device.clear()
            await bench.until(lambda: lit(bench) == {"0": 1} and bench.phases[-1] == "ready")
            assert bench.causes[0] == "link.silent"

    loop.run(main())


def test_a_module_that_was_switched_off_and_on_is_set_up_again() -> None:
    async def main() -> None:
        async with running() as bench:
            bench.driver.show({"bets": ON})
            await bench.until(lambda: bench.driver.settled)
            bench.device.fault("power")
            await bench.until(lambda: "device.restarted" in bench.causes)
            await bench.until(lambda: lit(bench) == {"0": 1})

    loop.run(main())


def test_a_module_that_another_master_stopped_is_set_up_again() -> None:
    async def main() -> None:
        async with running() as bench:
            await asyncio.sleep(1)
            bench.device._end.received(wire.pack(wire.nmt(ENTER_PREOPERATIONAL, 0)))
            await bench.until(lambda: bench.causes[:1] == ["device.restarted"])
            bench.driver.show({"bets": ON})
            await bench.until(lambda: lit(bench) == {"0": 1})

    loop.run(main())


def test_a_module_that_missed_its_start_is_started_again() -> None:
    class Late(Cia401End):
        starts = 0

        def received(self, data: bytes) -> None:
            if data[:2] == b"\0\0" and not self.starts:
                self.starts += 1
            else:
                super().received(data)

    async def main() -> None:
        async with running(Late) as bench:
            await bench.until(lambda: "start again" in bench.trace)
            bench.driver.show({"bets": ON})
            await bench.until(lambda: lit(bench) == {"0": 1})
            assert not bench.causes

    loop.run(main())


def test_another_kind_of_node_is_not_taken_for_a_module() -> None:
    class Drive(Cia401End):
        def _value(self, index: int, sub: int) -> tuple[int, int] | None:
            return (402, 4) if (index, sub) == wire.DEVICE_TYPE else None

    class Mute(Cia401End):
        def _value(self, index: int, sub: int) -> tuple[int, int] | None:
            return None

    class Pulseless(Cia401End):
        def _take_request(self, asked: wire.Object | wire.Aborted | None) -> None:
            if isinstance(asked, wire.Object) and asked.value is not None:
                self._send_frame(wire.Aborted(asked.index, asked.sub, NO_SUCH_OBJECT).answer(NODE))
            else:
                super()._take_request(asked)

    async def main() -> None:
        for kind, code in ((Drive, "device.profile"), (Mute, "device.object"), (Pulseless, "device.object")):
            async with running(kind, plugged=False) as bench:
                await bench.lost()
                assert bench.causes[0] == code

    loop.run(main())


def test_frames_that_mean_nothing_change_nothing() -> None:
    async def main() -> None:
        async with running() as bench:
            before = list(bench.readings)
            for frame in (
                CanFrame(wire.EMERGENCY + NODE, b"\1"),
                CanFrame(wire.SDO_ANSWER + NODE, b"\1"),
                CanFrame(wire.HEARTBEAT + NODE, b""),
                CanFrame(0x080 + NODE, b""),
            ):
                bench.device._faults.send(wire.pack(frame))
            bench.device._faults.send(b"\1")
            bench.driver.show({"bets": ON})
            await bench.until(lambda: lit(bench) == {"0": 1})
            assert bench.readings == before
            assert bench.supervisor.stats.errors["frame.noise"] == 1

    loop.run(main())


def test_settings() -> None:
    for wrong in ({"outputs": {"bets": 64}}, {"inputs": {"a": 1, "b": 1}}, {"heartbeat": 1}):
        with pytest.raises(ValueError, match=r"must be|stands twice"):
            Cia401(**wrong)
    with pytest.raises(SimError, match="not an input"):
        IoModule().press("x")
    with pytest.raises(SimError, match="spoken by a shoe"):
        vendor_end("angel-eye", "display")
    with pytest.raises(SimError, match="protocol"):
        vendor_end("bravo", "display")


@pytest.mark.parametrize("adapter", ["virtual", "slcan"])
async def test_on_a_bus_unplugged_and_plugged_in_again(adapter: str, tmp_path: Path) -> None:
    bus = SimBus(VirtualAdapter(f"vendors-{tmp_path.name}") if adapter == "virtual" else SlcanAdapter(tmp_path / "can"))
    bus.plug()
    device = a_module(NodeWire(bus, NODE))
    try:
        async with on_the_bench(device, LampsDriver({}), "cia401", SETTINGS) as bench:
            bench.driver.show({"bets": ON})
            await bench.until(lambda: lit(bench) == {"0": 1})
            device.do("press", 0)
            await bench.until(lambda: m.KeyPressed("no-more-bets") in bench.readings)
            device.fault("unplug")
            await bench.lost()
            device.clear()
            await bench.ready()
            bench.driver.show({"bets": OFF})
            await bench.until(lambda: lit(bench) == {})
            bus.unplug()
            await bench.lost()
            bus.plug()
            await bench.ready()
    finally:
        bus.unplug()


async def test_a_node_has_one_owner(tmp_path: Path) -> None:
    class Deaf:
        def received(self, data: bytes) -> None: ...

        def lost(self, why: TransportError) -> None: ...

    wiring = Wiring(f"owner-{tmp_path.name}", "virtual")
    first: Transport = NodeTransport(wiring, NODE)
    receiver: Receiver = Deaf()
    first.write(b"\0\0nobody")
    await first.open(receiver)
    with pytest.raises(TransportError, match="opened already"):
        await first.open(receiver)
    with pytest.raises(TransportError, match="belong to another"):
        await NodeTransport(wiring, NODE).open(receiver)
    await first.close()
    await first.close()
