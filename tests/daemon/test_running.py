"""The parts put together: what holds from start to stop, whoever starts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.daemon.compose import Daemon, running
from controller.errors import FeltError
from controller.journal import Journal
from controller.sim.addresses import schemes, simulated_table
from controller.table.facts import CardOut
from hw_sim.table import SimTable
from tests.daemon.house import failed_start, table_toml


def lit(sim: SimTable) -> list[str]:
    return list(sim.device("lamps").state()["view"]["lamps"])


async def test_outputs_are_safe_when_it_stops(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _):
        async with running(config, schemes(sim)) as daemon:
            assert await daemon.service.all_ready()
            assert lit(sim)
        assert lit(sim) == []
        Journal.open(tmp_path / "state" / "journal.db", table="T1").close()  # nobody holds it any more


async def test_it_leaves_nothing_behind_when_its_owner_fails(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _):
        with pytest.raises(ZeroDivisionError):
            async with running(config, schemes(sim)):
                raise ZeroDivisionError
    assert not config.api.socket.exists()
    Journal.open(tmp_path / "state" / "journal.db", table="T1").close()


async def test_its_status_in_one_line(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        sim.device("shoe").fault("hang")
        assert "waiting for shoe" in daemon.status()
        daemon.service.engine.defect = FeltError("table.defect", "fact 9 could not be followed", "call the technician")
        assert daemon.status() == "table.defect: fact 9 could not be followed"
        assert daemon.healthy()


async def test_a_fact_that_cannot_be_followed_is_recorded_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        await _break(daemon)
        assert daemon.service.engine.defect is not None
        recorded = daemon.journal.head.seq
        await daemon.service.engine.submit(CardOut("2c"))
        assert daemon.journal.head.seq == recorded + 1
    told = capsys.readouterr().out
    assert "table.defect" in told and "ExtensionError at " in told and "Qz" not in told


async def _break(daemon: Daemon) -> None:
    """A table without rules can follow nothing."""
    engine = daemon.service.engine
    engine.table.game = "Qz"
    await engine.submit(CardOut("Qz"))


def test_a_state_directory_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    refused = failed_start(table_toml(tmp_path, state=tmp_path / "file"))
    assert (refused.returncode, "journal.io" in refused.stderr) == (1, True)
