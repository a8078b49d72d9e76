"""A process that is killed, or whose disk refuses, has lost nothing that it acknowledged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal import Journal, verify
from tests.journal.conftest import TABLE

ROOT = Path(__file__).resolve().parents[2]

APPEND_FOR_EVER = """
import sys
from pathlib import Path
from controller.journal import Entry, Journal
journal = Journal.open(Path(sys.argv[1]), table=sys.argv[2])
counter = journal.seen("shoe", 1).counter
while True:
    batch = [Entry(counter + n, b"card", "shoe", 1, counter + n) for n in range(1, 1 + counter % 7 + 1)]
    counter += len(batch)
    print(journal.append(batch)[-1].seq, flush=True)
    if counter % 50 < 7:
        journal.snapshot(journal.head.seq, b"%d" % counter)
"""

FILE_SIZE_LIMIT = """
import resource, sys
from pathlib import Path
from controller.journal import Entry, Journal, JournalError, verify
journal = Journal.open(Path(sys.argv[1]), table=sys.argv[2])
journal.append([Entry(1, b"first", "shoe", 1, 1)])
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
big = [Entry(2, bytes(200000), "shoe", 1, 2)]
for _ in range(2):
    try:
        journal.append(big)
    except JournalError as error:
        print(error.code, journal.head.seq, journal.seen("shoe", 1).counter)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(journal.append(big)[0].seq, verify(journal).ok)
journal.close()
"""


def start(script: str, path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(path), TABLE]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_every_acknowledged_record_outlives_kill_9(path: Path) -> None:
    acknowledged = 0
    for turn in range(10):
        with start(APPEND_FOR_EVER, path) as child:
            assert child.stdout is not None
            for _ in range(3 + 11 * turn):  # so that each turn dies somewhere else
                acknowledged = int(child.stdout.readline())
            child.send_signal(signal.SIGKILL)
            acknowledged = max([acknowledged, *map(int, child.stdout.read().split("\n")[:-1])])
        assert child.returncode == -signal.SIGKILL
        journal = Journal.open(path, table=TABLE)
        records = list(journal)
        assert len(records) >= acknowledged
        assert [record.counter for record in records] == list(range(1, len(records) + 1))
        assert journal.seen("shoe", 1).counter == len(records)
        journal.close()
        report = verify(path)
        assert report.ok, report


@pytest.mark.skipif(sys.platform != "linux", reason="file size limits act on writes as a failing disk does")
def test_a_disk_that_refuses_a_write_is_survived(path: Path) -> None:
    with start(FILE_SIZE_LIMIT, path) as child:
        assert child.stdout is not None
        lines = child.stdout.read().splitlines()
    assert lines == ["journal.io 1 1", "journal.io 1 1", "2 True"]
    assert verify(path).checked == 2
