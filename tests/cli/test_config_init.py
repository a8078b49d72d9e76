"""felt config init: a first table.toml that can be used, for every game, from what is plugged in."""

from __future__ import annotations

import json
import stat
import time
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli import config_init
from controller.cli.checkup.ports import usb_rules
from controller.cli.config import command
from controller.cli.first_steps import FirstSteps
from controller.config.load import load_config
from controller.games import INSTALLED
from controller.people.roster_file import RosterFile
from firmware_bridge.plugged import Plugged
from firmware_bridge.usb_present import UsbDevice
from tests.cli.terminal import Terminal

PLUGGED = [
    Plugged("serial:///dev/serial/by-id/usb-feltd_shoe_SH-1", "feltd shoe", "SH-1"),
    Plugged("serial:///dev/serial/by-id/usb-feltd_bet-sensor_B-1", "feltd bet-sensor"),
    Plugged("serial:///dev/serial/by-id/usb-odd", 'something\x1b[2J "odd"'),
]


def ask(*words: str) -> Result:
    return CliRunner().invoke(command, list(words))


@pytest.mark.parametrize("game", [rules.name for rules in INSTALLED.usable()])
def test_every_game(game: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    made = ask("init", str(file), "--yes", "--game", game, "--areas", "2", "--name", "VIP-7", "--state", str(tmp_path))
    assert made.exit_code == 0, made.output
    checked = json.loads(ask("check", str(file), "--json").stdout)
    assert (checked["ok"], checked["table"], checked["game"]) == (True, "VIP-7", game)


def test_it_never_overwrites(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("mine")
    ran = ask("init", str(file), "--yes")
    assert (ran.exit_code, "config.exists" in ran.output, file.read_text()) == (1, True, "mine")
    ran = ask("init", str(tmp_path / "no" / "table.toml"), "--yes", "--json")
    assert json.loads(ran.stdout)["error"]["code"] == "config.unwritable"


@pytest.mark.parametrize("words", [("--game", "snap"), ("--name", "no spaces please"), ("--areas", "99")])
def test_nothing_is_written_that_cannot_be_used(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    ran = ask("init", str(file), "--yes", *words)
    assert (ran.exit_code, "config.init" in ran.output, file.exists()) == (1, True, False), ran.output


def test_what_is_plugged_in_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_init, "plugged_in", lambda: PLUGGED)
    file = tmp_path / "table.toml"
    answer = json.loads(ask("init", str(file), "--yes", "--json").stdout)
    assert answer["devices"]["shoe"] == PLUGGED[0].address
    assert answer["devices"]["sensor.1"] == PLUGGED[1].address
    assert answer["simulated"] == ["console", "lamps", "sensor.2", "sensor.3"]
    written = tomllib.loads(file.read_text())
    assert {name: device["address"] for name, device in written["device"].items()} == answer["devices"]
    assert "# plugged in and not used: something?[2J" in file.read_text()


def test_a_person_answers(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    with Terminal("config", "init", str(file)) as terminal:
        terminal.until("Game [casino-war]:")
        terminal.type("holdme\n")
        terminal.until("Error")  # and it asks again
        terminal.type("holdem\n")
        terminal.until("Name of the table on the floor [T1]:")
        terminal.type("P4\n")
        terminal.until("How many seats [3]:")
        terminal.type("2\n")
        for _ in range(9):  # where devices are: whatever is plugged into this computer, none of it
            if "felt config check" in terminal.text:
                break
            terminal.type("s\n")
            terminal.until(":")
        assert terminal.end() == 0, terminal.text
    table = tomllib.loads(file.read_text())
    assert (table["table"]["game"], table["table"]["name"], table["options"]["seats"]) == ("holdem", "P4", 2)
    assert set(table["device"]) == {"console", "lamps", "sensor.1", "sensor.2", "reader.1", "reader.2", "reader.board"}


# ---- what follows the file of the service


DEVICES = ("shoe", "console", "lamps", "sensor.1")


def whole(file: Path, *words: str) -> tuple[str, ...]:
    """The words of a whole table in the folder of its file."""
    folder = file.parent
    places = ("--state", str(folder / "state"), "--people", str(folder / "people.toml"))
    return ("config", "init", str(file), "--game", "casino-war", "--name", "T7", "--areas", "1", *places, *words)


def test_the_rest_follows_with_yes(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    made = ask(*whole(file, "--table", "--yes")[1:])
    assert made.exit_code == 0, made.output
    assert (tmp_path / "state" / "journal.db").exists()
    assert "feltd-anchor-1 0 " in made.output and "felt people add NAME" in made.output and "felt doctor" in made.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_another_file_is_only_written(tmp_path: Path) -> None:
    made = ask(*whole(tmp_path / "table.toml", "--yes")[1:])
    assert made.exit_code == 0 and "felt config check" in made.output
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with systemd, whose `systemctl` writes down what it was told; returns the file of the service."""
    (tmp_path / "bin").mkdir()
    systemctl = tmp_path / "bin" / "systemctl"
    systemctl.write_text(
        "#!/bin/sh\n"
        f'echo "$*" >> {tmp_path}/told\n'
        f'[ "$1" = show ] && {{ echo LoadState=$(cat {tmp_path}/loads); exit 0; }}\n'
        f"[ -e {tmp_path}/fails ] && {{ echo Job for feltd.service failed. >&2; exit 1; }}\n"
        "exit 0\n"
    )
    systemctl.chmod(0o755)
    (tmp_path / "loads").write_text("loaded")
    file = tmp_path / "etc" / "table.toml"
    file.parent.mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setattr("controller.cli.checkup.service.RUNNING", tmp_path)
    monkeypatch.setattr("controller.cli.config.DEFAULT_CONFIG", file)
    return file


@pytest.mark.parametrize(
    ("loads", "fails", "said", "started"),
    [
        ("loaded", False, "feltd.service runs, and starts with the computer", True),
        ("loaded", True, "feltd.service did not start: Job for feltd.service failed.", False),
        ("not-found", False, "feltd.service is not installed: nothing was started", None),
    ],
)
def test_the_service_of_the_machine(machine: Path, loads: str, fails: bool, said: str, started: bool | None) -> None:
    folder = machine.parent.parent
    (folder / "loads").write_text(loads)
    if fails:
        (folder / "fails").touch()
    made = ask(*whole(machine, "--yes")[1:])
    assert made.exit_code == 0 and said in made.output, made.output
    assert ("enable --now feltd.service" in (folder / "told").read_text()) is (started is not None)
    assert f'cards-key = "{machine.parent}/cards.key"' in machine.read_text()  # for the first real device
    assert (machine.parent / "cards.key").exists()
    machine.unlink()
    told = json.loads(ask(*whole(machine, "--yes", "--json")[1:]).stdout)
    assert (told["service"], told["journal"]) == (started, None)  # the journal that is there is left alone


def test_no_systemd_is_said(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.checkup.service.RUNNING", machine.parent / "absent")
    assert "systemd does not run here: nothing was started" in ask(*whole(machine, "--yes")[1:]).output


def test_nobody_is_asked_for_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with Terminal(*whole(tmp_path / "none" / "table.toml")) as terminal:
        assert terminal.end() == 1 and "config.unwritable" in terminal.text and "]:" not in terminal.text


def test_a_person_makes_the_whole_table(tmp_path: Path) -> None:
    """Over SSH, at 80 columns, with nothing plugged in that is used."""
    file = tmp_path / "table.toml"
    with Terminal(*whole(file, "--table")) as terminal:
        for _ in DEVICES:  # where they are: whatever is plugged into this computer, none of it
            if "Make the journal" in terminal.until("["):
                break
            terminal.type("s\n")
        again = "people.unfit: a PIN has 4 to 12 digits\nName of the first supervisor; empty: later:"
        for question, answer in (
            ("Make the journal of this table [Y/n]:", ""),
            ("Name of the first supervisor; empty: later:", "Floor Eight"),
            ("Number of the badge:", "0417"),
            ("new PIN of Floor Eight:", "12"),
            (again, "Floor Eight"),
            (f"{again} Floor Eight\nNumber of the badge:", "0417"),
            (f"{again} Floor Eight\nNumber of the badge: 0417\nnew PIN of Floor Eight:", "25801"),
            ("once more:", "25801"),
        ):
            terminal.until(question)
            time.sleep(0.1)  # the echo is switched off just behind the question
            terminal.type(answer + "\n")
        assert terminal.end() == 0, terminal.text
    assert (tmp_path / "state" / "journal.db").exists()
    (person,) = RosterFile(tmp_path / "people.toml").read().people
    assert (person.name, person.badge, person.roles) == ("Floor Eight", "0417", ("supervisor",))
    long = [line for line in terminal.text.splitlines() if len(line) > 80 and str(tmp_path) not in line]
    assert not long, long


STRANGER = UsbDevice("1-1.3", "046d", "c31c", "", "Keyboard")


@pytest.fixture
def with_usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table.toml with a shoe on USB, and a keyboard beside it; returns where the rules of udev would be."""
    file = tmp_path / "table.toml"
    assert ask("init", str(file), "--yes").exit_code == 0
    file.write_text(file.read_text().replace('"sim://shoe"', '"serial:///dev/serial/by-id/usb-feltd_shoe_SH-1-if00"'))
    monkeypatch.setattr("controller.config.usb.usb_present", lambda sys: [STRANGER])
    return tmp_path / "98-feltd-usb.rules"


def steps_at(rules: Path, answer: bool | None, monkeypatch: pytest.MonkeyPatch) -> tuple[FirstSteps, list[str]]:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return bool(answer)

    monkeypatch.setattr("click.confirm", confirm)
    steps = FirstSteps(rules.parent / "table.toml", rules.parent / "people.toml", ask=answer is not None)
    lines = [*steps.usb(rules), *steps.next_steps()]
    assert bool(asked) is (answer is not None and not lines[0].startswith("  -> felt doctor"))
    return steps, lines


def test_whoever_says_so_has_strange_usb_devices_refused(with_usb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, lines = steps_at(with_usb, True, monkeypatch)
    assert lines[0].endswith('046d:c31c "Keyboard" at 1-1.3')  # it would be refused: said before the question
    printed = ask("udev", str(with_usb.parent / "table.toml")).stdout
    assert with_usb.read_text() == printed and "usb-feltd_shoe" not in lines[0]
    assert stat.S_IMODE(with_usb.stat().st_mode) == 0o644
    assert steps.done["usb_rules"] == str(with_usb)
    assert "  -> udevadm control --reload" in lines
    assert steps_at(with_usb, True, monkeypatch)[1] == ["  -> felt doctor"]  # they are there


@pytest.mark.parametrize("answer", [False, None])
def test_nobody_gets_those_rules_unasked(with_usb: Path, answer: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, lines = steps_at(with_usb, answer, monkeypatch)
    assert not with_usb.exists() and steps.done["usb_rules"] is None
    assert any(line.startswith("  -> felt config udev ") for line in lines)


def test_rules_that_cannot_be_written_are_said(tmp_path: Path, with_usb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = FirstSteps(tmp_path / "table.toml", tmp_path / "people.toml", ask=True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: True)
    lines = [*steps.usb(tmp_path / "none" / "98.rules")]
    assert "not made: No such file or directory" in lines[-1] and steps.done["usb_rules"] is None


def test_doctor_says_whether_strangers_are_refused(tmp_path: Path, with_usb: Path) -> None:
    config = load_config(tmp_path / "table.toml")
    (without,) = usb_rules(config, with_usb)
    assert (without.state, without.code) == ("ok", "") and "named, and not refused" in without.text
    assert "felt config udev" in without.text and not without.next_step
    with_usb.write_text(ask("udev", str(tmp_path / "table.toml")).stdout)
    (with_them,) = usb_rules(config, with_usb)
    assert (with_them.state, with_them.next_step) == ("ok", "")
    with_usb.write_text("# of another table\n")
    (others,) = usb_rules(config, with_usb)
    assert (others.state, others.code) == ("warn", "usb.rules")
    with_usb.write_bytes(b"\xff")
    assert [each.code for each in usb_rules(config, with_usb)] == ["usb.rules"]
    (tmp_path / "table.toml").unlink()
    assert ask("init", str(tmp_path / "table.toml"), "--yes").exit_code == 0  # all is simulated
    assert [*usb_rules(load_config(tmp_path / "table.toml"), with_usb)] == []
