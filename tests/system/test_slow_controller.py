"""A slow controller is not a dead device: nobody is lost while our loop stands still, and a dead one is found after."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.control import ControlClient
from tests.cli.conftest import felt
from tests.daemon.house import House
from tests.firmware_bridge.listener import nothing_leaks
from tests.system.a_round import DEEDS
from tests.system.bench import JUMPING, QUICK, REAL, Bench, bench, play, until

STALL = 5 * QUICK.silent
FOUND = QUICK.silent + QUICK.ping_retry
BUSY = 1.0  # seconds that a busy machine may need besides
STOPPED = 2.0  # seconds; the watchdog of the unit comes after ten
ROOT = Path(__file__).parents[2]


def stand_still(seconds: float = STALL) -> None:
    """Nothing runs in this process's loop for a while; where time jumps, the clock goes on alone."""
    clock = getattr(asyncio.get_running_loop(), "_clock", None)
    if clock is None:
        time.sleep(seconds)
    else:
        clock.now += int(seconds * 1e9)


def phases(table: Bench) -> list[str]:
    """Every change of a device from now on."""
    seen: list[str] = []
    for device in table.service.fleet.devices.values():
        before = device._on_state

        def keep(state: Any, before: Any = before) -> None:
            seen.append(f"{state.device} {state.phase} {state.code}")
            before(state)

        device._on_state = keep
    return seen


@pytest.mark.parametrize("link", ["plain", "sealed"])
@pytest.mark.parametrize("wire", [*JUMPING, *REAL])
def test_nobody_is_lost_and_who_died_meanwhile_is_found(wire: str, link: str, tmp_path: Path) -> None:
    async def story() -> None:
        with nothing_leaks():
            async with bench(wire, tmp_path, encrypted=link == "sealed") as table:
                seen = phases(table)
                for _ in range(3):
                    stand_still()
                    await asyncio.sleep(0.03)
                await table.rest()
                assert not seen
                table.sim.device("shoe").fault("hang")
                stand_still()
                began = asyncio.get_running_loop().time()
                await table.phase("shoe", "lost", "opening")
                assert asyncio.get_running_loop().time() - began < FOUND + BUSY
                assert {line.partition(" ")[0] for line in seen} == {"shoe"}
                assert seen[0] == "shoe lost link.silent"
                table.sim.device("shoe").clear()
                await table.rest()

    play(wire, story())


@pytest.mark.parametrize("link", ["plain", "sealed"])
def test_lamps_that_went_out_meanwhile_are_lit_again(link: str, tmp_path: Path) -> None:
    """A device that hears nothing for two seconds takes its outputs to their safe state."""

    async def story() -> None:
        async with bench("memory", tmp_path, encrypted=link == "sealed") as table:
            table.do(DEEDS[0])
            await table.rest()
            lamps = table.sim.device("lamps")
            lit = lamps.state()["view"]
            stand_still(3.0)
            await asyncio.sleep(0.001)
            assert lamps.state()["view"] != lit
            await until(lambda: lamps.state()["view"] == lit)
            assert table.service.fleet.devices["lamps"].state.phase == "ready"

    play("memory", story())


# ---- a whole daemon, stopped from outside


@pytest.fixture
def devices(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Devices in a process of their own, which goes on meanwhile; their addresses by name."""
    command = [sys.executable, "-m", "hw_sim", "serve", "--directory", str(tmp_path / "sim"), "--seats", "2"]
    command += ["--wire", request.param, "--until-stdin-closes"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["addresses"]
        process.kill()


@pytest.mark.parametrize("devices", ["pty", "tcp", "slcan"], indirect=True)
def test_a_daemon_that_is_stopped_for_two_seconds_loses_none(tmp_path: Path, devices: dict[str, str]) -> None:
    house = House(tmp_path)
    text = house.config.read_text()
    for name, address in devices.items():
        text = text.replace(f'"sim://{name}"', f'"{address}"\nsealed = false')
    keys = f'[journal]\ncards-key = "{tmp_path}/cards.key"\nday-keys = "{tmp_path}/days/day-keys.json"\n'
    house.config.write_text(text + keys)
    made = felt("table", "init", str(house.config))
    assert made.returncode == 0, made.stderr
    try:
        house.start()
        before = len(house.log)
        assert house.process is not None
        house.process.send_signal(signal.SIGSTOP)
        with ControlClient(tmp_path / "sim" / "control.sock") as control:
            time.sleep(STOPPED / 2)
            control.do("sensor.1", "bet", {"war": 1000})  # what happens meanwhile is heard afterwards
            time.sleep(STOPPED / 2)
            house.process.send_signal(signal.SIGCONT)
            house.wait(lambda: house.status()["round"]["phase"] == "betting")
            assert not [line for line in house.log[before:] if line["event"] == "device.lost"]
            house.process.send_signal(signal.SIGSTOP)
            control.fault("sensor.2", "hang")
            time.sleep(STOPPED)
            house.process.send_signal(signal.SIGCONT)
            woke = time.monotonic()
            house.wait(lambda: any(line["event"] == "device.lost" for line in house.log))
            assert time.monotonic() - woke < 0.75 + 0.1 + BUSY
            assert {line["device"] for line in house.log[before:] if line["event"] == "device.lost"} == {"sensor.2"}
    finally:
        house.close()
