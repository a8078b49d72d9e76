"""What `felt monitor` asks the daemon, in threads of its own: the screen never waits for an answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

from controller.api import routes
from controller.api.shapes import Device, FactShown, FrameShown, StatusShown
from controller.cli.client import Client
from controller.errors import FeltError

EVERY: Final = 1.0  # seconds between two looks; a fact is a reason to look at once
AGAIN: Final = 1.0  # seconds until a daemon that does not answer is asked again
BEFORE: Final = 200  # facts that were before the screen


class MonitorSource(Protocol):
    """What is asked."""

    def status(self) -> StatusShown: ...
    def devices(self) -> list[Device]: ...
    def latest(self, count: int) -> list[FactShown]: ...
    def facts(self, after: int) -> Iterator[FactShown]: ...
    def frames(self, device: str) -> list[FrameShown]: ...


class DaemonSource:
    """The running daemon."""

    def __init__(self, path: str) -> None:
        self._client = Client(path)

    def status(self) -> StatusShown:
        """Returns the table at one look."""
        return self._client.get(routes.STATUS)

    def devices(self) -> list[Device]:
        """Returns the devices."""
        return self._client.get(routes.DEVICES)["devices"]

    def latest(self, count: int) -> list[FactShown]:
        """Returns the latest facts."""
        return self._client.get(routes.TAIL, n=count)["facts"]

    def facts(self, after: int) -> Iterator[FactShown]:
        """Yields facts as they happen, until the daemon ends."""
        return self._client.stream(routes.EVENTS, FactShown, after=after)

    def frames(self, device: str) -> list[FrameShown]:
        """Returns the latest frames of a device; cards are withheld."""
        return self._client.get(routes.TRACE, device)["frames"]


class TableLook(NamedTuple):
    """What one look has found; `error` when nobody answered."""

    status: StatusShown | None
    devices: list[Device]
    error: str = ""


class TableWatch:
    """Two threads: one looks at the table, one follows its facts; both begin again when the daemon comes back."""

    def __init__(
        self,
        source: MonitorSource,
        seen: Callable[[TableLook], None],
        new_facts: Callable[[list[FactShown], bool], None],
    ) -> None:
        self._source, self._seen, self._new_facts = source, seen, new_facts
        self._news, self._end = threading.Event(), threading.Event()

    def start(self) -> None:
        """Begins to look."""
        for work in (self._look, self._follow):
            threading.Thread(target=work, daemon=True, name=f"monitor {work.__name__}").start()

    def stop(self) -> None:
        """Ends; a thread that waits for a fact is left behind, and ends with the process."""
        self._end.set()
        self._news.set()

    def _look(self) -> None:
        while not self._end.is_set():
            self._news.clear()
            try:
                seen = TableLook(self._source.status(), self._source.devices())
            except FeltError as error:
                seen = TableLook(None, [], error.cause)
            if self._end.is_set():
                return
            self._seen(seen)
            self._news.wait(EVERY)

    def _follow(self) -> None:
        last = -1
        while not self._end.is_set():
            try:
                facts = self._source.latest(BEFORE)
                newest = facts[-1]["seq"] if facts else 0
                anew = newest < last or last < 0  # another journal, or the beginning
                fresh = [fact for fact in facts if anew or fact["seq"] > last]
                last = newest
                self._tell(fresh, anew)
                for fact in self._source.facts(last):
                    last = fact["seq"]
                    self._tell([fact], False)
            except FeltError:
                pass  # the other thread says so
            self._end.wait(AGAIN)

    def _tell(self, facts: list[FactShown], anew: bool) -> None:
        if not self._end.is_set():
            self._new_facts(facts, anew)
            self._news.set()
