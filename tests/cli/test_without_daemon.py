"""The devices of a table whose daemon does not run, asked directly: on real wires, in another process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config.load import load_config
from controller.daemon.compose import JOURNAL, running
from controller.journal import Journal
from controller.table.facts import CardOut, decode
from hw_sim.control import ControlClient
from tests.cli.conftest import felt
from tests.daemon.house import PATIENCE, House

ROOT = Path(__file__).parents[2]
FAMILIES = {"shoe": "shoe", "console": "console", "lamps": "lamps", "sensor.1": "bet-sensor"}


class Hardware:
    """Simulated devices in a process of their own, and the table.toml that names them."""

    def __init__(self, directory: Path, wire: str) -> None:
        self.directory = directory
        command = [sys.executable, "-m", "hw_sim", "serve", "--directory", str(directory / "dev"), "--seats", "1"]
        self.process = subprocess.Popen([*command, "--wire", wire], cwd=ROOT, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        ready = json.loads(self.process.stdout.readline())
        self.control = ControlClient(Path(ready["control"]))
        self.addresses: dict[str, str] = ready["addresses"]
        self.socket = directory / "feltd.sock"
        self.config = self.write(self.addresses)

    def write(self, addresses: dict[str, str]) -> Path:
        lines = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{self.directory / "state"}"']
        lines += ["[options]", "seats = 1", "[api]", f'socket = "{self.socket}"']
        for name, family in FAMILIES.items():
            lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "{addresses[name]}"']
            lines.append("sealed = false")
        path = self.directory / "table.toml"
        path.write_text("\n".join([*lines, "area = 1"]) + "\n")
        return path

    def pending(self) -> dict[str, int]:
        return {name: state["pending"] for name, state in self.control.state().items() if name in FAMILIES}

    def close(self) -> None:
        self.control.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(params=["pty", "tcp", "slcan"])
def hardware(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hardware]:
    hardware = Hardware(tmp_path, request.param)
    yield hardware
    hardware.close()


@pytest.fixture(scope="module")
def on_serial_lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hardware]:
    hardware = Hardware(tmp_path_factory.mktemp("hardware"), "pty")
    yield hardware
    hardware.close()


@pytest.fixture
def serial(on_serial_lines: Hardware) -> Hardware:
    """In order again, whatever the test before did to it."""
    for name in FAMILIES:
        on_serial_lines.control.clear(name)
    on_serial_lines.write(on_serial_lines.addresses)
    return on_serial_lines


def ask(hardware: Hardware, *words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--config", str(hardware.config), "--socket", str(hardware.socket)])


def test_devices_are_asked_and_keep_their_events(hardware: Hardware) -> None:
    for card in ("Kh", "2c"):
        hardware.control.do("shoe", "draw", card)
    for _ in range(2):
        said = ask(hardware, "devices")
        assert said.exit_code == 1, said.output
        assert "feltd does not run: no answer on" in said.stderr and "systemctl status feltd" in said.stderr
        heading, *rows = said.stdout.splitlines()
        assert [row.split()[:3] for row in rows[:4]] == [[name, FAMILIES[name], "answers"] for name in FAMILIES]
        assert rows[0].split()[4:6] == ["SIM-shoe", "1.0.0"] and heading.split()[-1] == "baud"
        assert "shoe keeps 2 events for the daemon" in rows
        assert "Kh" not in said.output
        assert hardware.pending() == {"shoe": 2, "console": 0, "lamps": 0, "sensor.1": 0}
    traced = ask(hardware, "device", "shoe", "trace")
    assert traced.exit_code == 0 and traced.stdout.count("EVENT 2 CardDrawn(withheld)") >= 1
    assert " ACK " not in traced.stdout
    assert hardware.pending()["shoe"] == 2
    assert asyncio.run(drawn(hardware)) == ["Kh", "2c"]  # and now the daemon is there


async def drawn(hardware: Hardware) -> list[str]:
    """The cards that a daemon hears of when it starts now."""
    async with running(load_config(hardware.config)) as daemon, asyncio.timeout(PATIENCE):
        while True:
            facts = [decode(each.payload) for each in daemon.journal]
            cards = [fact.card for fact in facts if isinstance(fact, CardOut)]
            if len(cards) >= 2:
                return cards
            await asyncio.sleep(0.01)


def test_programs_are_told_that_no_daemon_runs(serial: Hardware) -> None:
    said = ask(serial, "devices", "--json")
    told = json.loads(said.stdout)
    assert (said.exit_code, told["daemon"]["running"], told["buses"]) == (1, False, [])
    assert told["daemon"]["error"]["code"] == "daemon.unreachable"
    (shoe, *_) = told["devices"]
    assert (shoe["phase"], shoe["identity"]["serial"]) == ("answers", "SIM-shoe")
    assert shoe["stats"]["round_trip_p50_ms"] > 0 and shoe["stats"]["errors"] == {}


def test_each_device_has_its_own_trouble(serial: Hardware) -> None:
    serial.control.fault("console", "hang")
    addresses = {
        **serial.addresses,
        "lamps": serial.addresses["display"],
        "sensor.1": f"serial://{serial.directory}/dev/nobody",
    }
    serial.write(addresses)
    said = ask(serial, "devices")
    states = {row.split()[0]: row.split()[2] for row in said.stdout.splitlines()[1:5]}
    assert states == {"shoe": "answers", "console": "lost", "lamps": "wrong-device", "sensor.1": "lost"}
    assert "link.no-answer" in said.stdout and "serial.missing" in said.stdout
    assert "device.wrong-family: a lamps was expected, but this is a display" in said.stdout
    assert "the daemon reconnects" not in said.stdout
    for name, code in (("sensor.1", "serial.missing"), ("shoo", "device.unknown")):
        said = ask(serial, "device", name, "trace")
        assert said.exit_code == 1 and f"\n{code}: " in said.stderr and "  -> " in said.stderr


def test_a_trace_is_followed_through_an_unplugged_cable_and_saved(serial: Hardware, tmp_path: Path) -> None:
    saved = tmp_path / "shoe.jsonl"
    words = ["device", "shoe", "trace", "-f", "--save", str(saved), "--config", str(serial.config)]
    command = [sys.executable, "-c", "from controller.cli.main import main; main()", *words]
    env = {**os.environ, "FELT_SOCKET": str(serial.socket)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as following:
        assert following.stdout is not None

        def until(text: str) -> None:
            assert any(text in line for line in following.stdout or ())

        until(" in IDENTITY ")
        serial.control.do("shoe", "draw", "Kh")
        until(" in EVENT 1 CardDrawn(withheld)")
        serial.control.fault("shoe", "unplug")
        until(" in lost: serial.lost")
        serial.control.clear("shoe")
        until(" in IDENTITY ")
        until(" in EVENT 1 CardDrawn(withheld)")
        following.send_signal(2)
        assert following.wait(PATIENCE) == 130
    kept = [json.loads(line) for line in saved.read_text().splitlines()]
    assert [line["lost"] for line in kept if "lost" in line] == ["serial.lost"]
    assert serial.pending()["shoe"] == 1


def test_an_older_capture_is_left_alone_when_nothing_can_be_captured(serial: Hardware, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.write_text("kept")
    serial.control.fault("console", "unplug")
    said = ask(serial, "device", "console", "trace", "--save", str(older))
    assert said.exit_code == 1 and "serial.missing" in said.stderr
    assert older.read_text() == "kept"


# ---- where a daemon is, or may be


def nothing_was_asked(hardware: Hardware, said: Any, code: str) -> None:
    assert said.exit_code == 1 and code in said.stderr, said.output
    assert "  -> " in said.stderr and said.stdout == ""


def test_a_daemon_that_cannot_be_reached_is_not_disturbed(serial: Hardware) -> None:
    for words in (["devices"], ["device", "shoe", "trace"]):
        arguments = [*words, "--config", str(serial.config), "--socket", str(serial.config / "not-a-directory")]
        nothing_was_asked(serial, CliRunner().invoke(cli, arguments), "daemon.unreachable")


def test_a_daemon_on_another_socket_holds_its_journal(serial: Hardware) -> None:
    state = serial.directory / "state"
    state.mkdir(exist_ok=True)
    journal = Journal.open(state / JOURNAL, table="T1")
    try:
        nothing_was_asked(serial, ask(serial, "devices"), "daemon.elsewhere")
    finally:
        journal.close()
    assert ask(serial, "devices").stdout


def test_the_socket_of_the_tables_file_is_tried(house: House, tmp_path: Path) -> None:
    said = felt("devices", "--config", str(house.config), "--socket", str(tmp_path / "none"))
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines()[1].split()[:3] == ["shoe", "shoe", "ready"]
    said = felt("device", "shoe", "trace", "--config", str(house.config), "--socket", str(tmp_path / "none"))
    assert said.returncode == 0 and "HELLO" in said.stdout and said.stderr == ""


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for content, code in ((None, "config.missing"), ("[table]\n", "config.invalid")):
        if content is not None:
            path.write_text(content)
        said = CliRunner().invoke(cli, ["devices", "--config", str(path), "--socket", str(tmp_path / "none")])
        assert said.exit_code == 1 and said.stderr.startswith(code) and "  -> " in said.stderr
    said = CliRunner().invoke(cli, ["device", "shoe", "trace", "--socket", str(tmp_path / "none")])
    assert "daemon.unreachable" in said.stderr and "--config" in said.stderr
