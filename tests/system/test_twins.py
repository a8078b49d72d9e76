"""Two devices with one serial number, or at one address: never a random choice, and each is named."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.api.wires import explained
from controller.errors import step_for
from drivers.device_spec import DeviceSpec
from drivers.supervisor import DeviceState
from hw_sim.can import CanWire
from hw_sim.models.bet_sensor import BetSensor
from hw_sim.table import SimDevice
from hw_sim.usb import UsbWire
from hw_sim.wire import Wire
from tests.firmware_bridge.listener import nothing_leaks
from tests.system.bench import JUMPING, KEYS, REAL, Bench, play, until

FIRST, SECOND = "sensor.1", "sensor.2"
SERIAL = f"SIM-{FIRST}"
WIRES = [*((wire, "plain") for wire in (*JUMPING, *REAL)), *((wire, "sealed") for wire in JUMPING)]


class AnySerial(Bench):
    """A table whose table.toml says nothing of serial numbers."""

    def _spec(self, device: SimDevice) -> DeviceSpec:
        return replace(super()._spec(device), serial=None)

    def twin(self, wire: Wire) -> SimDevice:
        """Another bet sensor that says it is the first; it has its own memory, and the second one's key."""
        key = KEYS[f"SIM-{SECOND}"] if self.encrypted else None
        self.sim.devices["twin"] = SimDevice(FIRST, BetSensor(), wire, seed=1, key=key)
        return self.sim.devices["twin"]

    def state(self, name: str) -> DeviceState:
        return self.service.fleet.devices[name].state

    async def greeted(self, name: str, times: int) -> None:
        """Wait until the daemon has tried so often to get the device."""
        stats = self.service.fleet.devices[name].stats
        goal = stats.frames_in + times
        await until(lambda: stats.frames_in >= goal)


@asynccontextmanager
async def table_of(wire: str, directory: Path, link: str = "plain") -> AsyncIterator[AnySerial]:
    with nothing_leaks():
        table = AnySerial(wire, directory, encrypted=link == "sealed")
        table.sim.start()
        await table.service.start()
        try:
            await table.rest()
            yield table
        finally:
            await table.service.stop()
            table.sim.stop()
            table.journal.close()


@pytest.mark.parametrize(("wire", "link"), WIRES, ids=str)
def test_who_comes_second_with_a_serial_number_is_not_served(wire: str, link: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with table_of(wire, tmp_path, link) as table:
            twin = table.twin(table.sim.cabling.wire(wire, "twin"))
            table.sim.device(SECOND).fault("unplug")
            table.at[SECOND] = "twin"
            twin.start()
            twin.do("bet", {"war": 700})
            await table.phase(SECOND, "wrong-device")
            told = table.state(SECOND)
            assert told.code == "device.same-serial" and SERIAL in told.cause and FIRST in told.cause
            assert step_for(told.code)
            assert table.state(FIRST).phase == "ready"

            table.do((FIRST, "bet", ({"war": 1000},)))
            await until(lambda: len(table.happened) == 1 and not table.sim.device(FIRST).pending)
            assert twin.pending == 1  # nobody has heard it

            table.sim.device(FIRST).fault("unplug")  # it does not take the first one's place
            await table.phase(FIRST, "lost")
            await table.greeted(SECOND, 2)
            assert table.state(SECOND).code == "device.same-serial"
            table.sim.device(FIRST).clear()
            await table.phase(FIRST, "ready")

            twin.stop()
            table.at[SECOND] = SECOND
            table.sim.device(SECOND).clear()
            await table.phase(SECOND, "ready")
            assert len(table.happened) == 1

    play(wire, story())


@pytest.mark.parametrize("wire", JUMPING)
def test_devices_that_change_places_are_served(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with table_of(wire, tmp_path) as table:
            for name in (FIRST, SECOND):
                table.sim.device(name).fault("unplug")
                await table.phase(name, "lost", "opening")
            table.at |= {FIRST: SECOND, SECOND: FIRST}
            for name in (FIRST, SECOND):
                table.sim.device(name).clear()
            await table.rest()
            serials = {name: identity.serial for name in (FIRST, SECOND) if (identity := table.state(name).identity)}
            assert serials == {FIRST: f"SIM-{SECOND}", SECOND: f"SIM-{FIRST}"}

    play(wire, story())


def test_two_usb_devices_with_one_name_are_both_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with table_of("usb", tmp_path) as table:
            twin = table.twin(UsbWire(table.sim.cabling.usb, SERIAL))
            twin.start()
            table.do((FIRST, "bet", ({"war": 1000},)))
            await table.rest()  # who was there goes on
            assert len(table.happened) == 1

            table.sim.device(FIRST).fault("unplug")
            twin.stop()
            await table.phase(FIRST, "lost", "opening")
            twin.start()
            table.sim.device(FIRST).clear()
            await until(lambda: (latest := table.state(FIRST).latest) is not None and latest.code == "usb.twice")
            latest = table.state(FIRST).latest
            assert latest is not None and latest.text.count("1-") >= 2
            assert "position" in explained(latest.code, latest.text)["next_step"]

            twin.stop()
            await table.rest()

    asyncio.run(story())


@pytest.mark.parametrize("wire", ["can", "slcan"])
def test_two_nodes_with_one_number_are_named_and_the_bus_goes_on(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with table_of(wire, tmp_path) as table:
            there = table.service.fleet.devices[FIRST]
            node = table.sim.device(FIRST).wire
            assert isinstance(node, CanWire)
            twin = SimDevice("twin", BetSensor(), node.bus.add(node.node))
            table.sim.devices["twin"] = twin
            twin.start()
            table.do((FIRST, "bet", ({"war": 1000},)))
            await table.rest()  # who was there goes on

            there.reconnect()
            await until(lambda: there.state.latest is not None and there.state.latest.code == "can.twice")
            assert there.state.latest is not None and f"{node.node:#x}" in there.state.latest.text
            table.do((SECOND, "bet", ({"war": 2000},)))  # another node of the bus
            await until(lambda: len(table.happened) == 2)

            twin.stop()
            await table.rest()

    asyncio.run(story())
