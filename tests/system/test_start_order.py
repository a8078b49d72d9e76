"""The power was cut in a round, and comes back: devices before the daemon, behind it, one after the other, or never."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.control import ControlClient
from tests.cli.conftest import felt
from tests.daemon.house import PATIENCE, House

ROOT = Path(__file__).parents[2]
NAMES = ("shoe", "console", "lamps", "sensor.1", "sensor.2")


class Power:
    """A table on pseudo-terminals, whose daemon and devices lose their power at one moment."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.nodes = directory / "dev"  # what the kernel shows of the devices
        self.nodes.mkdir()
        self.house = House(directory)
        text = self.house.config.read_text()
        for name in NAMES:
            text = text.replace(f'"sim://{name}"', f'"serial://{self.nodes}/{name}"\nsealed = false')
        keys = f'[journal]\ncards-key = "{directory}/cards.key"\nday-keys = "{directory}/days/day-keys.json"\n'
        self.house.config.write_text(text + keys)
        made = felt("table", "init", str(self.house.config))
        assert made.returncode == 0, made.stderr
        self.process: subprocess.Popen[bytes] | None = None
        self.control: ControlClient

    def devices(self) -> None:
        """Gives the devices power; nobody sees them yet."""
        command = [sys.executable, "-m", "hw_sim", "serve", "--directory", str(self.directory / "sim"), "--seats", "2"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.wires: dict[str, str] = json.loads(self.process.stdout.readline())["devices"]
        self.control = ControlClient(self.directory / "sim/control.sock")

    def come(self, *names: str) -> None:
        """The kernel shows these devices."""
        for name in names or NAMES:
            (self.nodes / name).symlink_to(self.wires[name])

    def cut(self) -> None:
        """Takes the power from everything."""
        self.house.stop(signal.SIGKILL)
        self.devices_off()
        for node in self.nodes.iterdir():
            node.unlink()

    def devices_off(self) -> None:
        if self.process is not None:
            self.control.close()
            self.process.kill()
            self.process.wait(PATIENCE)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def close(self) -> None:
        self.house.close()
        self.devices_off()

    # ---- what is seen and done

    def phases(self) -> dict[str, str]:
        return {each["name"]: each["phase"] for each in self.house.client.get("/devices")["devices"]}

    def ready(self, *names: str) -> None:
        """Waits until exactly these devices are ready."""
        self.house.wait(lambda: {name for name, phase in self.phases().items() if phase == "ready"} == set(names))

    def phase(self, name: str) -> None:
        self.house.wait(lambda: self.house.status()["round"]["phase"] == name)

    def half_a_round(self) -> None:
        self.control.do("sensor.1", "bet", {"war": 1000})
        self.phase("betting")
        self.control.do("console", "press", "no-more-bets")
        self.phase("dealing")
        self.control.do("shoe", "draw", "2h")
        self.house.wait(lambda: "2h" in json.dumps(self.house.status()))

    def rest_of_it(self) -> None:
        self.control.do("shoe", "draw", "Kd")
        self.phase("settling")
        self.control.do("console", "press", "settle")
        self.phase("between rounds")


@pytest.fixture
def power(tmp_path: Path) -> Iterator[Power]:
    """A table at which the first card of a round lies, and which then lost its power."""
    power = Power(tmp_path)
    try:
        power.devices()
        power.come()
        power.house.start()
        power.half_a_round()
        power.cut()
        power.devices()
        power.control.do("sensor.1", "bet", {"war": 1000})  # the chips lie there still
        yield power
    finally:
        power.close()


def causes(power: Power) -> dict[str, str]:
    """Which devices are not there, each with the code of its cause; every one says what to do."""
    devices = power.house.client.get("/devices")["devices"]
    found = {each["name"]: each["cause"] for each in devices if each["phase"] != "ready"}
    assert all(cause and cause["next_step"] for cause in found.values()), found
    return {name: cause["code"] for name, cause in found.items()}


def settled(power: Power) -> None:
    """The round is played to its end; it is on record once, whole, and the journal is sound."""
    power.rest_of_it()
    last = power.house.status()["last"]
    assert (last["number"], last["outcome"]) == (1, "settled")
    assert [(each["place"], each["stake"], each["net"]) for each in last["wagers"]] == [("1", "10.00", "-10.00")]
    assert power.house.client.get("/journal/verify")["ok"]
    assert power.house.status()["trouble"] == [] and power.house.status()["holds"] == []


def test_devices_that_are_there_before_the_daemon(power: Power) -> None:
    power.come()
    power.house.start()
    settled(power)


def test_devices_that_come_behind_the_daemon(power: Power) -> None:
    power.house.launch()  # ready without any of them: whoever restarts it would help nobody
    power.house.wait(lambda: set(power.phases()) == set(NAMES) and None not in power.phases().values())
    power.house.wait(lambda: causes(power) == dict.fromkeys(NAMES, "serial.missing"))
    assert power.house.status()["round"] == {"number": 1, "phase": "dealing"}
    power.come()
    power.ready(*NAMES)
    settled(power)


@pytest.mark.parametrize("order", [NAMES, NAMES[::-1], ("sensor.2", "lamps", "shoe", "sensor.1", "console")], ids=str)
def test_devices_that_come_one_after_the_other(power: Power, order: tuple[str, ...]) -> None:
    power.house.launch()
    for number, name in enumerate(order, start=1):
        power.come(name)
        power.ready(*order[:number])
    settled(power)


def test_what_was_done_at_a_device_before_the_daemon_saw_it_counts(power: Power) -> None:
    """A dealer who draws while the computer still starts has not drawn in vain."""
    power.control.do("shoe", "draw", "Kd")
    power.house.launch()
    power.come()
    power.phase("settling")
    power.control.do("console", "press", "settle")
    power.phase("between rounds")
    assert power.house.status()["last"]["wagers"][0]["net"] == "-10.00"


@pytest.mark.parametrize("name", NAMES)
def test_a_device_that_never_comes_is_named_and_keeps_no_other_away(power: Power, name: str) -> None:
    others = tuple(each for each in NAMES if each != name)
    power.come(*others)
    power.house.launch()
    power.ready(*others)
    power.house.wait(lambda: causes(power) == {name: "serial.missing"})
    said = felt("status", FELT_SOCKET=str(power.house.socket))
    assert "serial.missing" in said.stdout and str(power.nodes / name) in said.stdout
    looked = felt("doctor", "--config", str(power.house.config), "--json", FELT_SOCKET=str(power.house.socket))
    first = json.loads(looked.stdout)["first"]
    assert (looked.returncode, first["code"]) == (1, "serial.missing") and name in first["text"] and first["next_step"]
    assert power.house.status()["round"] == {"number": 1, "phase": "dealing"}  # nothing is lost, and nobody gave up
    assert power.house.client.get("/journal/verify")["ok"]
    power.house.stop()  # and somebody takes the power away once more
    power.house.launch()
    power.ready(*others)
    power.come(name)  # after all
    power.ready(*NAMES)
    settled(power)
