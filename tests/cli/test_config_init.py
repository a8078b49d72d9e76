"""felt config init: a first table.toml that can be used, for every game, from what is plugged in."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli import config_init
from controller.cli.config import command
from controller.games import INSTALLED
from firmware_bridge.plugged import Plugged
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
