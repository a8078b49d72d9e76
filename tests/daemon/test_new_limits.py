"""A daemon that is started with another table.toml: a higher minimum is announced first, whoever edits the file."""

from __future__ import annotations

from pathlib import Path

from controller.config.load import load_config
from controller.daemon.compose import running
from controller.sim.addresses import schemes, simulated_table
from controller.table.facts import Key
from tests.daemon.house import table_toml


async def start(directory: Path, minimum: str, *keys: Key) -> tuple[str, list[str], list[str]]:
    """Starts a table with this minimum, presses keys, stops it.

    Returns the minimum in force, what the sign announces, and what the area manager is told.
    """
    config = load_config(table_toml(directory, options=f"min = {minimum}"))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        engine = daemon.service.engine
        for key in keys:
            await engine.submit(key)
        table = engine.table
        announced = [f"{option}={value}" for notice in table.notices for option, value in notice.changes.items()]
        return table.options["min"], announced, [p.text for p in table.live if p.role == "area-manager"]


async def test_a_higher_minimum_is_announced_and_goes_on_being_announced(tmp_path: Path) -> None:
    assert await start(tmp_path, "5") == ("5", [], [])
    minimum, announced, told = await start(tmp_path, "25")
    assert (minimum, announced) == ("5", ["min=25"])
    assert told == ["the configuration says min=25: the sign announces it; press set min=25 when its time is over"]
    assert (await start(tmp_path, "25"))[:2] == ("5", ["min=25"])
    early = Key("set", ("min=25",), person="Ann", role="area-manager", place="page")
    assert (await start(tmp_path, "25", early))[:2] == ("5", ["min=25"])
    assert await start(tmp_path, "5") == ("5", [], [])  # the former minimum again: nothing is announced any more
