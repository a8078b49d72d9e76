"""Makes every sync of a process slow, as on an SD card: with the library of `tests/disk` in front of the system's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tests.disk import shim

SYNC = "FELT_SYNC"  # in the environment: seconds that each sync takes longer


def environment(library: Path, seconds: float) -> Mapping[str, str]:
    """Returns the environment of a process, and of those that it starts, whose syncs take so much longer."""
    return {**os.environ, "LD_PRELOAD": str(library), SYNC: str(seconds)}


def slow_down(directory: Path) -> None:
    """Makes this process wait at every sync of a file below `directory`, where its environment says so."""
    if seconds := float(os.environ.get(SYNC, 0)):
        shim.arm(directory, None, slow=seconds)
