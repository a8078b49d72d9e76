"""What fuzzing has found and no kept input can show: files that differ in each run, and what is told of them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from controller.errors import FeltError
from controller.jackpot.stores.books import posting_of
from controller.journal import Journal
from controller.journal.checkpoints import KeptCheckpoint
from controller.journal.errors import CORRUPT, JournalError
from controller.journal.verify import verify
from controller.service.round_store import RoundsDamaged, RoundStore, Wanted
from tests.cli.conftest import felt
from tests.cli.test_inspector import check, exported, rewrite
from tests.fuzz.stored import RoundsFile, small_journal


def test_a_journal_whose_tables_have_no_readable_names_is_corrupt(tmp_path: Path) -> None:
    path = small_journal(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE \xff\x80BLE"))
    with pytest.raises(JournalError) as caught:
        verify(path)
    assert caught.value.code == CORRUPT
    with pytest.raises(JournalError):
        Journal.open(path, table="T1", create=False)


@pytest.mark.parametrize(("frontier", "note"), [(None, "note"), (b"", None), ("text", "note"), (5, b"note")])
def test_a_kept_checkpoint_may_be_anything(frontier: object, note: object) -> None:
    assert KeptCheckpoint.stored(5, frontier, note, 0) is None


@pytest.mark.parametrize(
    "line",
    [{"count": 0}, {"count": -1}, {"count": 3}, {"leaf": "ab"}, {"hash": "ab"}, {"leaf": "ab" * 33}, {"count": 1e999}],
)
def test_an_export_with_impossible_lines_is_no_verdict(tmp_path: Path, line: dict[str, object]) -> None:
    folder = exported(small_journal(tmp_path))

    def change(lines: list[dict[str, object]]) -> None:
        next(each for each in lines if "leaf" in each).update(line)

    rewrite(folder, change)
    ran = check(folder)
    assert ran.returncode == 2 and "Traceback" not in ran.stderr, ran.stderr
    assert ran.stderr.startswith("this cannot be checked: ")


def test_an_export_of_nothing_but_brackets_is_no_verdict(tmp_path: Path) -> None:
    folder = exported(small_journal(tmp_path))
    (folder / "records.jsonl").write_text("[" * 100_000)
    ran = check(folder)
    assert ran.returncode == 2 and "Traceback" not in ran.stderr


@pytest.mark.parametrize("column", ["summary", "record"])
def test_a_round_that_the_disk_has_altered_is_not_told(column: str) -> None:
    target = RoundsFile()
    path = target.lay(b"")
    with sqlite3.connect(path) as db:
        opened, kept = db.execute(f"SELECT opened, {column} FROM round LIMIT 1").fetchone()
        other = bytes([*kept[:20], kept[20] ^ 1, *kept[21:]])
        db.execute(f"UPDATE round SET {column} = ? WHERE opened = ?", (other, opened))
    db.close()
    store = RoundStore.open(path, target.table)
    with pytest.raises(RoundsDamaged) as caught:
        _ = [*store.list(Wanted(most=100)), *store.records(Wanted())]
    assert caught.value.code == "rounds.unkept" and store.damaged is caught.value
    store.close()
    target.close()


def test_a_round_under_the_number_of_another_is_not_told() -> None:
    target = RoundsFile()
    path = target.lay(b"")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE round SET number = 77")
        db.execute("UPDATE meta SET value = '5x' WHERE name = 'told'")
    db.close()
    store = RoundStore.open(path, target.table)
    with pytest.raises(RoundsDamaged):
        store.find(77)
    with pytest.raises(RoundsDamaged):
        _ = store.position
    store.close()
    target.close()


def test_a_movement_without_its_numbers_is_corrupt() -> None:
    row = ("T1", 1, 1, "contribution", "1", 28610, "[]", 28610, 0, None, 0, None)
    assert posting_of(row, 5).seq == 5
    with pytest.raises(FeltError) as caught:
        posting_of(row, None)  # type: ignore[arg-type]
    assert caught.value.code == "jackpot.corrupt"


def test_a_name_that_is_too_long_is_told_with_its_code() -> None:
    ran = felt("config", "init", "a" * 300, "--json")
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["error"]["code"] == "file.unusable"
