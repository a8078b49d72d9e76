"""The power of a device is cut in the middle of each write to its flash: no event is lost, and none comes twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.messages import BadgeRead, DoorChanged, Event, PinEntered
from hw_sim import loop
from tests.conform.rig import KEY
from tests.reference.conftest import PARTS, cuts
from tests.reference.recorder import Recorder
from tests.reference.stepped import Mortal

DOORS, BADGES = 100, 6


async def doors(device: Mortal) -> list[Event]:
    """Opens and shuts a door; returns what is to be reported."""
    for number in range(DOORS):
        device.stays = f"door {('open', 'shut')[number % 2]}"
        device.hand(device.stays)
        await asyncio.sleep(0.1)
    return [DoorChanged(number % 2 == 0) for number in range(DOORS)]


async def badges(device: Mortal) -> list[Event]:
    """Shows badges and enters PINs."""
    expected: list[Event] = []
    for number in range(BADGES):
        expected += [BadgeRead(f"0{number}"), PinEntered(pin(number))]
        device.hand(f"badge 0{number}")
        await asyncio.sleep(0.1)
        device.hand(f"pin {pin(number)}")
        await asyncio.sleep(1)
    return expected


def pin(number: int) -> str:
    return f"25{number}80{number}"


SCENES = {"lamps": doors, "console": badges}


class Run:
    """A scene that was played with one cut, in the middle of this write; without, if it is 0."""

    def __init__(self, command: list[str], folder: Path, family: str, cut: int) -> None:
        device = Mortal(command, family, folder, serial=str(cut), key=KEY.hex())
        device.start("--cut", str(cut))
        recorder = Recorder(device, KEY)

        async def story() -> list[Event]:
            async with device.running(), recorder.listening():
                expected = await SCENES[family](device)
                await asyncio.sleep(1)
                assert device.kept == 0
                return expected

        self.expected = loop.run(story())
        self.came = [event for _, event in recorder.events]
        self.writes = int(device.hand("tell", "device").split()[-1])
        self.died = device.died
        device.put_away()
        assert len(recorder.epochs) == 1, "a memory was lost"
        assert [counter for counter, _ in recorder.events] == list(range(1, len(recorder.events) + 1))
        flash = device.flash.read_bytes()
        assert not [number for number in range(BADGES) if pin(number).encode() in flash]
        device.flash.unlink()


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("family", SCENES)
def test_whatever_write_it_is(small: list[str], family: str, part: int, tmp_path: Path) -> None:
    whole = Run(small, tmp_path, family, 0)
    assert (whole.came, whole.died) == (whole.expected, 0)
    for cut in cuts(whole.writes, part):
        run = Run(small, tmp_path, family, cut)
        assert run.died == 1
        assert run.came in allowed(family, run.expected), f"cut in the middle of write {cut}"


def allowed(family: str, expected: list[Event]) -> list[list[Event]]:
    """Returns what may come: a door that is open is seen later, a badge that was not stored is shown once more."""
    if family == "lamps":
        return [expected]
    return [
        expected,
        *(expected[:n] + expected[n + 2 :] for n in range(0, len(expected), 2)),
        *(expected[:n] + expected[n + 1 :] for n in range(1, len(expected), 2)),
    ]
