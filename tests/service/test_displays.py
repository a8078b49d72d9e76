"""Meter displays on simulated wires: told at once, read back, and accused by name when they show something else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.api.advice import next_step
from controller.games import defaults
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.displays import DIFFERS, WITHIN
from controller.service.table import TableService
from controller.sim.floor import SimFloor
from controller.sim.people import PIN, badge_of
from controller.table import facts
from controller.table.facts import DeviceCleared, DeviceFault, DeviceLost, DeviceReady, MeterIs, Started
from controller.table.options import Chosen, demanded
from controller.views.meter_face import MeterStyle
from drivers.device_spec import DeviceSpec
from drivers.vendors.alpha import Alpha, AlphaLink
from firmware_bridge.link import LinkError
from hw_sim.loop import run
from hw_sim.table import SimDevice, SimTable
from tests.service.kept import ROYAL

SEED = 1_000_000_000
CENT = 100
BEGIN = Started("caribbean-stud", {**defaults("caribbean-stud"), "jackpot": "nsw", "seats": "1"})
ROLLS = MeterStyle(roll=600, hit=20_000, turn=4_000)


@pytest.fixture(autouse=True)
def no_defects(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """A look that ends by a mistake of ours is only logged: the display would never be looked at again."""
    yield
    assert "display.defect" not in capsys.readouterr().out


class Wall:
    """A table with its displays."""

    def __init__(self, service: TableService, sim: SimTable) -> None:
        self.service = service
        self.sim = sim
        self.pictures: list[tuple[float, str]] = []  # what people saw, whenever it was another one

    @property
    def display(self) -> SimDevice:
        return self.sim.device("display")

    @property
    def shown(self) -> str:
        return str(self.display.model.view()["shown"])

    @property
    def faults(self) -> dict[str, str]:
        return self.service.engine.table.faults.get("display", {})

    async def watch(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            if not self.pictures or self.pictures[-1][1] != self.shown:
                self.pictures.append((loop.time(), self.shown))
            await asyncio.sleep(0.005)

    async def meter(self, value: int) -> None:
        await self.service.engine.submit(MeterIs(value))

    async def until(self, holds: Callable[[], bool], within: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        while not holds():
            assert loop.time() < end, f"this never came about; {self.shown!r} {self.faults}"
            await asyncio.sleep(0.005)


@asynccontextmanager
async def a_wall(
    style: MeterStyle = ROLLS, protocol: str = "native", journal: Journal | None = None, **options: Any
) -> AsyncIterator[Wall]:
    vendor = protocol == "alpha"
    sim = SimTable(seats=1, protocols={"display": protocol} if vendor else {}, **options)
    made = journal or Journal.open(None, table="T1")
    link = AlphaLink.links(Alpha()) if vendor else None
    specs = {
        name: DeviceSpec("display", device.transport, make_link=link if name == "display" else None)
        for name, device in sim.devices.items()
        if device.family == "display"
    }
    service = TableService(BEGIN, made, InlineWriter(made), specs, lambda: 0, style)
    sim.start()
    await service.start()
    assert await service.all_ready()
    try:
        yield Wall(service, sim)
    finally:
        await service.stop()
        sim.stop()
        if journal is None:
            made.close()


def accusations(wall: Wall) -> list[DeviceFault]:
    """Every time that a display was said to differ, also when that was taken back."""
    every = (facts.decode(record.payload) for record in wall.service.engine._journal)
    return [fact for fact in every if isinstance(fact, DeviceFault) and fact.code == DIFFERS]


def dollars(value: int) -> str:
    return f"{value // 10_000}.{value % 10_000:04}"


def test_a_rise_rolls_and_stands_there_within_a_second() -> None:
    async def main() -> None:
        async with a_wall() as wall:
            await wall.watch(0.2)
            assert wall.pictures[-1][1] == dollars(SEED)
            await wall.meter(SEED + 5_000 * CENT)
            began = asyncio.get_running_loop().time()
            await wall.watch(WITHIN)
            assert wall.service.quiet
            amounts = [float(text) for _, text in wall.pictures]
            assert amounts == sorted(amounts)
            assert len(amounts) > 4  # it rolled
            assert wall.pictures[-1][1] == dollars(SEED + 5_000 * CENT)
            assert wall.pictures[-1][0] - began < WITHIN
            assert dict(wall.service.outputs.displays.took.classes())["1.0"] == 2  # at the start, and now
            before = wall.service.fleet.devices["display"].stats.frames_out
            await wall.watch(10)
            assert len(wall.pictures) == len(amounts)
            pings = 10 / 0.25
            assert (
                wall.service.fleet.devices["display"].stats.frames_out - before <= pings + 1
            )  # nothing moves: no frames
            assert not wall.faults

    run(main())


def test_a_fall_stands_there_at_once() -> None:
    async def main() -> None:
        async with a_wall() as wall:
            await wall.meter(SEED // 2)
            await wall.watch(0.1)
            assert {text for _, text in wall.pictures} <= {dollars(SEED), dollars(SEED // 2)}
            assert wall.shown == dollars(SEED // 2)

    run(main())


def test_a_vendors_sign_does_not_roll_and_is_in_time() -> None:
    async def main() -> None:
        async with a_wall(protocol="alpha") as wall:
            assert wall.shown == "$100,000.00"
            await wall.meter(SEED + 5_000 * CENT)
            await wall.watch(WITHIN)
            assert [text for _, text in wall.pictures][-2:] == ["$100,000.00", "$100,050.00"]
            assert len(wall.pictures) == 2
            assert not wall.faults

    run(main())


@pytest.mark.parametrize("protocol", ["native", "alpha"])
def test_the_meter_system_fails_and_comes_back(protocol: str) -> None:
    async def main() -> None:
        async with a_wall(protocol=protocol) as wall:
            await wall.service.engine.submit(DeviceLost("meter", "link.silent"))
            await wall.watch(10.5)
            words = [text for _, text in wall.pictures]
            assert words[-3:] == ["JACKPOT\nNOT IN PLAY", words[-2], "JACKPOT\nNOT IN PLAY"]
            assert "100" in words[-2]
            await wall.service.engine.submit(DeviceReady("meter"))
            await wall.watch(5)
            assert "100" in wall.shown
            assert not wall.faults

    run(main())


def test_a_stuck_display_is_accused_after_a_second_and_cleared_when_it_agrees() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            heard: list[Any] = []
            wall.service.engine.listeners.append(lambda seq, fact, table, effects: heard.append(fact))
            wall.display.fault("stuck")
            await wall.meter(SEED + CENT)
            await wall.watch(0.9)
            assert not wall.faults
            await wall.watch(0.5)
            assert wall.faults == {DIFFERS: "it should show $100,000.0100 and shows 100000.0000"}
            assert "once more" in next_step(DIFFERS)
            assert wall.service.engine.table.prompts[-1].rule == "11.2.1(i)"
            await wall.watch(60)
            assert [type(fact) for fact in heard] == [MeterIs, DeviceFault]  # once, however long it lasts
            await wall.meter(SEED + 2 * CENT)
            wall.display.clear()
            await wall.until(lambda: not wall.faults, 6)
            assert wall.shown == dollars(SEED + 2 * CENT)
            assert isinstance(heard[-1], DeviceCleared)

    run(main())


def test_values_that_change_all_the_time_do_not_hide_a_stuck_display() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            wall.display.fault("stuck")
            for n in range(1, 15):
                await wall.meter(SEED + n * CENT)
                await asyncio.sleep(0.1)
            assert DIFFERS in wall.faults

    run(main())


def test_nor_are_they_held_against_a_display_that_keeps_up() -> None:
    async def main() -> None:
        async with a_wall(ROLLS) as wall:
            wall.display.fault("delay", "80ms")
            for n in range(1, 60):
                await wall.meter(SEED + n * 700 * CENT)
                await asyncio.sleep(0.1)
            assert not wall.faults
            await wall.until(lambda: wall.shown == dollars(SEED + 59 * 700 * CENT), WITHIN)

    run(main())


def test_a_display_that_is_stuck_in_one_of_its_turns_is_accused_once() -> None:
    async def main() -> None:
        async with a_wall() as wall:
            heard: list[Any] = []
            await wall.service.engine.submit(DeviceLost("meter", "link.silent"))
            wall.service.engine.listeners.append(lambda seq, fact, table, effects: heard.append(fact))
            await wall.watch(1)
            wall.display.fault("stuck")
            await wall.watch(30)
            assert [type(fact) for fact in heard] == [DeviceFault]
            wall.display.clear()
            await wall.watch(10)
            assert [type(fact) for fact in heard] == [DeviceFault, DeviceCleared]

    run(main())


def test_a_display_that_goes_wrong_by_itself_is_found_and_told_again() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            await wall.watch(1)
            wall.display.model._panel = "8888"  # type: ignore[attr-defined]
            await wall.until(lambda: wall.shown == dollars(SEED), 20)
            assert not wall.faults  # it took it when it was told again

    run(main())


@pytest.mark.parametrize("begins", [0.5, 13.0, 14.9])  # seconds: a look is due after fifteen
def test_a_display_that_says_who_it_is_is_not_accused_and_not_interrupted(begins: float) -> None:
    async def main() -> None:
        async with a_wall() as wall:
            await asyncio.sleep(begins)
            driver = wall.service.fleet.devices["display"].driver
            identified = asyncio.ensure_future(driver.identify("display"))
            await wall.until(lambda: wall.shown == "display", 0.5)
            began = asyncio.get_running_loop().time()
            await wall.watch(2.9)
            assert wall.pictures == [(began, "display")]
            await identified
            await wall.until(lambda: wall.shown == dollars(SEED), 0.5)
            again = asyncio.ensure_future(driver.identify("display"))
            await wall.meter(SEED + CENT)  # what players see comes first
            await wall.until(lambda: wall.shown == dollars(SEED + CENT), 1.0)
            await again
            await asyncio.sleep(20)
            assert wall.shown == dollars(SEED + CENT) and not accusations(wall)

    run(main())


def test_a_look_that_began_before_a_display_greeted_accuses_nobody() -> None:
    """It asks a display that restarts, and the answer to that never comes."""

    async def main() -> None:
        async with a_wall() as wall:
            display = wall.service.outputs.displays._displays["display"]
            unanswered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
            asked = asyncio.Event()
            real = display._driver.read_back

            async def never() -> str | None:
                asked.set()
                return await unanswered

            display._driver.read_back = never  # type: ignore[method-assign]
            await asyncio.sleep(16)
            assert asked.is_set()
            display._driver.read_back = real  # type: ignore[method-assign]
            display.look_afresh()  # it greeted
            await asyncio.sleep(WITHIN + 0.5)
            unanswered.set_exception(LinkError("link.timeout", "no answer"))
            await asyncio.sleep(5)
            assert not accusations(wall)

    run(main())


def test_a_display_that_shows_what_it_was_never_told_is_accused() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            driver = wall.service.fleet.devices["display"].driver

            async def nonsense() -> str:
                return "88888.8888"

            driver.read_back = nonsense  # type: ignore[attr-defined]
            await wall.meter(SEED + CENT)
            await wall.until(lambda: DIFFERS in wall.faults, WITHIN + 1.0)

    run(main())


def test_a_dark_display_speaks_for_itself() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            wall.display.fault("dark")
            await wall.meter(SEED + CENT)
            await wall.watch(5)
            assert list(wall.faults) == ["display.dark"]
            wall.display.clear()
            await wall.watch(3)
            assert not wall.faults
            assert wall.shown == dollars(SEED + CENT)

    run(main())


@pytest.mark.parametrize("protocol", ["native", "alpha"])
@pytest.mark.parametrize("fault", ["unplug", "hang", "power"])
def test_lost_and_found_it_shows_the_newest(protocol: str, fault: str) -> None:
    async def main() -> None:
        async with a_wall(protocol=protocol) as wall:
            wall.display.fault(fault)
            await wall.meter(SEED + 300 * CENT)
            await wall.watch(3)
            wall.display.clear()
            await wall.until(lambda: not wall.faults and "100003" in wall.shown.replace(",", ""), 20)
            await wall.watch(3)
            assert DIFFERS not in wall.faults

    run(main())


def test_a_display_that_is_too_slow_to_answer_is_accused_not_forgotten() -> None:
    async def main() -> None:
        async with a_wall(MeterStyle()) as wall:
            wall.display.fault("delay", "700ms")
            await wall.meter(SEED + CENT)
            await wall.until(lambda: bool(wall.faults), 5)
            wall.display.clear()
            await wall.until(lambda: not wall.faults and wall.shown == dollars(SEED + CENT), 20)

    run(main())


def test_the_accusation_outlives_a_restart_and_is_taken_back_then(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db", table="T1")

    async def first() -> None:
        async with a_wall(MeterStyle(), journal=journal) as wall:
            wall.display.fault("stuck")
            await wall.meter(SEED + CENT)
            await wall.watch(2)
            assert DIFFERS in wall.faults

    async def second() -> None:
        async with a_wall(MeterStyle(), journal=journal, seed=1) as wall:
            assert DIFFERS in wall.faults
            await wall.until(lambda: not wall.faults, 2)

    run(first())
    run(second())
    journal.close()


def test_when_nothing_can_be_recorded_the_amount_does_not_stand_there_alone() -> None:
    async def main() -> None:
        async with a_wall() as wall:
            wall.service.storage.failed(JournalError("journal.full", "no space left", "Make room."))
            await wall.watch(0.5)
            assert wall.shown == "JACKPOT\nNOT IN PLAY"
            await wall.meter(SEED)
            await wall.watch(0.5)
            assert wall.shown == dollars(SEED)

    run(main())


def test_a_display_at_a_table_without_a_jackpot_says_so() -> None:
    async def main() -> None:
        async with a_wall() as wall:
            table = wall.service.engine.table
            table.options = Chosen(demanded(table.options.typed, {"jackpot": "none"}))
            wall.service.outputs.displays.follow(table, trouble=False)
            await wall.watch(0.5)
            assert wall.shown == "NO JACKPOT"
            assert str(wall.sim.device("sign").model.view()["shown"]).startswith("Caribbean Stud")

    run(main())


def test_a_royal_flush_from_the_cards_to_the_wall() -> None:
    async def main() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("T1", "caribbean-stud", {"jackpot": "nsw", "seats": "2"})

        async def do(device: str, verb: str, *args: Any) -> None:
            table.sim.device(device).do(verb, *args)
            await floor.rest()

        await do("sensor.1", "bet", {("ante", 1): 1000, ("jackpot", 1): 500})
        await do("console", "press", "no-more-bets")
        for card in ROYAL.split():
            await do("shoe", "draw", card)
        await do("sensor.1", "bet", {("bet", 1): 2000})
        await do("console", "press", "settle")
        wall = Wall(table.service, table.sim)
        await wall.watch(13)
        assert [text for _, text in wall.pictures] == [
            "AREA 1\nROYAL FLUSH",
            "WINS\n$100,003.00",
            "100000.0000",
            "AREA 1\nROYAL FLUSH",
        ]
        await do("console", "badge", badge_of("casino-manager"))
        await do("console", "pin", PIN)
        await do("console", "press", "invalidate", "fraud")
        await wall.watch(1)
        assert wall.shown == "100000.0000"  # nothing is announced that is not so
        assert not wall.faults
        await floor.close()

    run(main())
