"""Runs a program that makes something, and ends it with all that it started when the time is over."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 1800.0  # seconds for anything; a mirror may be slow
GRACE: Final = 15.0  # seconds to put away what is half made


class Program:
    """A program that runs beside us, until it has ended, or the `with` that it belongs to.

    `shown`: what it says is for people; else it is only told when it fails.
    """

    def __init__(self, words: Sequence[str], *, shown: bool = False) -> None:
        self._words = words
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        out = None if shown else self._said
        self._process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )

    def wait(self, until: float) -> None:
        """Waits for its end, by `time.monotonic`; TimeoutError when that is late, RuntimeError when it failed."""
        try:
            self._process.wait(max(min(until - time.monotonic(), PATIENCE), 0.0))
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{' '.join(self._words)} was not done in time") from None
        if self._process.returncode:
            self._said.seek(0)
            said = self._said.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"{' '.join(self._words)} ended with {self._process.returncode}: {said}")

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for how in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                os.killpg(self._process.pid, how)
                try:
                    self._process.wait(GRACE)
                except subprocess.TimeoutExpired:
                    continue
        self._said.close()
