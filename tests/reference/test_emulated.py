"""The reference firmware on a Cortex-M, emulated: the suite, rounds in every trouble, an update."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Final

from firmware_bridge import flash
from firmware_bridge.address import open_transport, parse
from firmware_bridge.link import Timing
from firmware_bridge.messages import DoorChanged
from tests.conform.rig import broken
from tests.forking import run
from tests.reference.conftest import LONG, Started, long
from tests.reference.emulated import CabledEmulated, Emulated
from tests.reference.process import PATIENCE
from tests.reference.recorder import Recorder
from tests.reference.test_conform import EACH, LINKS, check, options, tried
from tests.reference.test_daemon import FAMILIES, KEYS, play_in_trouble
from tests.reference.test_update import FIRMWARE, PUBLIC, Bench, image
from tests.system.bench import until

ROUNDS: Final = 12 if LONG else 2  # in two, every trouble comes once
FITTED: Final[dict[str, dict[str, str]]] = {"sensor.1": {"tags": "on"}, "console": {}, "lamps": {}}
TRIES: Final = 3  # of the suite: its deadlines are those of the protocol, and an emulator on a busy machine misses some
STACK: Final = 2048  # bytes, as firmware_bridge/reference/README.md says


def stack(device: Emulated) -> int:
    """Returns how many bytes of its stack it has used at most since its power came."""
    return int(device.hand("tell", "device").split()[-1])


@long
@LINKS
@EACH
def test_it_keeps_every_promise(
    board: list[str], started: Started[Emulated], family: str, key: bytes | None, tmp_path: Path
) -> None:
    device = started(Emulated(board, family, tmp_path, **options(family, key)))
    place = parse(device.address)
    for _ in range(TRIES):
        results = asyncio.run(tried(device, key, lambda: open_transport(place)))
        if not broken(results):
            break
    check(results)
    assert stack(device) <= STACK


@long
def test_felt_device_conform_finds_nothing(board: list[str], started: Started[Emulated], tmp_path: Path) -> None:
    device = started(Emulated(board, "bet-sensor", tmp_path, serial="sensor"))
    words = ("device", "conform", device.address, "--unattended", "--json")
    for _ in range(TRIES):
        ended = run("felt", *words, env=os.environ, timeout=4 * PATIENCE)
        if ended.returncode == 0:
            break
    assert ended.returncode == 0, ended.stdout + ended.stderr
    told = json.loads(ended.stdout)
    assert told["device"] == {"family": "bet-sensor", "model": "REF-1", "serial": "sensor", "firmware": "1.0.0"}
    assert (told["conforms"], told["broken"]) == (True, 0)
    assert told["kept"] > 30


def test_nothing_is_lost_and_nothing_comes_twice(
    board: list[str], started: Started[CabledEmulated], tmp_path: Path
) -> None:
    devices = {
        name: started(CabledEmulated(board, family, tmp_path, serial=name, key=KEYS[name].hex(), **FITTED[name]))
        for name, family in FAMILIES.items()
    }
    play_in_trouble(devices, tmp_path, ROUNDS)


def test_an_event_outlives_the_power(board: list[str], started: Started[Emulated], tmp_path: Path) -> None:
    device = started(Emulated(board, "lamps", tmp_path, serial="lamps"))
    device.hand("door open")
    device.wait(lambda lines: "stored 1 12" in lines)  # DoorChanged; nobody has greeted the device yet
    device.kill()
    device.start()  # with its door shut
    device.wait(lambda lines: "stored 2 12" in lines)
    recorder = Recorder(open_transport(parse(device.address)))

    async def story() -> None:
        async with recorder.listening():
            await until(lambda: len(recorder.events) > 1)

    asyncio.run(story())
    assert recorder.events[:2] == [(1, DoorChanged(True)), (2, DoorChanged(False))]
    assert len(recorder.epochs) == 1


def test_new_firmware_is_verified_and_survives_the_power(
    board: list[str], started: Started[Emulated], tmp_path: Path
) -> None:
    device = started(Emulated(board, "lamps", tmp_path, serial="lamps", image_key=PUBLIC))
    place = parse(device.address)

    async def version() -> str:
        """Returns what runs, by a new session."""
        bench = Bench(open_transport(place), Timing())
        try:
            return (await bench.greet()).firmware
        finally:
            await bench.link.close()

    async def update() -> None:
        bench = Bench(open_transport(place), Timing())
        await bench.greet()
        assert await bench.flash(image()) == ""
        await flash.switch(bench.link)
        assert (await bench.greet()).firmware == "1.1.0"
        await flash.confirm(bench.link)
        await bench.link.close()

    asyncio.run(update())
    assert stack(device) <= STACK
    device.kill()
    device.start()
    assert asyncio.run(version()) == "1.1.0"
    assert FIRMWARE in device.flash.read_bytes()
