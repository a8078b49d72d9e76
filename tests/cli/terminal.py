"""The command in a pseudo-terminal of 80 columns, typed at by a person."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from typing import Self

from tests.daemon.house import PATIENCE
from tests.forking import Process

ROWS, COLUMNS = 24, 80
STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """One command in its terminal."""

    def __init__(self, *words: str, **environment: str) -> None:
        ours, theirs = pty.openpty()
        _resize(theirs, ROWS, COLUMNS)
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        env |= {"TERM": "xterm-256color", **environment}
        self.process = Process("felt", *words, stdin=theirs, stdout=theirs, stderr=theirs, env=env, session=True)
        os.close(theirs)
        self._ours = ours
        self.raw = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._ours)

    def type(self, text: str) -> None:
        """Types these keys."""
        os.write(self._ours, text.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Pulls the window to another size."""
        _resize(self._ours, rows, columns)
        self.process.send_signal(signal.SIGWINCH)  # the kernel tells only who has it as its controlling terminal

    def interrupt(self) -> None:
        """Presses Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def until(self, words: str) -> str:
        """Returns all that was written once these words are there."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text:
            assert time.monotonic() < deadline, f"never said {words!r}: {self.text}"
            assert self._read(0.2) or self.process.poll() is None, f"ended without {words!r}: {self.text}"
        return self.text

    def end(self) -> int:
        """Waits until the command has ended; returns its status."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None or self._read(0):
            self._read(0.1)
            assert time.monotonic() < deadline, f"never ended: {self.text}"
        return self.process.wait(PATIENCE)

    @property
    def text(self) -> str:
        """What was written, without colours."""
        return STYLE.sub("", self.raw).replace("\r\n", "\n")

    def _read(self, patience: float) -> bool:
        if not select.select([self._ours], [], [], patience)[0]:
            return False
        try:
            some = os.read(self._ours, 65536)
        except OSError:  # nobody is at the other end any more
            return False
        self.raw += some.decode(errors="replace")
        return bool(some)


def _resize(terminal: int, rows: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def typed(*words: str, **environment: str) -> Terminal:
    """Runs a command to its end in a terminal; its status is `process.returncode`."""
    with Terminal(*words, **environment) as terminal:
        terminal.end()
    return terminal
