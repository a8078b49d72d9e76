"""From table.toml to the prize meter's store: what may be written there, and the way to a shared one."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, TableConfig
from controller.config.begin import begin
from controller.config.load import load_config
from controller.errors import FeltError
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.service.meter_store import open_store, read_dsn, sync_settings
from tests.daemon.house import failed_start, table_toml


def written(directory: Path, options: str = 'jackpot = "nsw"\n', section: str = "") -> Path:
    path = table_toml(directory, options=options, game="caribbean-stud")
    path.write_text(path.read_text() + section)
    return path


def loaded(directory: Path, options: str = 'jackpot = "nsw"\n', section: str = "") -> TableConfig:
    return load_config(written(directory, options, section))


SHARED = '[jackpot]\nstore = "postgres"\ndsn-file = "/etc/feltd/jackpot.dsn"\n'
GROUP = 'jackpot = "nsw"\njackpot-group = "G"\n'


@pytest.mark.parametrize(
    ("options", "section", "keeper"),
    [
        ("", "", ""),
        ('jackpot = "nsw"\n', "", "own"),
        ('jackpot = "nsw"\n', '[jackpot]\nceiling = "250000"\n', "shared"),  # only the store knows what is above it
        (GROUP, SHARED, "shared"),
        ("", SHARED, ""),  # for tournaments alone
    ],
)
def test_who_keeps_the_meter(tmp_path: Path, options: str, section: str, keeper: str) -> None:
    assert begin(loaded(tmp_path, options, section)).meter == keeper


@pytest.mark.parametrize(
    ("options", "section", "problem"),
    [
        ("", '[jackpot]\nstore = "sqlite"\n', "jackpot: no Jackpot is offered here"),
        (GROUP, '[jackpot]\nstore = "postgres"\n', "jackpot.store: postgres needs the way to the server: add dsn-file"),
        ('jackpot = "nsw"\n', SHARED, "jackpot.store: tables share a meter by the name of their group"),
        (GROUP, '[jackpot]\ndsn-file = "/etc/x"\n', "jackpot.dsn-file: only postgres has one"),
        (GROUP, '[jackpot]\nstore = "postgre"\n', 'jackpot.store: unknown store "postgre": did you mean "postgres"?'),
        (GROUP, "[jackpot]\nceilling = 1\n", 'jackpot.ceilling: unknown key: did you mean "ceiling"?'),
        (GROUP, "[jackpot]\nceiling = 2.5\n", "jackpot.ceiling: must not be a floating-point number"),
        (GROUP, '[jackpot]\nreserve = "-1"\n', 'jackpot.reserve: "-1" must be an amount of dollars'),
        (GROUP, "[jackpot]\nceiling = 99999\n", "jackpot.ceiling: is below the seed of 100000.00: choose more"),
        (GROUP, '[jackpot]\nstore = "postgres"\ndsn-file = "x"\n', "jackpot.dsn-file: must be an absolute path"),
        ('jackpot = "vic"\n', "", "options.jackpot: this game's Jackpot is that of document 002 (rule 11.2.1)"),
        ('jackpot = "NSW"\n', "", 'options.jackpot: "NSW" must be one of nsw, vic, or none: did you mean "nsw"?'),
        ('jackpot = "nsw"\njackpot-cost = "x"\n', "", 'options.jackpot-cost: "x" must be an amount of dollars'),
        ('jackpot = "nsw"\njackpot-rate = "x"\n', "", 'options.jackpot-rate: "x" must be a percentage'),
        ('jackpot = "nsw"\njackpot-option = 7\n', "", "there are options 1 to 6 (rule 11.2.1(e))"),
    ],
)
def test_mistakes(tmp_path: Path, options: str, section: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, options, section)
    assert problem in caught.value.cause


def test_the_store_that_is_configured(tmp_path: Path) -> None:
    config = loaded(tmp_path, section='[jackpot]\nceiling = "250000"\nreserve = "12.50"\n')
    assert isinstance(open_store(config), SqliteStore)
    job = sync_settings(config)
    assert (job.table, job.alone, job.ceiling, job.reserve, job.allow) == ("T1", True, 2_500_000_000, 125_000, None)
    way = tmp_path / "dsn"
    way.write_text("host=/nowhere dbname=felt\n")
    way.chmod(0o600)
    config = loaded(tmp_path, GROUP, SHARED.replace("/etc/feltd/jackpot.dsn", str(way)))
    assert isinstance(open_store(config), PostgresStore)
    assert sync_settings(config).allow is not None  # its devices are simulated


def test_the_way_to_the_server_is_kept_secret(tmp_path: Path) -> None:
    way = tmp_path / "dsn"
    with pytest.raises(FeltError) as caught:
        read_dsn(way)
    assert caught.value.code == "jackpot.dsn-unreadable"
    way.write_text("host=/nowhere password=secret")
    way.chmod(0o640)
    with pytest.raises(FeltError) as caught:
        read_dsn(way)
    assert caught.value.code == "jackpot.dsn-permissions"
    assert "secret" not in str(caught.value)
    way.chmod(0o600)
    assert read_dsn(way) == "host=/nowhere password=secret"
    refused = failed_start(written(tmp_path, GROUP, SHARED))
    assert (refused.returncode, "jackpot.dsn-unreadable" in refused.stderr) == (1, True)
