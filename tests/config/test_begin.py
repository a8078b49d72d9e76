"""From a configuration to a table: what the rules have against it, and what its devices must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.config.begin import begin
from controller.config.load import load_config
from controller.config.options import check
from controller.config.wiring import devices, needs_simulation
from controller.errors import FeltError
from tests.daemon.house import table_toml


@pytest.mark.parametrize(
    ("options", "problems"),
    [
        ({}, []),
        ({"decks": "8", "min": "2.50"}, []),
        ({"decks": "9"}, ["decks: four to eight decks are used (rule 3.1)"]),
        ({"seats": "10"}, ["seats: a table has places for nine players or fewer (rule 2.1)"]),
        ({"max": "1"}, ["max: the minimum is above the maximum (rule 6.4)"]),
        ({"shoe": "batch"}, ["shoe: cards come from a dealing shoe or a continuous shuffling machine (rule 2.3)"]),
        ({"seats": "many"}, ['seats: "many" must be a whole number, 1 or more']),
        ({"chip": "0"}, ["chip: must be more than nothing"]),
        ({"min": "five"}, ['min: "five" must be an amount of dollars, such as "10" or "2.50"']),
        ({"burn": "yes", "method": "C"}, ['burn: "yes" must be one of on, off', 'method: "C" must be one of A, B']),
    ],
)
def test_options(options: dict[str, str], problems: list[str]) -> None:
    assert [str(mistake) for mistake in check("casino-war", options)] == problems


def problems_of(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return [problem.at("table.toml") for problem in caught.value.problems]


def test_a_sensor_has_the_name_that_the_table_knows(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('[device."sensor.2"]', "[device.right]"))
    [problem] = problems_of(path)
    assert problem.endswith('the table knows this device as "sensor.2": write [device."sensor.2"]')
    assert path.read_text().splitlines()[int(problem.split(":")[1]) - 1] == "[device.right]"


def test_a_sensor_is_at_an_area_of_the_table(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("seats = 2", "seats = 1"))
    assert problems_of(path)[0].endswith("area 2 is not on this table: it has 1 seat")


def test_the_cards_come_from_the_device_that_the_option_names(tmp_path: Path) -> None:
    path = table_toml(tmp_path, options='shoe = "csm"\n')
    assert problems_of(path)[0].endswith('shoe = "csm" needs a shuffler: add [device.shuffler]')


def test_what_a_table_begins_with(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path, options="decks = 4\n"))
    started = begin(config)
    assert started.game == "casino-war"
    assert (started.options["decks"], started.options["seats"], started.options["min"]) == ("4", "2", "5")
    assert needs_simulation(config)


def test_an_address_that_nobody_can_open(tmp_path: Path) -> None:
    with pytest.raises(FeltError) as caught:
        devices(load_config(table_toml(tmp_path)))  # nobody resolves sim:// here
    assert caught.value.code == "address.not-yet"
    assert "device shoe" in caught.value.cause


def test_real_devices_need_no_simulator(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://", "serial:///dev/serial/by-id/"))
    config = load_config(path)
    assert not needs_simulation(config)
    specs = devices(config)
    assert list(specs) == ["shoe", "console", "lamps", "sensor.1", "sensor.2"]
    assert [spec.area for spec in specs.values()] == [0, 0, 0, 1, 2]


@pytest.mark.parametrize(
    ("game", "option", "says"),
    [
        ("wsop-bonus-holdem", 'ante-pays = "pair"', '"pair" must be one of flush, straight'),
        ("ultimate-texas-holdem-nsw", 'preflop = "x"', '"x" must be whole numbers, such as "2" or "3,4"'),
        ("caribbean-stud", 'approved-min = "x"', '"x" must be an amount of dollars, such as "10" or "2.50"'),
        ("wsop-bonus-holdem", 'action-button = "left"', '"left" must be a whole number, 1 or more, or none'),
        ("caribbean-stud", 'jackpot-option = "many"', '"many" must be a whole number, 1 or more'),
        ("casino-war", 'backs = "red"', '"red" must be two colours, such as "red,blue"'),
    ],
)
def test_a_value_that_an_option_cannot_have_is_told_with_its_line(
    tmp_path: Path, game: str, option: str, says: str
) -> None:
    path = table_toml(tmp_path, options=f"{option}\n", game=game)
    [problem] = problems_of(path)
    assert problem.endswith(says)
    assert path.read_text().splitlines()[int(problem.split(":")[1]) - 1] == option
