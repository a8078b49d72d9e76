"""A sync that takes eight seconds: the loop goes on, the watchdog hears of it, and people are told.

Nobody waits for them: a sync takes 0.2 s, and the writer's clock makes forty seconds of one (`slow_disk`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from controller.journal.writer import STUCK
from controller.service.storage import Storage
from tests.disk.conftest import ROOT


def test_the_loop_turns_and_the_watchdog_is_fed_while_a_sync_takes_eight_seconds(library: Path, memory: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.disk.slow_disk", str(memory)]
    said = json.loads(subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True).stdout)
    assert said["longest"] >= 4.0  # it was seen from the loop: that did not stand still
    assert said["alive"]  # so the watchdog was fed: a sync that ends in time is no end of the writer
    assert said["after"] == 0.0


def test_a_sync_that_takes_far_too_long_is_not_alive(library: Path, memory: Path) -> None:
    """The watchdog must hear of that one: 48 s by the writer's clock."""
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.disk.slow_disk", str(memory), "1.2"]
    said = json.loads(subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True).stdout)
    assert said["longest"] > STUCK and not said["alive"] and said["after"] == 0.0


def test_people_are_told_of_a_slow_disk() -> None:
    writer = SimpleNamespace(waits=lambda now: now)
    engine: Any = SimpleNamespace(writer=writer, listeners=[])
    storage = Storage(engine)
    assert storage.slow(1.0) is None
    told = storage.slow(8.0)
    assert told is not None
    assert told.code == "journal.slow"
    assert "8 s" in told.cause
