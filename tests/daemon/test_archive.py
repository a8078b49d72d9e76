"""A daemon that archives its journal, and what `felt` says of rounds that are in an archive."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.config import load_config
from controller.daemon import compose
from controller.journal import Journal
from controller.journal.key_file import make_key
from controller.service.archive_plan import Bounds
from controller.service.archivist import Archivist
from controller.table.facts import Archived
from controller.table.wall_clock import CLOCK
from tests.cli.conftest import felt as felt_command
from tests.daemon.house import table_toml
from tests.daemon.test_floor import felt
from tests.service.clocks import Clocks, Table, table, until
from tests.service.hidden_table import DEAL, round_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SMALL = Bounds(near=0, smallest=1 << 20)  # so that it does nothing by itself
DAYS = 500 * 24 * 3600
FILE = "T1-1-512.felt-archive.jsonl"


@asynccontextmanager
async def running(directory: Path, clocks: Clocks) -> AsyncIterator[Table]:
    path = table_toml(directory, game="three-card-poker")
    text = f'[journal]\narchive = "{directory}/archives"\nkey = "{directory}/journal.key"\n'
    path.write_text(f"{path.read_text()}\n{text}")
    async with table(load_config(path), clocks.system()) as t:
        t.engine.table.faults.pop(CLOCK, None)
        yield t


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    monkeypatch.setattr(compose, "Archivist", partial(Archivist, bounds=SMALL._replace(largest=512)))
    return Clocks()


async def dealt(t: Table) -> None:
    while t.engine.seq < 700:
        for fact in round_of(DEAL):
            await t.engine.submit(fact)
    for _ in range(3):  # the older ones are not kept
        t.engine._snapshot()
        await until(lambda: not t.engine.pending and not t.engine.writer.depth)


async def test_old_rounds_leave_the_journal_and_are_told_as_before(tmp_path: Path, clocks: Clocks) -> None:
    (tmp_path / "archives").mkdir()
    key = make_key(tmp_path / "journal.key", "T1").verifier().to_text()
    async with running(tmp_path, clocks) as t:
        await dealt(t)
        before = (await felt(t, "round", "show", "1", "--json")).output.splitlines()[-1]
        kept = (await felt(t, "journal", "checkpoint")).output
        nothing = json.loads((await felt(t, "journal", "archive", "--json")).output)
        assert nothing["error"]["code"] == "archive.nothing"
        clocks.passes(DAYS)
        t.engine.table.faults.pop(CLOCK, None)
        said = await felt(t, "journal", "archive")
        assert said.exit_code == 0, said.output
        assert f"{FILE}: records 1 to 512, named by record " in said.output
        await until(lambda: t.daemon.journal.base.seq == 512)
        (fact,) = t.facts(Archived)
        assert fact.account >= 0
        listed = (await felt(t, "journal", "archives")).output
        assert listed.endswith("1 archive; the journal begins at record 513\n")
        assert fact.digest.hex() in listed
        verified = await felt(t, "journal", "verify", "--replay", "--key", key)
        assert verified.output.startswith("sound: "), verified.output
        assert "NOT SEEN" not in verified.output
        assert "sealed in" in (await felt(t, "journal", "tail", "-n", "50")).output
        assert (await felt(t, "journal", "prove", "7")).exit_code == 0
    (tmp_path / "state" / "rounds.db").unlink()  # the index is made anew: from the archive
    async with running(tmp_path, clocks) as t:
        assert t.daemon.journal.begins == 1
        assert (await felt(t, "round", "show", "1", "--json")).output.splitlines()[-1] == before
        exported = await felt(t, "journal", "export", "--inspector", str(tmp_path / "export"))
        assert f"the records before are in {FILE}" in exported.output
    await asyncio.to_thread(_inspected, tmp_path, key, kept)


def _inspected(directory: Path, key: str, kept: str) -> None:
    """Checks as an inspector does, with one file and Python alone."""
    (directory / "kept").write_text(kept)
    program, rest = directory / "export" / "verify_export.py", directory / "export" / "records.jsonl"
    command = [sys.executable, "-I", "-S", str(program), "--key", key, "--checkpoint", str(directory / "kept")]
    whole = subprocess.run(
        [*command, str(directory / "archives" / FILE), str(rest)], capture_output=True, text=True, check=False
    )
    assert whole.stdout.startswith("SOUND\nproved: the first "), whole
    later = subprocess.run([*command[:-2], str(rest)], capture_output=True, text=True, check=False)
    assert "NOT SEEN: records 1 to 512: they are in archives; give those first" in later.stdout


async def archived(tmp_path: Path, clocks: Clocks) -> None:
    """Leaves a table that has stopped, with its first 512 records in an archive."""
    (tmp_path / "archives").mkdir()
    make_key(tmp_path / "journal.key", "T1")
    async with running(tmp_path, clocks) as t:
        await dealt(t)
        clocks.passes(DAYS)
        t.engine.table.faults.pop(CLOCK, None)
        assert (await felt(t, "journal", "archive")).exit_code == 0
        await until(lambda: t.daemon.journal.base.seq == 512)


async def test_without_the_disk_of_the_archives_the_table_plays_and_says_where_a_round_is(
    tmp_path: Path, clocks: Clocks
) -> None:
    await archived(tmp_path, clocks)
    (tmp_path / "archives").rename(tmp_path / "away")
    (tmp_path / "state" / "rounds.db").unlink()
    async with running(tmp_path, clocks) as t:
        for fact in round_of(DEAL):
            await t.engine.submit(fact)
        await _looked(t)
        status = (await felt(t, "status")).output
        assert "archive.missing" in status, status
        doctor = await felt(t, "doctor", "--config", str(tmp_path / "table.toml"))
        assert "archive.missing" in doctor.output, doctor.output
        assert (await felt(t, "journal", "tail")).exit_code == 0
        gone = json.loads((await felt(t, "journal", "prove", "7", "--json")).output)
        assert gone["error"]["code"] == "archive.missing"
        assert FILE in gone["error"]["cause"]
        verified = json.loads((await felt(t, "journal", "verify", "--json")).output)
        assert verified["code"] == "archive.missing"
    journal = tmp_path / "state" / "journal.db"
    alone = await asyncio.to_thread(felt_command, "journal", "verify", str(journal))
    assert f"note: NOT SEEN: records 1 to 512, in 1 archive ({FILE})" in alone.stdout
    whole = await asyncio.to_thread(
        felt_command, "journal", "verify", str(journal), "--archive", str(tmp_path / "away")
    )
    assert "NOT SEEN" not in whole.stdout
    assert whole.stdout.startswith("sound: ")


async def _looked(t: Table) -> None:
    """Waits until it has been told that the folder is not there."""
    await until(lambda: "archives" in t.daemon.service.closed_doors)


async def test_a_damaged_journal_is_repaired_with_copy_and_archives(tmp_path: Path, clocks: Clocks) -> None:
    await archived(tmp_path, clocks)
    journal, copy = tmp_path / "state" / "journal.db", tmp_path / "copy.db"
    copy.write_bytes(journal.read_bytes())  # a backup of the stopped table: its first records have left it too
    damage(journal)
    refused = await asyncio.to_thread(felt_command, "journal", "repair", str(journal), "--from", str(copy), "--json")
    assert json.loads(refused.stdout)["error"]["code"] == "journal.archived"
    words = ["journal", "repair", str(journal), "--from", str(copy), "--archive", str(tmp_path / "archives")]
    done = await asyncio.to_thread(felt_command, *words)
    assert done.returncode == 0, done
    repaired = Journal.open(journal, table="T1")
    assert (repaired.base.seq, repaired.head.seq > 700) == (0, True)
    repaired.close()


def damage(journal: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(journal)
    connection.execute("UPDATE record SET sealed = zeroblob(50) WHERE seq = 600")
    connection.commit()
    connection.close()
