"""A device of the reference firmware at the end of a cable on which everything can go wrong, in real time."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from hw_sim.faults import FaultyWire
from hw_sim.wire import PtyWire
from tests.reference.process import PATIENCE, Reference

_T = TypeVar("_T")


class Cable:
    """A pseudo-terminal, a faulty wire, and the device's end as a socket; it lives in a thread of its own."""

    def __init__(self, link: Path) -> None:
        self._ours, self.theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._faults: FaultyWire = self._do(lambda: self._plug(link))

    def inject(self, fault: str, *arguments: Any) -> None:
        """Begins a fault of hw_sim/faults.py."""
        self._do(lambda: self._faults.inject(fault, *arguments))

    def clear(self) -> None:
        """Ends all faults."""
        self._do(self._faults.clear)

    @property
    def active(self) -> list[str]:
        """The faults in force."""
        return self._do(lambda: self._faults.active)

    def drain(self) -> None:
        """Loses what was sent to a device that had no power."""
        self.theirs.setblocking(False)
        try:
            while self.theirs.recv(4096):
                pass
        except BlockingIOError:
            pass

    def close(self) -> None:
        """Takes it away."""
        self._do(self._unplug)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()
        self._ours.close()
        self.theirs.close()

    def _plug(self, link: Path) -> FaultyWire:
        faults = FaultyWire(PtyWire(link), lambda: None, seed=link.name)
        faults.attach(self._to_device)
        self._loop.add_reader(self._ours, lambda: faults.send(self._ours.recv(4096)))
        faults.start()
        return faults

    def _unplug(self) -> None:
        self._loop.remove_reader(self._ours)
        self._faults.stop()

    def _to_device(self, data: bytes) -> None:
        try:
            self._ours.send(data)
        except BlockingIOError:
            pass  # nobody fetches it: it is lost, as on a line without flow control

    def _do(self, call: Callable[[], _T]) -> _T:
        done: Future[_T] = Future()

        def run() -> None:
            try:
                done.set_result(call())
            except BaseException as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return done.result(PATIENCE)


class Cabled(Reference):
    """A device behind such a cable."""

    def __init__(self, command: list[str], family: str, folder: Path, **options: str) -> None:
        super().__init__(command, family, folder, **options)
        self.cable = Cable(self.port)

    def _wire(self) -> tuple[list[str], list[int]]:
        self.cable.drain()
        number = self.cable.theirs.fileno()
        return self._handed(number), [number]

    def put_away(self) -> None:
        super().put_away()
        self.cable.close()
