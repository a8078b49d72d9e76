"""The captures of a whole table, taken with `felt` from the running daemon, play the same round to a fresh one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.api import views
from controller.cli.demo import dealt_table
from controller.cli.device import command
from controller.config import ConfigError
from controller.config.load import load_config
from controller.config.wiring import whole_captures
from controller.daemon.compose import Daemon
from controller.errors import FeltError
from controller.service.disclosure import disclosed
from controller.table.facts import Started, decode
from firmware_bridge.address import parse
from hw_sim.table import SimTable
from tests.daemon.house import table_toml

NAMES = ("shoe", "console", "lamps", "sensor.1", "sensor.2")
WHOLE = "[simulation]\nwhole-captures = true\n"


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def facts(daemon: Daemon) -> list[str]:
    """What happened at the table, as people read it."""
    records = [each for each in daemon.journal if not isinstance(decode(each.payload), Started)]
    now = daemon.service.engine.disclosure.shown(daemon.service.engine.table)
    return [views.record(*each)["text"] for each in disclosed(daemon.journal, records, now)]


def counters(daemon: Daemon) -> dict[str, Any]:
    return {
        name: (sum(device.stats.errors.values()), device.stats.duplicates, device.state.phase)
        for name, device in daemon.service.fleet.devices.items()
    }


async def a_round(daemon: Daemon, sim: SimTable) -> None:
    """With noise on the wires, a card that had to be sent again, and a shoe whose power failed."""

    async def do(name: str, verb: str, *args: Any) -> None:
        sim.device(name).do(verb, *args)
        await until(lambda: daemon.service.quiet and sim.quiet)
        await asyncio.sleep(0.03)

    sim.device("sensor.1").fault("corrupt", 1)
    await do("sensor.1", "bet", {("war", 1): 1000})
    sim.device("console").fault("duplicate", 2)
    await do("console", "press", "no-more-bets")
    await do("shoe", "draw", "2h")
    sim.device("shoe").fault("power")
    await until(lambda: daemon.service.fleet.devices["shoe"].state.phase == "lost")
    await until(lambda: daemon.service.fleet.devices["shoe"].state.phase == "ready")
    await asyncio.sleep(0.1)
    sim.device("shoe").fault("drop", 1)
    await do("shoe", "draw", "Kd")
    await do("console", "press", "settle")


async def save(daemon: Daemon, name: str, file: Path) -> None:
    words = [name, "trace", "--save", str(file), "--socket", str(daemon.config.api.socket)]
    said = await asyncio.to_thread(lambda: CliRunner().invoke(command, words))
    assert said.exit_code == 0, said.output


def house(directory: Path, *, more: str = "", options: dict[str, str] | None = None) -> Path:
    directory.mkdir()
    path = table_toml(directory)
    text = path.read_text()
    for name, option in (options or {}).items():
        text = text.replace(f'"sim://{name}"', f'"sim://{name}?{option}"')
    path.write_text(text + more)
    return path


@pytest.mark.parametrize("whole", [True, False])
async def test_a_round_of_captures(whole: bool, tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.jsonl" for name in NAMES}
    async with dealt_table(load_config(house(tmp_path / "first", more=WHOLE if whole else ""))) as (daemon, sim, _):
        await a_round(daemon, sim)
        for name, file in files.items():
            await save(daemon, name, file)
        happened, counted = facts(daemon), counters(daemon)
    assert "two of hearts left the shoe" in happened and len(happened) > 6
    assert ("a2" + b"2h".hex() in files["shoe"].read_text()) == whole

    options = {name: f"replay={file}" for name, file in files.items()}
    if not whole:
        options["shoe"] += "&withheld=2h,Kd"  # the dealer saw them
    async with dealt_table(load_config(house(tmp_path / "again", options=options))) as (daemon, sim, _):
        await until(lambda: daemon.service.quiet and not any(device.pending for device in sim.devices.values()))
        assert facts(daemon) == happened
        assert counters(daemon) == counted
        assert daemon.service.engine.table.round is not None and daemon.service.engine.table.round.outcome == "settled"


async def test_a_capture_that_cannot_be_played_keeps_the_table_from_starting(tmp_path: Path) -> None:
    path = house(tmp_path / "first", options={"shoe": f"replay={tmp_path / 'none'}"})
    with pytest.raises(FeltError, match="cannot be read") as failure:
        async with dealt_table(load_config(path)):
            pass
    assert failure.value.code == "sim.wire"


def test_a_table_with_one_real_device_can_never_have_whole_captures(tmp_path: Path) -> None:
    path = house(tmp_path / "first", more=WHOLE)
    config = load_config(path)
    assert whole_captures(config)
    assert not whole_captures(load_config(house(tmp_path / "plain")))
    path.write_text(path.read_text().replace("sim://lamps", "serial:///dev/lamps"))
    with pytest.raises(ConfigError) as failure:
        load_config(path)
    (problem,) = failure.value.problems
    assert (problem.key, '"lamps" is not' in problem.message) == ("simulation.whole-captures", True)
    real = config.devices["lamps"].model_copy(update={"address": parse("serial:///dev/lamps")})
    mixed = {**config.devices, "lamps": real}
    assert not whole_captures(config.model_copy(update={"devices": mixed}))  # also when nobody has checked the file
