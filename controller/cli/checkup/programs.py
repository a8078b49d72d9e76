"""Other programs that are asked how the machine does."""

from __future__ import annotations

import subprocess
from typing import Final

PATIENCE: Final = 10  # seconds


def output_of(command: list[str]) -> str:
    """Returns what a program prints; nothing when it cannot."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
