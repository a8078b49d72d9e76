"""The floors do the work that they stand for: the journal's stores what the journal stores, slow disks are slow."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.bursts import FACTS, tellings
from benchmarks.deeds import TEN
from benchmarks.journal import batches, entry
from benchmarks.measure import REALTIME, ROOT, NothingMeasured, hurry, priority
from benchmarks.slow_disk import environment
from controller.journal.store import Journal
from firmware_bridge.session import WINDOW
from tests.disk import shim


def test_the_floor_stores_the_rows_of_the_journal() -> None:
    journal = Journal.open(None, table="bench")
    for start in range(0, 20, 6):
        journal.append([entry(n) for n in range(start, min(start + 6, 20))])
    made = batches(20, 6)
    stored = journal._connection
    assert [row for records, _ in made for row in records] == stored.execute("SELECT * FROM record").fetchall()
    told = {row[0]: row for _, rows in made for row in rows}
    assert sorted(told.values()) == stored.execute("SELECT * FROM device ORDER BY device").fetchall()
    journal.close()


def test_a_burst_is_what_ten_devices_may_tell_at_once() -> None:
    devices = [deed.device for deed in tellings()]
    assert len(devices) == FACTS
    assert {devices.count(name) for name in TEN} == {WINDOW}


@pytest.mark.skipif(shim.compiler() is None, reason="no compiler of C")
def test_a_slow_disk_waits_at_each_sync(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib\n"
        "from benchmarks.slow_disk import slow_down\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "slow_down(folder)\n"
        "file = os.open(folder / 'log', os.O_CREAT | os.O_WRONLY)\n"
        "for _ in range(20): os.fdatasync(file)\n"
    )
    library = shim.build(tmp_path)
    began = time.monotonic()
    made = {**environment(library, 0.05), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=made, check=True)
    assert time.monotonic() - began >= 1.0


def test_real_time_priority_that_is_not_permitted_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    hurry()  # nobody wishes it
    assert priority() == "ordinary priority"
    monkeypatch.setenv(REALTIME, "1")
    with pytest.raises(NothingMeasured):
        hurry()
