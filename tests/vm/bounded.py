"""Runs a program that makes something, and ends it with all that it started when the time is over."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 1800.0  # seconds for anything; a mirror may be slow
GRACE: Final = 15.0  # seconds to put away what is half made


def run(words: Sequence[str], until: float, *, shown: bool = False) -> None:
    """Runs it until it ends, by `time.monotonic`; `shown`: what it says is for people, else only why it failed.

    TimeoutError when the time was over, RuntimeError when it failed.
    """
    with tempfile.TemporaryFile() as kept:
        out = None if shown else kept
        process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
        try:
            process.wait(max(min(until - time.monotonic(), PATIENCE), 0.0))
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{' '.join(words)} was not done in time") from None
        finally:
            _end(process)
        if process.returncode:
            kept.seek(0)
            said = kept.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}: {said}")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    for how in (signal.SIGTERM, signal.SIGKILL):
        os.killpg(process.pid, how)
        try:
            process.wait(GRACE)
            return
        except subprocess.TimeoutExpired:
            continue
