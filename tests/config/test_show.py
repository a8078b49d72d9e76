"""What is in force is shown whole, with where it comes from; and as a file it says the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.group import cli
from controller.config import TableConfig
from controller.config.begin import begin
from controller.config.show import in_force, written
from controller.daemon.check import checked
from controller.games import GAMES
from tests.daemon.house import table_toml

TABLES = Path(__file__).parents[2] / "examples/tables"
EVERYTHING = """
[table]
name = "T1"
game = "caribbean-stud"
[options]
seats = 1
jackpot = "nsw"
jackpot-group = "floor"
[device.shoe]
family = "shoe"
address = "serial:///dev/ttyS1?baud=9600"
protocol = "angel-eye"
[device.console]
family = "console"
address = "serial:///dev/ttyS2"
serial = "C-1"
sealed = true
[device.lamps]
family = "lamps"
address = "gpio://mock"
[device.lamps.gpio]
outputs = { bets = 17, "decide:1" = { pin = 22, active = "low" } }
inputs = { no-more-bets = 5, door = { pin = 13, debounce = 50 } }
[device."sensor.1"]
family = "bet-sensor"
area = 1
address = "can://can0/0x21"
[family.shoe]
min-firmware = "1.2.0"
[family.console]
[jackpot]
store = "postgres"
dsn-file = "/etc/feltd/jackpot.dsn"
ceiling = "250000"
[web]
listen = "[::1]:8080"
[floor]
tables = { T2 = "http://192.0.2.12:8080", T3 = "/run/feltd-read/feltd.sock" }
"""


def shown(config: TableConfig, path: Path) -> str:
    return "\n".join(written(in_force(config, path)))


def says_the_same(path: Path, tmp_path: Path) -> None:
    config = checked(path)
    again = tmp_path / "shown.toml"
    again.write_text(shown(config, path))
    other = checked(again)
    assert begin(other) == begin(config)
    assert {**dict(other), "options": {}} == {**dict(config), "options": {}}  # devices with their settings
    assert all(value.line for value in in_force(other, again) if value.value is not None)  # nothing is left to defaults


@pytest.mark.parametrize("example", sorted(TABLES.glob("*.toml")), ids=lambda path: path.stem)
def test_an_example(example: Path, tmp_path: Path) -> None:
    says_the_same(example, tmp_path)


@pytest.mark.parametrize("game", [name for name in GAMES if "shoe" in GAMES[name].options.__struct_fields__])
def test_a_table_of_every_game(game: str, tmp_path: Path) -> None:
    says_the_same(table_toml(tmp_path, game=game), tmp_path)


def test_a_file_with_everything(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EVERYTHING)
    says_the_same(path, tmp_path)


def test_each_value_has_its_line_or_is_a_default(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EVERYTHING)
    said = {value.path: (value.value, value.source) for value in in_force(checked(path), path)}
    assert said["options", "seats"] == ("1", "line 6")
    assert said["options", "min"] == ("10", "default")
    assert said["device", "shoe", "serial"] == (None, "default")
    assert said["device", "lamps", "gpio", "outputs"][1] == "line 22"
    assert said["jackpot", "reserve"] == ("0", "default")


def test_the_command(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    text = CliRunner().invoke(cli, ["config", "show", str(path)])
    assert text.exit_code == 0
    assert 'announce = "last-card"                       # default\n' in text.output
    assert "[jackpot]" not in text.output  # none is offered: nothing of it is in force
    values = json.loads(CliRunner().invoke(cli, ["config", "show", "--json", str(path)]).output)["values"]
    assert {"key": "table.game", "value": "casino-war", "line": 3} in values
    path.write_text("[table]\n")
    wrong = CliRunner().invoke(cli, ["config", "show", str(path)])
    assert (wrong.exit_code, "table.name: is missing" in wrong.output) == (1, True)
    assert json.loads(CliRunner().invoke(cli, ["config", "show", "--json", str(path)]).output)["ok"] is False
