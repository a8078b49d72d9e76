"""A Crown Poker table from its configuration file: the real daemon on simulated readers, and players of every mood."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from controller.cli.demo import DealPlan, demo
from controller.cli.demo_telling import StoryTelling
from controller.config import ConfigError
from controller.config.begin import begin
from controller.config.load import load_config
from controller.config.options import check
from controller.config.wiring import devices
from controller.poker.state import room_in
from controller.sim.addresses import schemes, simulated_table
from controller.sim.crown_dealer import LivelyCrownDealer
from controller.sim.floor import SimFloor
from hw_sim.loop import run

SEATS = 4


def table_toml(directory: Path, game: str = "holdem", options: str = "", readers: int = SEATS) -> Path:
    """Four seats, each with its sensor and its reader."""
    lines = ["[table]", 'name = "T1"', f'game = "{game}"', f'state = "{directory / "state"}"']
    lines += ["[options]", f"seats = {SEATS}", options, "[api]", f'socket = "{directory / "feltd.sock"}"']
    named = {"console": "console", "lamps": "lamps"} | {f"sensor.{n}": "bet-sensor" for n in range(1, SEATS + 1)}
    named |= {f"reader.{place}": "reader" for place in (*range(1, readers + 1), "board")}
    for name, family in named.items():
        lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "sim://{name}"']
        lines += [f"area = {name.partition('.')[2]}"] if name[-1].isdigit() else []
    path = directory / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def problems_of(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return [problem.at("table.toml") for problem in caught.value.problems]


def test_a_table_with_a_reader_at_every_seat(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    started = begin(config)
    assert (started.game, started.options["blinds"], started.options["seats"]) == ("holdem", "5,10", "4")
    assert "shoe" not in started.options

    async def ways() -> dict[str, int]:
        async with simulated_table(config) as (sim, _):
            return {name: spec.area for name, spec in devices(config, schemes(sim)).items()}

    areas = asyncio.run(ways())
    assert (areas["reader.3"], areas["reader.board"], areas["sensor.2"]) == (3, 0, 2)


def test_a_seat_without_a_reader(tmp_path: Path) -> None:
    (problem,) = problems_of(table_toml(tmp_path, readers=3))
    assert problem.endswith('nothing reads the cards at 4: add [device."reader.4"] with family = "reader" and area = 4')
    (problem,) = problems_of(table_toml(tmp_path, readers=2))
    assert "nothing reads the cards at 3, 4: add" in problem and "or say with seats = 2" in problem


def test_a_reader_that_does_not_say_its_seat(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('"sim://reader.2"\narea = 2', '"sim://reader.2"'))
    (problem,) = problems_of(path)
    assert problem.endswith("the card reader of a seat needs its number: add area = 2")


def test_a_reader_has_the_name_that_the_table_knows(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('[device."reader.2"]', "[device.left]"))
    assert any('the table knows this device as "reader.2"' in problem for problem in problems_of(path))


def test_a_shoe_is_refused_by_the_rule(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text() + '[device.shoe]\nfamily = "shoe"\naddress = "sim://shoe"\n')
    (problem,) = problems_of(path)
    assert "never from a shoe (rule 5.2)" in problem


def test_options_that_cannot_be_read_or_that_the_rules_forbid() -> None:
    assert check("holdem", {"limit": "pot", "blinds": "10,20"}) == []
    assert check("holdem", {"bets": "10"}) == [("bets", '"10" must be two amounts of dollars, such as "10,20"')]
    (found,) = check("omaha", {"seats": "11"})
    assert found.option == "seats" and found.text.endswith("(rule 4.1)")


@pytest.mark.parametrize("game", ["holdem", "omaha-hi-lo"])
def test_a_table_that_deals_itself(game: str, tmp_path: Path) -> None:
    said: list[str] = []
    config = load_config(table_toml(tmp_path, game))
    assert asyncio.run(demo(config, DealPlan(rounds=5, seed=3), StoryTelling(said.append)))
    story = "\n".join(said)
    assert re.search(r"hand 5: settled\n.*button", story)
    assert "5 rounds" in story and "sound" in story


@pytest.mark.parametrize("limit", ["no-limit", "pot", "fixed", "spread"])
@pytest.mark.parametrize("game", ["holdem", "crazy-pineapple", "omaha-hi-lo"])
def test_no_chip_appears_or_disappears(game: str, limit: str) -> None:
    """Whatever players do, the stakes change by what was won, lost and raked."""

    async def hands() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", game, {"limit": limit, "rake": "5%", "seats": "6"})
        dealer = LivelyCrownDealer(table.sim, table.service.engine, floor.rest, seed=len(limit))
        bought = dict.fromkeys("12345", 50_000)
        await dealer.players(range(1, 6))
        for _ in range(12):
            room = room_in(table.state)
            assert room is not None
            assert sum(room.stakes.values()) + room.dropped == sum(bought.values())
            for seat in [seat for seat, stake in room.stakes.items() if not stake]:
                bought[seat] += 50_000
            await dealer.players(range(1, 6))
            await dealer.round([*"12345"])
        await floor.close()

    run(hands())
