"""Rounds at a real daemon whose sensor, console and lamps have the reference firmware, with keys, on pseudo-terminals.

Either side is killed and every fault of a wire comes, in the middle of deeds: nothing is lost, and nothing comes twice.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path

import pytest

from controller.config.key_file import KeyFile
from controller.table.facts import CardOut, Chips, Key
from hw_sim.control import ControlClient
from hw_sim.faults import WIRE_FAULTS
from tests.reference.cable import Cabled
from tests.reference.conftest import LONG, Started
from tests.reference.process import PATIENCE
from tests.system.on_disk import cards_key
from tests.system.test_kill import Victim, answers, durable, process, settled, wait_until

FAMILIES = {"sensor.1": "bet-sensor", "console": "console", "lamps": "lamps"}
KEYS = {name: bytes([number]) * 32 for number, name in enumerate(FAMILIES, start=1)}
ROUND = [
    ("sensor.1", "chips war 1000x1"),
    ("console", "press no-more-bets"),
    ("shoe", "2h"),
    ("shoe", "Kd"),
    ("console", "press settle"),
    ("sensor.1", "chips war"),
]
LINES = {("1", "war"): ("lose", -1000, "5.7.2")}
KILLS = ("kill -9 device", "kill -9 daemon", "kill -9 both")
ARGUMENTS = {"delay": ("20ms",), "drop": (2,), "duplicate": (3,)}
LASTING = {"split": 0.2, "delay": 0.2, "babble": 0.3, "hang": 1.0, "unplug": 0.3}  # seconds; others end by themselves
MESSAGES = {"chips": 32, "press": 40}  # what a device stores then
TROUBLES = (*KILLS, *(fault for fault in WIRE_FAULTS if fault != "power"))  # that one is what kill -9 does
ROUNDS = 24 if LONG else 2


def configuration(home: Path, devices: Mapping[str, Cabled]) -> Path:
    lines = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{home / "state"}"', "[options]", "seats = 1"]
    lines += [*cards_key(home), "[api]", f'socket = "{home / "api.sock"}"']
    lines += ["[device.shoe]", 'family = "shoe"', f'address = "serial://{home / "dev/shoe"}"', "sealed = false"]
    for name, device in devices.items():
        lines += [f'[device."{name}"]', f'family = "{device.family}"', f'address = "{device.address}"']
        lines += [f'serial = "{name}"', *(["area = 1"] if name == "sensor.1" else [])]
        KeyFile(home / "state").store(name, KEYS[name])
    path = home / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


class Table:
    """A daemon, its devices, and bad luck."""

    def __init__(self, victim: Victim, shoe: ControlClient, devices: Mapping[str, Cabled]) -> None:
        self.victim = victim
        self.shoe = shoe
        self.devices = devices
        self.chance = random.Random(20260101)
        self.lies = ""  # what a cut of the sensor's power does not take away

    def play(self, name: str, deed: str, trouble: str) -> None:
        """Does this at a device while there is trouble, and returns when it is on disk."""
        device = self.devices.get(name, self.devices["console"])
        wire = trouble not in KILLS
        before, lines = device.told()["last"], len(device.lines)
        if wire:
            device.cable.inject(trouble, *ARGUMENTS.get(trouble, ()))
        self.do(name, deed)
        time.sleep(self.chance.choice([0.0, 0.003, 0.03, 0.1]) * self.chance.random())
        if "device" in trouble or "both" in trouble:
            self.cut(device)
        if "daemon" in trouble or "both" in trouble:
            self.victim.kill()
            self.victim.start()
        if name in self.devices and wire:
            number = MESSAGES[deed.split()[0]]
            device.wait(lambda said: any(re.fullmatch(f"stored [0-9]+ {number}", line) for line in said[lines:]))
        elif name in self.devices:
            self.stored(device, before, deed)
        if trouble in LASTING:
            time.sleep(LASTING[trouble])
            device.cable.clear()
        wait_until(lambda: not device.cable.active and self.is_durable(name))

    def do(self, name: str, deed: str) -> None:
        if name == "shoe":
            self.shoe.do("shoe", "draw", deed)
        else:
            self.devices[name].hand(deed)
        if name == "sensor.1":
            self.lies = deed

    def cut(self, device: Cabled) -> None:
        device.kill()
        device.start()
        if device is self.devices["sensor.1"] and self.lies:
            device.hand(self.lies)

    def stored(self, device: Cabled, before: int, deed: str) -> None:
        """Returns when it has an event of this; a key that did nothing, for its power was cut, is pressed again."""
        deadline = time.monotonic() + PATIENCE
        again = time.monotonic() + 1
        while device.told()["last"] == before:
            assert time.monotonic() < deadline, f"nothing came of {deed}"
            if time.monotonic() > again and deed.startswith("press"):
                device.hand(deed)
                again = deadline
            time.sleep(0.005)

    def is_durable(self, name: str) -> bool:
        if name == "shoe":
            return durable(self.shoe, name)
        return self.devices[name].told()["kept"] == 0


def play_in_trouble(devices: Mapping[str, Cabled], home: Path, rounds: int) -> None:
    """Plays rounds with one trouble at each deed, one after the other; each settles as if there were none."""
    deeds = ROUND * rounds
    (home / "state").mkdir()
    with (
        process(
            "-m", "hw_sim", "serve", "--directory", str(home / "dev"), "--seats", "1", "--until-stdin-closes"
        ) as sim,
        Victim(configuration(home, devices), home / "log") as victim,
    ):
        assert sim.stdout is not None and sim.stdout.readline()
        with ControlClient(home / "dev" / "control.sock") as shoe:
            table = Table(victim, shoe, devices)
            for (name, deed), trouble in zip(deeds, islice(cycle(TROUBLES), len(deeds)), strict=True):
                table.play(name, deed, trouble)
        wait_until(lambda: all(device.told()["sealed"] == 1 for device in devices.values()))
        wait_until(lambda: answers(home / "api.sock"))
        victim.stop()
    lines, happened = settled(home)
    assert lines == [LINES] * rounds
    assert [type(fact) for fact in happened] == [Chips, Key, CardOut, CardOut, Key, Chips] * rounds
    assert any(line.startswith("lamp ") and line.endswith(" on") for line in devices["lamps"].lines)
    assert any(line.startswith("row 0 ") for line in devices["console"].lines)


@pytest.fixture
def devices(checked: list[str], started: Started[Cabled], tmp_path: Path) -> Iterator[dict[str, Cabled]]:
    yield {
        name: started(Cabled(checked, family, tmp_path, serial=name, key=KEYS[name].hex()))
        for name, family in FAMILIES.items()
    }


def test_nothing_is_lost_and_nothing_comes_twice(devices: dict[str, Cabled], tmp_path: Path) -> None:
    play_in_trouble(devices, tmp_path, ROUNDS)
