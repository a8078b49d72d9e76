"""A bet sensor that reads tags in chips tells each bet once, whatever its reader misses, and never a guess."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.messages import BetChanged, Event, Fault, FaultCleared, Reply, Snapshot, Spot, UnknownChip
from hw_sim import loop
from tests.conform.rig import KEY
from tests.reference.conftest import Started
from tests.reference.recorder import Recorder
from tests.reference.stepped import Stepped
from tests.reference.test_conform import check, stepped
from tests.reference.test_update import Bench

MOST = 20  # tags on one spot: FELT_CHIPS
A_WHILE = 2.0  # seconds: longer than it takes until a chip counts, or counts as gone


@pytest.fixture
def sensor(checked: list[str], started: Started[Stepped], tmp_path: Path) -> Stepped:
    return started(Stepped(checked, "bet-sensor", tmp_path, serial="bet-sensor", tags="on", key=KEY.hex()))


def told_after(sensor: Stepped, *hands: str, pause: float = A_WHILE) -> list[Event]:
    """Returns what is told when a hand does this, with such a pause after each, and a while at the end."""
    recorder = Recorder(sensor, KEY)

    async def story() -> None:
        async with sensor.running(), recorder.listening():
            for line in hands:
                sensor.hand(line, "ready" if line == "restart" else "done")
                await asyncio.sleep(pause)
            await asyncio.sleep(A_WHILE)

    loop.run(story())
    return [event for _, event in recorder.events]


def bet(spot: str, *chips: tuple[int, int]) -> BetChanged:
    return BetChanged((Spot(spot, chips),))


def test_it_keeps_every_promise(sensor: Stepped) -> None:
    check(loop.run(stepped(sensor, KEY)))


def test_a_stack_is_told_once_and_as_a_whole(sensor: Stepped) -> None:
    hands = ("chips ante 2500x2 500x3 100x7", "chips ante 2500x2 500x3 100x8", "chips ante")
    assert told_after(sensor, *hands) == [
        bet("ante", (100, 7), (500, 3), (2500, 2)),
        bet("ante", (100, 8), (500, 3), (2500, 2)),
        bet("ante"),
    ]


def test_a_stack_that_somebody_builds_is_told_when_it_is_complete(sensor: Stepped) -> None:
    hands = ("slow 4", *(f"chips ante 100x{number}" for number in range(1, 9)))
    assert told_after(sensor, *hands, pause=0.1) == [bet("ante", (100, 8))]


def test_tags_that_are_missed_for_a_moment_change_nothing(sensor: Stepped) -> None:
    assert told_after(sensor, "misses 7", "chips ante 500x5", "chips tie 100x4") == [
        bet("ante", (500, 5)),
        bet("tie", (100, 4)),
    ]


def test_what_it_cannot_tell_it_does_not_guess(sensor: Stepped) -> None:
    hands = (
        *("chips ante 500x1 unknown", f"chips war 100x{MOST}", f"chips war 100x{MOST + 1}"),
        *("cover", "chips ante", "uncover"),
    )
    assert told_after(sensor, *hands) == [
        *(bet("ante", (500, 1)), UnknownChip("ante"), bet("war", (100, MOST)), UnknownChip("war")),
        *(Fault("sensor.dark", ""), FaultCleared("sensor.dark"), bet("ante")),
    ]


def test_what_lay_there_before_it_started_is_told_only_if_it_has_changed(sensor: Stepped) -> None:
    assert told_after(sensor, "chips ante 500x2", "restart", "chips ante 500x3") == [
        bet("ante", (500, 2)),
        bet("ante", (500, 3)),
    ]


def test_before_its_first_look_it_does_not_say_that_nothing_lies_there(
    checked: list[str], started: Started[Stepped], tmp_path: Path
) -> None:
    sensor = started(Stepped(checked, "bet-sensor", tmp_path, serial="bet-sensor", tags="on"))

    async def story() -> list[Reply]:
        bench = Bench(sensor)
        async with sensor.running():
            sensor.hand("chips ante 500x2")
            await asyncio.sleep(A_WHILE)
            sensor.hand("restart", "ready")
            await bench.greet()
            replies = [await bench.link.request(Snapshot())]
            await asyncio.sleep(A_WHILE)
            replies.append(await bench.link.request(Snapshot()))
            await bench.link.close()
            return replies

    early, later = loop.run(story())
    assert early == Reply(False, "not-yet")
    assert later.ok and Spot("ante", ((500, 2),)) in later.spots
