"""Wire faults alone: what goes in, what comes out, the same for the same seed."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frame import Frame, FrameError, Kind
from firmware_bridge.framer import Framer
from hw_sim.errors import SimError
from hw_sim.faults import NOISE_BYTES, WIRE_FAULTS, FaultyWire, cut, duration
from hw_sim.loop import run
from hw_sim.wire import Deliver

PINGS = [Frame(Kind.PING, number).to_wire() for number in range(1, 7)]


class Both:
    """A wire without length: what came out at its two ends."""

    def __init__(self, seed: str = "") -> None:
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.plugged = False
        self.address = ""
        self.reboots = 0
        self.from_controller: Deliver
        self.faults = FaultyWire(self, self.reboot, seed=seed)
        self.faults.attach(self.down.append)
        self.faults.start()

    def attach(self, received: Deliver) -> None:
        self.from_controller = received

    def send(self, data: bytes) -> None:
        self.up.append(data)

    def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False

    def reboot(self) -> None:
        self.reboots += 1

    def exchange(self) -> None:
        """Each frame once in each direction, in turn."""
        for ping in PINGS:
            self.faults.send(ping)
            self.from_controller(ping)


def story(told: Callable[[Both], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def test() -> None:
        async def main() -> None:
            on = Both()
            await told(on)
            on.faults.stop()

        run(main())

    return test


@story
async def test_without_a_fault_nothing_is_touched(on: Both) -> None:
    on.exchange()
    assert on.up == on.down == PINGS
    assert on.faults.active == []


@story
async def test_split_gives_single_bytes_both_ways(on: Both) -> None:
    on.faults.inject("split")
    on.exchange()
    assert b"".join(on.up) == b"".join(on.down) == b"".join(PINGS)
    assert {len(chunk) for chunk in on.up + on.down} == {1}


@story
async def test_the_next_frames_vanish_whichever_way_they_go(on: Both) -> None:
    on.faults.inject("drop", "3")
    assert on.faults.active == ["drop"]
    on.exchange()
    assert on.up == PINGS[2:]
    assert on.down == PINGS[1:]
    assert on.faults.active == []


@story
async def test_a_frame_in_pieces_is_still_one_frame(on: Both) -> None:
    on.faults.inject("drop", 2)
    stream = b"".join(PINGS[:4])
    for index in range(len(stream)):
        on.from_controller(stream[index : index + 1])
    assert b"".join(on.down) == b"".join(PINGS[2:4])


@story
async def test_half_a_frame_is_passed_on_when_the_fault_ends(on: Both) -> None:
    on.faults.inject("drop")
    on.from_controller(PINGS[0][:5])
    on.faults.clear()
    on.from_controller(PINGS[0][5:])
    await asyncio.sleep(0)
    assert b"".join(on.down) == PINGS[0]


@story
async def test_a_corrupted_frame_differs_in_one_bit(on: Both) -> None:
    on.faults.inject("corrupt", 4)
    on.exchange()
    changed = 0
    for sent, came in zip(PINGS + PINGS, on.up + on.down, strict=True):
        bits = sum((a ^ b).bit_count() for a, b in zip(sent, came, strict=True))
        assert bits <= 1
        changed += bits
        if bits:
            assert all(isinstance(found, FrameError) for found in Framer().feed(came))
    assert changed == 4


@story
async def test_duplicates_follow_each_other(on: Both) -> None:
    on.faults.inject("duplicate", 2)
    on.exchange()
    assert on.up == [PINGS[0], *PINGS]
    assert on.down == [PINGS[0], *PINGS]


@story
async def test_a_frame_is_overtaken_by_the_next_of_its_way(on: Both) -> None:
    on.faults.inject("reorder", 2)
    on.exchange()
    assert on.up == on.down == [PINGS[1], PINGS[0], *PINGS[2:]]
    assert on.faults.active == []


@story
async def test_a_frame_waits_to_be_overtaken_until_the_fault_ends(on: Both) -> None:
    on.faults.inject("reorder")
    on.faults.send(PINGS[0])
    assert (on.up, on.faults.active) == ([], ["reorder"])
    on.faults.clear()
    await asyncio.sleep(0)
    assert (on.up, on.faults.active) == ([PINGS[0]], [])


@story
async def test_what_waits_to_be_overtaken_is_lost_with_the_cable(on: Both) -> None:
    on.faults.inject("reorder")
    on.faults.send(PINGS[0])
    on.faults.inject("unplug")
    on.faults.clear()
    on.faults.send(PINGS[1])
    assert on.up == [PINGS[1]]


@story
async def test_a_lost_frame_overtakes_nothing(on: Both) -> None:
    on.faults.inject("reorder")
    on.faults.send(PINGS[0])
    on.faults.inject("drop")
    on.faults.send(PINGS[1])
    on.faults.send(PINGS[2])
    assert on.up == [PINGS[2], PINGS[0]]


@story
async def test_faults_that_count_act_together(on: Both) -> None:
    on.faults.inject("drop")
    on.faults.inject("duplicate")
    on.faults.inject("corrupt")
    for ping in PINGS:
        on.faults.send(ping)
    assert len(on.up) == 6
    assert on.up[0] == on.up[1] != PINGS[1]
    assert on.up[2:] == PINGS[2:]


@story
async def test_delayed_chunks_arrive_late_in_order_and_at_once_when_cleared(on: Both) -> None:
    on.faults.inject("delay", "500ms")
    on.faults.send(b"a")
    await asyncio.sleep(0.499)
    assert on.up == []
    on.faults.send(b"b")
    await asyncio.sleep(0.002)
    assert on.up == [b"a"]
    on.from_controller(b"x")
    on.faults.clear()
    on.faults.send(b"c")
    on.from_controller(b"y")
    await asyncio.sleep(0)
    assert on.up == [b"a", b"b", b"c"]
    assert on.down == [b"x", b"y"]


@story
async def test_babble_is_twenty_bytes_each_fifty_milliseconds(on: Both) -> None:
    on.faults.inject("babble")
    on.faults.inject("babble")
    await asyncio.sleep(0.99)
    assert [len(noise) for noise in on.up] == [NOISE_BYTES] * 21  # one more for the second injection
    on.faults.clear()
    await asyncio.sleep(1)
    assert len(on.up) == 21


@story
async def test_a_hung_device_neither_hears_nor_speaks(on: Both) -> None:
    on.faults.inject("delay", 0.1)
    on.from_controller(b"under way")
    on.faults.inject("hang")
    on.exchange()
    await asyncio.sleep(1)
    assert (on.up, on.down) == ([], [])
    on.faults.clear()
    on.exchange()
    assert on.up == on.down == PINGS


@story
async def test_unplugging_loses_what_is_under_way_and_clear_plugs_in(on: Both) -> None:
    on.faults.inject("delay", "1s")
    on.exchange()
    on.faults.inject("unplug")
    assert not on.plugged
    assert on.faults.active == ["delay", "unplug"]
    on.faults.clear()
    assert on.plugged
    await asyncio.sleep(2)
    assert (on.up, on.down) == ([], [])


@story
async def test_power_reboots_at_once_and_lasts_no_time(on: Both) -> None:
    on.faults.inject("power")
    assert on.reboots == 1
    assert on.faults.active == []
    on.exchange()
    assert on.up == PINGS


@story
async def test_a_device_that_is_away_is_not_plugged_in_by_clear(on: Both) -> None:
    on.faults.stop()
    on.faults.clear()
    assert not on.plugged


def test_the_same_seed_fails_the_same_way() -> None:
    async def told(seed: str) -> list[bytes]:
        on = Both(seed)
        on.faults.inject("corrupt", 12)
        on.faults.inject("babble")
        on.exchange()
        await asyncio.sleep(1)
        on.faults.stop()
        return on.up + on.down

    assert run(told("1")) == run(told("1")) != run(told("2"))


@pytest.mark.parametrize(
    "fault",
    [
        ("drop", "0"),
        ("drop", "x"),
        ("drop", None),
        ("drop", 1, 2),
        ("reorder", "0"),
        ("delay",),
        ("delay", "soon"),
        ("delay", "5"),
        ("delay", -1),
        ("delay", float("nan")),
        ("split", 1),
        ("hang", 1),
        ("explode",),
    ],
)
def test_no_such_wire_fault(fault: tuple[Any, ...]) -> None:
    on = Both()
    with pytest.raises(SimError) as error:
        on.faults.inject(*fault)
    assert on.faults.active == []
    if fault == ("explode",):
        assert all(name in str(error.value) for name in WIRE_FAULTS)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("500ms", 0.5), ("90s", 90), ("19m59s", 1199), ("1h", 3600), ("1h2m3s4ms", 3723.004), (0.25, 0.25), (2, 2)],
)
def test_durations(text: str | float, seconds: float) -> None:
    assert duration(text) == seconds


@given(st.binary(max_size=300), st.lists(st.integers(0, 300)))
def test_cutting_loses_no_byte_and_leaves_no_whole_frame_behind(data: bytes, marks: list[int]) -> None:
    pieces, rest = [], b""
    edges = sorted({0, len(data), *(mark for mark in marks if mark < len(data))})
    for start, end in itertools.pairwise(edges):
        frames, rest = cut(rest + data[start:end])
        pieces += frames
    assert b"".join(pieces) + rest == data
    assert b"\0" not in rest.lstrip(b"\0")
    assert all(piece.strip(b"\0") and piece.endswith(b"\0") for piece in pieces)


def test_a_stream_without_end_is_passed_on() -> None:
    assert cut(b"x" * 5000) == ([b"x" * 5000], b"")
