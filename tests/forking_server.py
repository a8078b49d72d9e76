"""Forks `felt` and `feltd` from an interpreter that has loaded them: a test does not pay for their start.

Run by tests/forking.py, which holds the other end of the socket; none of the processes outlives that end.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from controller.cli.main import COMMANDS
from controller.cli.main import main as felt
from controller.daemon.main import main as feltd

PROGRAMS: dict[str, Callable[[], object]] = {"felt": felt, "feltd": feltd}
DRAWN = ("monitor",)  # loads much that no other command needs
SIGNAL_ON_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
MESSAGE = 1 << 18  # bytes: words and environment


class Server:
    """Waits for orders and for the ends of processes."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._poll = select.poll()
        self._poll.register(orders, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}  # handle -> process, where its status is awaited

    def serve(self) -> dict[str, Any] | None:
        """Returns in each process that is forked, with its order; and when nobody is left who could give orders."""
        while True:
            for handle, _ in self._poll.poll():
                if handle in self._running:
                    self._reap(handle)
                    continue
                message, files, _, _ = socket.recv_fds(self._orders, MESSAGE, 4)
                if not message:
                    self._end()
                    return None
                order: dict[str, Any] = json.loads(message)
                if self._fork(files, order):
                    return order

    def _fork(self, files: list[int], order: dict[str, Any]) -> bool:
        """Tells whether this is the new process."""
        *standard, told = files
        server, child = os.getpid(), os.fork()
        if child == 0:
            self._become(standard, told, server)
            if order["session"]:
                os.setsid()
            return True
        for each in standard:
            os.close(each)
        handle = os.pidfd_open(child)
        self._running[handle] = (child, told)
        self._poll.register(handle, select.POLLIN)
        os.write(told, b"%d\n" % child)
        return False

    def _become(self, standard: list[int], told: int, server: int) -> None:
        ctypes.CDLL(None).prctl(SIGNAL_ON_DEATH_OF_PARENT, signal.SIGKILL)
        if os.getppid() != server:  # it died before the kernel knew that it is to tell us
            os._exit(1)
        self._orders.close()
        for handle, (_, other) in self._running.items():
            os.close(handle)
            os.close(other)
        os.close(told)
        for number, each in enumerate(standard):
            os.dup2(each, number)
            os.close(each)

    def _reap(self, handle: int) -> None:
        child, told = self._running.pop(handle)
        self._poll.unregister(handle)
        os.close(handle)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with contextlib.suppress(BrokenPipeError):  # nobody waits for it
            os.write(told, b"%d\n" % status)
        os.close(told)

    def _end(self) -> None:
        for handle, (child, _) in list(self._running.items()):
            os.kill(child, signal.SIGKILL)
            self._reap(handle)


def opened(number: int, mode: str, errors: str) -> Any:
    """Returns a standard stream as the interpreter makes it when it starts."""
    terminal = os.isatty(number)
    return open(number, mode, buffering=1 if terminal else -1, encoding="utf-8", errors=errors, closefd=False)


def play(order: dict[str, Any]) -> object:
    """Does in a new process what was ordered."""
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.path[:0] = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.stdin = sys.__stdin__ = opened(0, "r", "strict")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = opened(1, "w", "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = opened(2, "w", "backslashreplace")  # type: ignore[misc]
    sys.argv = [order["program"], *order["words"]]
    return PROGRAMS[order["program"]]()


def load() -> None:
    """Loads what the programs load only when they need it."""
    importlib.import_module("controller.cli.group")
    for name, (module, _) in COMMANDS.items():
        if name not in DRAWN:
            importlib.import_module(module)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell ignores
    load()
    order = Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    if order is not None:
        sys.exit(play(order))  # type: ignore[arg-type]
