"""A capture played back: a fresh controller meets the same readings in their order, the same faults, the same gaps."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.api.frames import frame_json
from controller.cli.capture import captured
from drivers.console import ConsoleDriver
from drivers.driver import Driver
from drivers.shoe import ShoeDriver
from drivers.supervisor import Backoff, DeviceState, Origin, Supervisor
from firmware_bridge import messages as m
from hw_sim import loop
from hw_sim.errors import SimError
from hw_sim.models.base import Model
from hw_sim.models.console import Console
from hw_sim.models.shoe import Shoe
from hw_sim.replay.capture import Replay, read
from hw_sim.table import SimDevice, SimTable
from hw_sim.wire import MemoryWire

WALL = 1_700_000_000.0  # what the wall's clock says when the loop's says 0


class Bench:
    """A device, its supervisor, and a journal; every frame is kept as `felt device NAME trace -f --save FILE` does."""

    def __init__(self, device: SimDevice, driver: Driver, key: bytes | None, acks_after: float) -> None:
        self.device = device
        self.driver: Any = driver
        self.readings: list[m.Event] = []
        self.story: list[str] = []  # what became of the link
        self.durable = (0, 0)
        self.supervisor = Supervisor(
            device.name,
            driver.family,
            device.transport,
            driver,
            expect_serial=None,
            resume=lambda: self.durable,
            on_reading=self._reading,
            on_state=self._state,
            backoff=Backoff(jitter=0.0),
            key=key,
        )
        self._acks_after = acks_after

    def _reading(self, origin: Origin, reading: m.Event) -> None:
        self.readings.append(reading)
        if origin.counter:
            self.durable = (origin.epoch, origin.counter)
            asyncio.get_running_loop().call_later(self._acks_after, self.supervisor.ack, origin.counter, origin.epoch)

    def _state(self, state: DeviceState) -> None:
        """How often it was tried to open a wire that is not there is no part of the story."""
        what = "ready" if state.phase == "ready" else state.latest.code if state.latest else ""
        if what and state.phase in ("ready", "lost") and self.story[-1:] != [what]:
            self.story.append(what)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    @cached_property
    def counters(self) -> dict[str, Any]:
        """At the end."""
        stats = self.supervisor.stats
        return {
            "errors": {code: count for code, count in stats.errors.items() if count},
            "duplicates": stats.duplicates,
            "skipped": stats.skipped,
            "retries": stats.retries,
        }


Deeds = Callable[[Bench], Awaitable[None]]


def play(
    model: Model,
    driver: Driver,
    deeds: Deeds,
    save: Path,
    replay: Replay | None = None,
    *,
    whole: bool = False,
    key: bytes | None = None,
    ready: bool = True,
    follow: bool = True,
    acks_after: float = 0.004,
) -> Bench:
    """The story of one device in jumping time, kept in a file."""

    async def main() -> Bench:
        device = SimDevice(model.family, model, MemoryWire(latency=0.001), seed=3, replay=replay, key=key)
        device.start()
        bench = Bench(device, driver, key, acks_after)
        bench.supervisor.start()
        with captured(save) as keep:
            seen = 0

            def look() -> None:
                nonlocal seen
                for number, entry in bench.supervisor.trace.after(seen):
                    seen = number
                    keep(frame_json(number, entry, WALL, whole=whole))

            async def following() -> None:
                while follow:
                    look()
                    await asyncio.sleep(1)

            task = asyncio.create_task(following())
            await bench.until(lambda: not ready or "ready" in bench.story)
            await deeds(bench)
            await bench.supervisor.stop()
            task.cancel()
            look()
        device.stop()
        return bench

    return loop.run(main())


async def the_end(bench: Bench) -> None:
    """Nothing is done but to wait until all is said."""
    while bench.device.pending:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)


async def asleep(bench: Bench) -> None:
    await asyncio.sleep(5)


async def troubles(bench: Bench) -> None:
    """One fault after the other, keys pressed in each, and prompts shown."""
    device = bench.device
    key = 0

    async def press(times: int = 2) -> None:
        nonlocal key
        for _ in range(times):
            key += 1
            device.do("press", "call", str(key))
            await asyncio.sleep(0.03)

    await press()
    for fault in (("corrupt", 2), ("drop", 3), ("duplicate", 3), ("reorder", 2), ("split",), ("delay", "40ms")):
        device.fault(*fault)
        await press(4)
        bench.driver.show_prompts([f"while {fault[0]}"])
        await asyncio.sleep(1)
        device.clear()
        await press()
        await asyncio.sleep(0.7)
    for trouble, lasts in (("babble", 0.3), ("hang", 1.6), ("unplug", 1.2), ("power", 0.1)):
        device.fault(trouble)
        await press()
        await asyncio.sleep(lasts)
        device.clear()
        await press()
        await bench.until(lambda: not device.pending and bench.supervisor.state.phase == "ready")
        await asyncio.sleep(0.5)


def test_a_session_with_every_fault_plays_the_same_again(tmp_path: Path) -> None:
    saved = tmp_path / "console.jsonl"
    first = play(Console(), ConsoleDriver(), troubles, saved)
    assert len(first.readings) > 30 and set(first.story) >= {"ready", "link.silent", "sim.unplugged"}
    assert first.counters["errors"] and first.counters["duplicates"] and first.counters["retries"]
    replay = read(saved)
    assert (replay.unread, replay.left_out) == (0, 0)
    again = play(Console(), ConsoleDriver(), the_end, tmp_path / "again.jsonl", replay)
    assert again.readings == first.readings
    assert again.story == first.story
    assert again.counters == first.counters


def at_random(seed: int) -> Deeds:
    """Any faults in any order, several at once, keys pressed all the while; at the end all is well for a moment."""
    chance = random.Random(seed)
    counted, plain = ("corrupt", "drop", "duplicate", "reorder"), ("split", "babble", "hang", "unplug", "power")

    def a_fault() -> tuple[Any, ...]:
        name = chance.choice((*counted, *plain, "delay"))
        if name in counted:
            return name, chance.randint(1, 5)
        return (name, f"{chance.randint(1, 150)}ms") if name == "delay" else (name,)

    async def deeds(bench: Bench) -> None:
        device, key = bench.device, 0
        for _ in range(chance.randint(5, 25)):
            what = chance.choice(("press", "press", "press", "fault", "clear"))
            if what == "fault":
                device.fault(*a_fault())
            elif what == "clear":
                device.clear()
            else:
                for _ in range(chance.randint(1, 6)):
                    key += 1
                    device.do("press", "call", str(key))
                    await asyncio.sleep(chance.choice((0.0, 0.1)) * chance.random())
            await asyncio.sleep(chance.random() * chance.choice((0.05, 0.3, 1.5)))
        device.clear()
        for _ in range(2):
            await bench.until(lambda: not device.pending and bench.supervisor.state.phase == "ready")
            await asyncio.sleep(2)

    return deeds


@pytest.mark.timeout(600)  # its time jumps; how long the machine takes for it says nothing
@settings(max_examples=20)
@given(st.integers(0, 1 << 30))
def test_whatever_happened_happens_again(seed: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        saved, again = Path(directory) / "saved", Path(directory) / "again"
        first = play(Console(), ConsoleDriver(), at_random(seed), saved)
        second = play(Console(), ConsoleDriver(), the_end, again, read(saved))
    assert second.readings == first.readings
    if "link.no-answer" in first.counters["errors"]:  # its last greeting and its deadline come at the same moment
        del first.counters["retries"], second.counters["retries"]
    assert second.counters == first.counters


# ---- cards


async def dealt(bench: Bench) -> None:
    """Cards on a bad wire; some of them come twice."""
    await asyncio.sleep(0.4)
    for fault, card in ((("corrupt", 1), "Kh"), (("drop", 2), "2c"), (("duplicate", 3), "??"), (("split",), "As")):
        bench.device.fault(*fault)
        bench.device.do("draw", card)
        bench.device.do("draw", "cut")
        await asyncio.sleep(0.5)
        bench.device.clear()
    await bench.until(lambda: not bench.device.pending)
    await asyncio.sleep(0.3)


def faces(bench: Bench) -> list[str | None]:
    return [reading.faces[0] for reading in bench.readings if isinstance(reading, m.CardDrawn)]


def others(bench: Bench) -> list[m.Event]:
    return [reading for reading in bench.readings if not isinstance(reading, m.CardDrawn)]


def test_a_capture_has_no_card_and_what_is_withheld_comes_out_unread(tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    first = play(Shoe(), ShoeDriver(), dealt, saved)
    assert faces(first) == ["Kh", "2c", None, "As"] and first.counters["duplicates"]
    text = saved.read_text()
    for card in ("Kh", "2c", "As"):
        assert f"a2{card.encode().hex()}" not in text  # as a text of two letters would stand in a frame
    replay = read(saved)
    assert (replay.unread, replay.left_out) == (3, 0)
    again = play(Shoe(), ShoeDriver(), the_end, tmp_path / "again.jsonl", replay)
    assert faces(again) == [None] * 4
    assert others(again) == others(first)
    assert (again.story, again.counters) == (first.story, first.counters)


def test_whoever_saw_the_cards_may_tell_them(tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    first = play(Shoe(), ShoeDriver(), dealt, saved)
    again = play(Shoe(), ShoeDriver(), the_end, tmp_path / "again.jsonl", read(saved, ["Kh", "2c", "As"]))
    assert (again.readings, again.counters) == (first.readings, first.counters)
    some = play(Shoe(), ShoeDriver(), the_end, tmp_path / "some.jsonl", read(saved, ["Kh", "??"]))
    assert faces(some) == ["Kh", None, None, None]


def test_a_simulated_tables_capture_may_be_whole(tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    first = play(Shoe(), ShoeDriver(), dealt, saved, whole=True)
    replay = read(saved)
    assert replay.unread == 0
    again = play(Shoe(), ShoeDriver(), the_end, tmp_path / "again.jsonl", replay)
    assert (again.readings, again.counters) == (first.readings, first.counters)


def test_what_was_sealed_plays_in_plain(tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    first = play(Shoe(), ShoeDriver(), dealt, saved, key=bytes(range(32)))
    assert first.supervisor.encrypted
    replay = read(saved, ["Kh", "2c", "As"])
    again = play(Shoe(), ShoeDriver(), the_end, tmp_path / "again.jsonl", replay)
    assert (again.readings, again.story) == (first.readings, first.story)
    strict = play(Shoe(), ShoeDriver(), asleep, tmp_path / "strict.jsonl", replay, key=bytes(range(32)), ready=False)
    assert strict.story == ["link.unsealed"]  # a controller that has a key believes no capture


# ---- what is not in it, and who behaves differently


async def long_ago(bench: Bench) -> None:
    bench.device.do("press", "call", "1")
    await asyncio.sleep(60)
    for number in range(2, 7):
        bench.device.do("press", "call", str(number))
        await asyncio.sleep(0.2)


def test_the_greeting_of_long_ago_says_whose_frames_these_are(tmp_path: Path) -> None:
    saved = tmp_path / "console.jsonl"
    first = play(Console(), ConsoleDriver(), long_ago, saved, follow=False)
    lines = saved.read_text().splitlines()
    assert '"skipped": ' in lines[2] and len(lines) == 258  # HELLO, IDENTITY, and what the ring has
    again = play(Console(), ConsoleDriver(), the_end, tmp_path / "again.jsonl", read(saved))
    assert again.readings == first.readings[1:]
    assert again.story == ["ready"]
    assert again.counters["skipped"] == 0


def test_a_hole_in_the_middle_is_told_as_one(tmp_path: Path) -> None:
    saved = tmp_path / "console.jsonl"
    first = play(Console(), ConsoleDriver(), long_ago, saved)
    lines = saved.read_text().splitlines()
    third = next(n for n, line in enumerate(lines) if '"in"' in line and f"{b'call'.hex()}91a133" in line)
    follower = {**json.loads(lines[third + 1]), "skipped": 1}
    saved.write_text("\n".join([*lines[:third], json.dumps(follower), *lines[third + 2 :]]) + "\n")
    again = play(Console(), ConsoleDriver(), the_end, tmp_path / "again.jsonl", read(saved))
    assert again.readings == [each for each in first.readings if each != m.KeyPressed("call", ("3",))]
    assert again.story == ["ready", "sim.unplugged", "ready"]
    assert again.counters["skipped"] == 1


async def hung(bench: Bench) -> None:
    bench.device.do("press", "call", "1")
    await asyncio.sleep(1)
    bench.device.fault("hang")
    await bench.until(lambda: bench.story[-1] == "link.silent")


async def pulled(bench: Bench) -> None:
    bench.device.do("press", "call", "1")
    await asyncio.sleep(1)
    bench.device.fault("unplug")
    await bench.until(lambda: bench.story[-1] == "sim.unplugged")


async def a_while(bench: Bench) -> None:
    await asyncio.sleep(10)


@pytest.mark.parametrize(
    ("deeds", "story"), [(hung, ["ready", "link.silent", "ready"]), (pulled, ["ready", "sim.unplugged"])]
)
def test_after_its_end_a_capture_leaves_a_device_that_answers_or_none(
    deeds: Deeds, story: list[str], tmp_path: Path
) -> None:
    saved = tmp_path / "console.jsonl"
    play(Console(), ConsoleDriver(), deeds, saved)
    again = play(Console(), ConsoleDriver(), a_while, tmp_path / "again.jsonl", read(saved))
    assert again.story == story and again.readings == [m.KeyPressed("call", ("1",))]


async def interrupted(bench: Bench) -> None:
    """The controller is restarted again and again, and its journal is slow."""
    while bench.device.pending:
        await asyncio.sleep(0.35)
        bench.supervisor.reconnect()
        await bench.until(lambda: bench.supervisor.state.phase == "ready")
    await asyncio.sleep(3)


def test_a_controller_that_behaves_differently_still_gets_every_event_once(tmp_path: Path) -> None:
    saved = tmp_path / "console.jsonl"
    first = play(Console(), ConsoleDriver(), troubles, saved)
    again = play(Console(), ConsoleDriver(), interrupted, tmp_path / "again.jsonl", read(saved), acks_after=0.3)
    assert again.readings == first.readings


async def worse(bench: Bench) -> None:
    """The wire of the replay has faults of its own."""
    for fault in (("drop", 2), ("corrupt", 2), ("unplug",), ("power",), ("drop", 1)) * 4:
        bench.device.fault(*fault)
        await asyncio.sleep(0.5)
        bench.device.clear()
    await the_end(bench)


def test_a_replay_keeps_what_nobody_acknowledged(tmp_path: Path) -> None:
    saved = tmp_path / "console.jsonl"
    first = play(Console(), ConsoleDriver(), troubles, saved)
    again = play(Console(), ConsoleDriver(), worse, tmp_path / "again.jsonl", read(saved))
    assert again.readings == first.readings


def test_nothing_else_happens_to_a_device_that_plays_a_capture(tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    play(Shoe(), ShoeDriver(), dealt, saved)
    device = SimDevice("shoe", Shoe(), MemoryWire(), replay=read(saved))
    with pytest.raises(SimError, match="plays a capture"):
        device.do("draw", "Kh")
    assert device.state()["replay"] == {
        "session": 0, "sessions": 1, "said": 0, "of": device.pending - 1, "unread": 3, "left_out": 0
    }  # fmt: skip
    with pytest.raises(SimError, match="the capture is of a shoe, not of a console"):
        SimDevice("console", Console(), MemoryWire(), replay=read(saved))
    with pytest.raises(SimError, match="no device 'shoo'"):
        SimTable(seats=1, replays={"shoo": read(saved)})
