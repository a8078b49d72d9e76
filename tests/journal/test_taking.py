"""A journal is copied while somebody writes it: what comes of it is sound and as of one moment, or nothing is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal import Entry, Journal, verify
from controller.journal import taking as module
from controller.journal.taking import ATTEMPTS, log_of, take

# Some records at a time, with a log that is moved into the file again and again; it tells the first one.
WRITER = """
import random, sys, time
from pathlib import Path
from controller.journal import Entry, Journal
journal = Journal.open(Path(sys.argv[1]), table="T1")
journal._connection.execute("PRAGMA wal_autocheckpoint = 40")
number = 0
while True:
    for _ in range(random.randrange(1, 9)):
        number += 1
        journal.append([Entry(number, b"x" * random.choice((40, 9000)), "shoe", 1, number)])
    print(number, flush=True)
    time.sleep(random.choice((0.0, 0.03, 0.2)))
"""


def test_a_journal_that_is_written_all_the_time_is_copied_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            copied = []
            for number in range(12):
                told = int(writer.stdout.readline())
                copy = tmp_path / f"copy-{number}.db"
                if take(path, copy, shutil.copyfile):
                    report = verify(copy)
                    assert report.ok, report
                    assert report.checked >= told
                    copied.append(report.checked)
                    assert not log_of(copy).exists()  # whoever opened it has joined both
        finally:
            writer.kill()
    assert len(copied) > 3
    assert copied == sorted(copied)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal that is stopped, with a log as a kill leaves it."""
    path = tmp_path / "journal.db"
    made = Journal.open(path, table="T1")
    made.append([Entry(1, b"one")])
    shutil.copyfile(log_of(path), tmp_path / "log")
    made.close()
    (tmp_path / "log").rename(log_of(path))
    return path


@pytest.mark.parametrize("changed", ["the file", "the log", "the log, gone"])
def test_a_change_in_the_middle_begins_it_anew(journal: Path, tmp_path: Path, changed: str) -> None:
    began = []

    def copy(source: Path, to: Path) -> None:
        began.append(source)
        shutil.copyfile(source, to)
        if len(began) == 1:
            match changed:
                case "the file":
                    journal.touch()
                case "the log":
                    log_of(journal).write_bytes(bytes(reversed(log_of(journal).read_bytes())))
                case _:
                    log_of(journal).unlink()

    assert take(journal, tmp_path / "copy.db", copy)
    assert began.count(journal) == 2
    assert log_of(tmp_path / "copy.db").exists() == (changed != "the log, gone")


def test_a_journal_that_is_changed_each_time_is_not_copied(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUIET", 0.0)
    began = []

    def copy(source: Path, to: Path) -> None:
        began.append(source)
        journal.touch()

    assert not take(journal, tmp_path / "copy.db", copy)
    assert began.count(journal) == ATTEMPTS
