"""Processes of `felt` and `feltd` that start in milliseconds; everything else about them is as a person starts them."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

SERVER = Path(__file__).with_name("forking_server.py")


class Process:
    """A `felt` or `feltd` in a process of its own; of what `subprocess.Popen` can, that which tests need."""

    def __init__(
        self,
        *words: str,
        stdin: int | None = None,
        stdout: int,
        stderr: int,
        env: Mapping[str, str],
        session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        self._told, theirs = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        program, *rest = words
        order = {"program": program, "words": rest, "environment": dict(env), "session": session}
        try:
            files = [nothing if stdin is None else stdin, stdout, stderr, theirs]
            socket.send_fds(server(), [json.dumps(order).encode()], files)
        finally:
            os.close(theirs)
            os.close(nothing)
        self.pid = int(self._line())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait(None)

    def poll(self) -> int | None:
        """Returns the exit status if it has ended."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self.returncode = int(self._line())
            os.close(self._told)
        return self.returncode

    def wait(self, timeout: float | None) -> int:
        """Returns the exit status once it has ended."""
        if self.returncode is None and not select.select([self._told], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        status = self.poll()
        assert status is not None
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _line(self) -> bytes:
        """Returns what the server tells of this process: first its number, at last its status."""
        line = b""
        while not line.endswith(b"\n"):
            some = os.read(self._told, 1)
            assert some, "the server that forks processes has gone"
            line += some
        return line


@cache
def server() -> socket.socket:
    """Starts the server of this worker; returns where it takes orders."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, str(SERVER), str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True)

    def end() -> None:
        ours.close()
        process.wait(10)

    atexit.register(end)
    return ours


def run(
    *words: str, env: Mapping[str, str], timeout: float, stdout: int | None = None, stdin: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end; returns its status and what it said, unless that went elsewhere."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        said = out.fileno() if stdout is None else stdout
        with Process(*words, stdin=stdin, stdout=said, stderr=err.fileno(), env=env) as process:
            status = process.wait(timeout)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, status, out.read().decode(), err.read().decode())
