"""What was put right while the daemon was down is told no more after the start: on no output."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.daemon.compose import Daemon, running
from controller.sim.addresses import schemes, simulated_table
from controller.views.notices import notices
from hw_sim.table import SimTable
from tests.daemon.house import table_toml
from tests.service.clocks import PATIENCE, until

DISPLAYS = "".join(f'[device.{n}]\nfamily = "display"\naddress = "sim://{n}"\n' for n in ("sign", "display"))
FAULTS = (
    ("shoe", "jam", ()),
    ("console", "stuck-key", ("settle",)),
    ("lamps", "open-circuit", (1,)),
    ("sensor.1", "dark", ()),
    ("sensor.2", "unplug", ()),
    ("sign", "hang", ()),
    ("display", "dark", ()),
)


def told(daemon: Daemon) -> set[str]:
    """The devices of which something is told."""
    service = daemon.service
    open_now = notices(service.engine.table, service.engine.game, service.fleet.trunks)
    return {device for notice in open_now for device in notice.devices} | service.engine.table.faults.keys()


def break_all(sim: SimTable) -> None:
    for device, fault, args in FAULTS:
        sim.device(device).fault(fault, *args)


@pytest.mark.parametrize("how", ["repaired", "replaced"])
async def test_what_was_cured_while_the_daemon_was_down_is_gone(tmp_path: Path, how: str) -> None:
    path = table_toml(tmp_path, game="caribbean-stud", options='jackpot = "nsw"\n')
    path.write_text(path.read_text() + DISPLAYS)
    config = load_config(path)
    async with simulated_table(config) as (sim, _):
        async with running(config, schemes(sim)) as daemon:
            assert await daemon.service.all_ready(PATIENCE)
            break_all(sim)
            await until(lambda: told(daemon) >= {device for device, _, _ in FAULTS})
        if how == "repaired":
            for device, _, _ in FAULTS:
                sim.device(device).clear()
            async with running(config, schemes(sim)) as again:
                await _nothing(again, sim)
    if how == "replaced":
        async with simulated_table(config) as (other, _), running(config, schemes(other)) as again:
            await _nothing(again, other)


async def _nothing(daemon: Daemon, sim: SimTable) -> None:
    assert await daemon.service.all_ready(PATIENCE)
    try:
        await until(lambda: not told(daemon) and daemon.service.quiet)
    except TimeoutError:
        raise AssertionError(f"{told(daemon)} {daemon.service.engine.table.faults}") from None
    shown = sim.device("console").state()["view"]["prompts"]
    assert not [line for line in shown if "lost" in line or "call" in line], shown
