"""Talks to the agent in a machine: one line of JSON a request, one an answer, many under way at a time."""

from __future__ import annotations

import itertools
import json
import queue
import socket
import threading
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

SLACK: Final = 60.0  # seconds beyond those of a command, in which a busy machine answers


class GuestError(Exception):
    """The machine did not do what it was asked, or is gone."""


class Said(NamedTuple):
    """What a command came to."""

    status: int
    text: str


class Channel:
    """The line to a machine: it is there as soon as QEMU is, and the agent some time later."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(str(path))
        self._socket.settimeout(None)
        self._ids = itertools.count(1)
        self._waiting: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._hello = threading.Event()
        self._gone = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Waits for the agent; GuestError when it does not come."""
        if not self._hello.wait(seconds):
            raise GuestError(f"the machine has not come up in {seconds:.0f} s")
        if self._gone.is_set():
            raise GuestError("the machine has ended while it came up")

    def run(self, command: str, seconds: float = 60.0) -> Said:
        """Runs a command of the shell as root; GuestError when the machine is gone."""
        answer = self.ask({"run": command, "seconds": seconds}, seconds)
        return Said(answer["status"], answer["said"])

    def get(self, path: str) -> dict[str, Any] | None:
        """Asks the daemon; None while it does not answer."""
        answer: dict[str, Any] | None = self.ask({"get": path}, 20.0).get("answer")
        return answer

    def sim(self, request: dict[str, Any], at: str) -> dict[str, Any] | None:
        """Asks the simulated devices in the machine; None while they do not answer."""
        answer: dict[str, Any] | None = self.ask({"sim": request, "at": at}, 20.0).get("answer")
        return answer

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Sends a request and returns the answer to it."""
        number = next(self._ids)
        mine = self._waiting[number] = queue.Queue()
        try:
            with self._lock:
                self._socket.sendall(json.dumps({"id": number, **request}).encode() + b"\n")
            return self._answer(mine, time.monotonic() + seconds + SLACK)
        except OSError as error:
            raise GuestError(f"the machine is gone: {error}") from error
        finally:
            del self._waiting[number]

    def close(self) -> None:
        """Closes the line."""
        self._gone.set()
        self._socket.close()

    def _answer(self, mine: queue.Queue[dict[str, Any]], deadline: float) -> dict[str, Any]:
        while time.monotonic() < deadline:
            try:
                return mine.get(timeout=0.5)
            except queue.Empty:
                if self._gone.is_set():
                    raise GuestError("the machine is gone") from None
        raise GuestError("the machine does not answer")

    def _listen(self) -> None:
        try:
            with self._socket.makefile("rb") as lines:
                for line in lines:
                    self._take(json.loads(line))
        except (OSError, ValueError):
            pass  # cut off in the middle of a line: the machine is gone
        self._gone.set()
        self._hello.set()

    def _take(self, message: dict[str, Any]) -> None:
        if "hello" in message:
            self._hello.set()
        elif (mine := self._waiting.get(message["id"])) is not None:
            mine.put(message)
