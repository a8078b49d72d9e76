"""Devices behind one hub, on one bus or at one server, lost in one moment: one sentence, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from controller.api.views import trouble
from controller.games import defaults
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.table import TableService
from controller.table.facts import Started
from controller.views.notices import notices
from drivers.device_spec import DeviceSpec
from hw_sim.loop import run
from hw_sim.table import SimTable

BEGIN = Started("casino-war", {**defaults("casino-war"), "seats": "3"})
NAMES = ("shoe", "console", "lamps", "sensor.1", "sensor.2", "sensor.3")
WIRES = {
    "hub 1-1": "usb://1209:f317/@1-1.{}",
    "USB bus 2": "usb://1209:f317/@2-{}",
    "can0": "can://can0/0x2{}",
    "the serial server 192.0.2.7": "socket://192.0.2.7:400{}",
}


@asynccontextmanager
async def service(
    sim: SimTable, journal: Journal, address: str, unpaired: tuple[str, ...] = ()
) -> AsyncIterator[TableService]:
    specs = {
        name: DeviceSpec(
            device.family,
            device.transport,
            address=address.format(n),
            area=n - 3 if n > 3 else 0,
            encrypted=name in unpaired,
        )
        for n, name in enumerate(NAMES, 1)
        for device in (sim.device(name),)
    }
    table = TableService(BEGIN, journal, InlineWriter(journal), specs, lambda: round(loop_time() * 1e6))
    await table.start()
    try:
        yield table
    finally:
        await table.stop()


def loop_time() -> float:
    return asyncio.get_running_loop().time()


async def until(holds: Callable[[], bool], within: float = 10.0) -> None:
    end = loop_time() + within
    while not holds():
        assert loop_time() < end, "this never came about"
        await asyncio.sleep(0.01)


def told(table: TableService) -> list[str]:
    open_now = notices(table.engine.table, table.engine.game, table.fleet.trunks)
    return [notice.text for notice in open_now if not notice.due]


@pytest.mark.parametrize("fault", ["unplug", "hang"])
@pytest.mark.parametrize(("trunk", "address"), WIRES.items())
def test_six_devices_are_one_sentence(trunk: str, address: str, fault: str) -> None:
    async def main() -> None:
        sim, journal = SimTable(seats=3), Journal.open(None, table="T1")
        sim.start()
        async with service(sim, journal, address) as table:
            assert await table.all_ready()
            assert told(table) == []
            for name in NAMES:
                sim.device(name).fault(fault)
            await until(lambda: len(table.engine.table.faults) == len(NAMES))
            (sentence,) = told(table)
            assert sentence.startswith(f"all devices of {trunk} are lost: power or cable (")
            for name in NAMES[:3]:
                sim.device(name).clear()
            await until(lambda: len(table.engine.table.faults) == len(NAMES) - 3)
            (sentence,) = told(table)
            assert sentence.startswith(f"several devices of {trunk} were lost in one moment: power or cable (")
        async with service(sim, journal, address) as table:
            assert len(told(table)) == 1
            for name in NAMES:
                sim.device(name).clear()
            await until(lambda: told(table) == [])
        sim.stop()
        journal.close()

    run(main())


@pytest.mark.parametrize("address", WIRES.values(), ids=WIRES)
def test_new_devices_that_answer_are_each_told_with_what_they_lack(address: str) -> None:
    """They are not used before they are paired, but nobody shall look for a cable."""
    new = NAMES[:3]

    async def main() -> None:
        sim, journal = SimTable(seats=3), Journal.open(None, table="T1")
        sim.start()
        async with service(sim, journal, address, new) as table:
            await until(lambda: len(table.engine.table.faults) == len(new))
            open_now = notices(table.engine.table, table.engine.game, table.fleet.trunks)
            assert [(notice.code, notice.devices) for notice in open_now] == [
                ("keys.unpaired", (name,)) for name in new
            ]
            assert {each["code"] for each in trouble(table)} == {"keys.unpaired", "people.missing"}
        sim.stop()
        journal.close()

    run(main())
