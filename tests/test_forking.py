"""Processes that tests fork are as those that people start; and none is left behind, whatever becomes of a test."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.daemon.house import House
from tests.forking import Process, run

# Forks a daemon and a command that follows it, says their numbers, and is then killed or simply ends.
FORGETS = """
import os, sys, time
from pathlib import Path
from tests.daemon.house import House
from tests.forking import Process
house = House(Path(sys.argv[1]))
house.launch()
env = {**os.environ, "FELT_SOCKET": str(house.socket)}
follows = Process("felt", "journal", "tail", "-f", stdout=2, stderr=2, env=env)
print(house.process.pid, follows.pid, flush=True)
if sys.argv[2] == "killed":
    time.sleep(100)
"""
PATIENCE = 60.0


def runs(pid: int) -> bool:
    """Tells whether there is such a process; one that only waits to be reaped has no words any more."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("end", ["killed", "forgets"])
def test_no_process_outlives_the_one_that_ordered_it(tmp_path: Path, end: str) -> None:
    command = [sys.executable, "-c", FORGETS, str(tmp_path), end]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as forgetful:
        assert forgetful.stdout is not None
        forked = [int(pid) for pid in forgetful.stdout.readline().split()]
        assert len(forked) == 2
        if end == "killed":
            assert all(map(runs, forked))
            forgetful.kill()
    deadline = time.monotonic() + PATIENCE
    while any(map(runs, forked)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_words_environment_and_status_are_its_own() -> None:
    done = run("felt", "statsu", env={"COLUMNS": "40"}, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'status'" in done.stderr
    assert run("felt", "--version", env={}, timeout=PATIENCE).stdout.startswith("felt, version ")


def test_a_signal_ends_it_and_is_told(tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        house.launch()
        assert house.process is not None and house.process.poll() is None
        assert house.stop(signal.SIGKILL) == -signal.SIGKILL
    finally:
        house.close()


def test_what_one_has_open_no_other_has() -> None:
    """Else a reader would wait for words of one that has ended, until the other ends too."""
    (nothing, unsaid), (read, write) = os.pipe(), os.pipe()
    waits = ("felt", "run", "-")
    with (
        Process(*waits, stdin=nothing, stdout=write, stderr=write, env=os.environ) as first,
        Process(*waits, stdin=nothing, stdout=2, stderr=2, env=os.environ) as second,
    ):
        os.close(write)
        first.kill()
        assert select.select([read], [], [], PATIENCE)[0] and os.read(read, 100) == b""
        assert second.poll() is None
    for each in (nothing, unsaid, read):
        os.close(each)
