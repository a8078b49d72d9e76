"""The chain says which program ran, and with which configuration."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.config import command
from controller.config.begin import begin
from controller.config.load import load_config
from controller.config.show import digest
from controller.daemon import compose
from controller.daemon.compose import running
from controller.journal import Entry, Journal, schema
from controller.service import audit
from controller.service.snapshots import our_version
from controller.sim.addresses import schemes, simulated_table
from controller.table import facts
from controller.table.facts import AnyFact, Configured, Started
from tests.daemon.house import table_toml


async def started(path: Path, version: str = our_version()) -> list[AnyFact]:
    """Starts a table and stops it; returns what is on record of its starts."""
    config = load_config(path)
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        said = [facts.decode(record.payload) for record in daemon.journal]
        begun = daemon.service.engine.table.begun
        assert begun is not None
        assert (begun.version, begun.config) == (version, digest(config))
    assert audit.verify(config.table.state / "journal.db", replay=True).ok
    return [fact for fact in said if isinstance(fact, Started | Configured)]


def tables(path: Path) -> str:
    """Returns the digest of the tables of the journal, by SQLite's own program: an inspector has nothing else."""
    with closing(sqlite3.connect(load_config(path).table.state / "journal.db")) as db:
        rows = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type = 'table', name").fetchall()
    return sha256("\n".join(" ".join(map(str, row)) for row in rows).encode()).hexdigest()


async def test_a_table_begins_with_its_program_and_its_configuration(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    (fact,) = await started(path)
    assert isinstance(fact, Started)
    assert (fact.version, fact.config) == (our_version(), digest(load_config(path)))
    assert fact.schema == tables(path) and len(fact.schema) == 64
    assert len(await started(path)) == 1  # the next start has nothing new to say


async def test_another_configuration_beside_the_game_is_recorded_once(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    await started(path)
    path.write_text(path.read_text() + "[rounds]\nkeep = 200\n")
    assert (await started(path))[1:] == [Configured(our_version(), digest(load_config(path)), schema=tables(path))]
    assert len(await started(path)) == 2


async def test_another_program_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table_toml(tmp_path)
    await started(path)
    monkeypatch.setattr(compose, "our_version", lambda: "99.1")
    assert (await started(path, "99.1"))[1:] == [Configured("99.1", digest(load_config(path)), schema=tables(path))]


def test_the_tables_that_archives_bring_have_another_digest() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        schema.create(db)
        before = schema.digest(db)
        schema.add_archives(db)
        assert schema.digest(db) != before


async def test_other_tables_of_the_file_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table_toml(tmp_path)
    await started(path)
    monkeypatch.setattr(Journal, "schema_digest", lambda journal: "others")
    said = (await started(path))[1:]
    assert said == [Configured(our_version(), digest(load_config(path)), schema="others")]
    assert len(await started(path)) == 2  # once


async def test_a_journal_of_a_version_that_did_not_say_it(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    config = load_config(path)
    journal = Journal.open(config.table.state / "journal.db", table="T1")
    journal.append([Entry(1, facts.encode(begin(config)))])
    journal.close()
    assert [type(fact) for fact in await started(path)] == [Started, Configured]


def test_the_digest_is_of_what_is_in_force_however_it_is_written(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    written = digest(load_config(path))
    path.write_text("# a remark\n" + path.read_text() + "[rounds]\nkeep = 10000\n")  # as it is without a word
    assert digest(load_config(path)) == written
    said = CliRunner().invoke(command, ["show", str(path), "--digest"])
    assert said.stdout == f"{written}\n"
    path.write_text(path.read_text().replace("sim://shoe", "sim://other-shoe"))
    assert digest(load_config(path)) != written
