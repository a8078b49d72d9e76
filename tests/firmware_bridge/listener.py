"""Who listens at our end of a wire in these tests, and what a process must have left when a test is over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge.transport import TransportError


class Listener:
    """Keeps everything; `until` waits in real time."""

    def __init__(self) -> None:
        self.data = b""
        self.losses: list[TransportError] = []
        self.news = asyncio.Event()

    @property
    def codes(self) -> list[str]:
        return [loss.code for loss in self.losses]

    def received(self, data: bytes) -> None:
        self.data += data
        self.news.set()

    def lost(self, why: TransportError) -> None:
        self.losses.append(why)
        self.news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not true():
                self.news.clear()
                await self.news.wait()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@contextmanager
def nothing_leaks() -> Iterator[None]:
    """No thread and no descriptor more than before.  Begin it inside of the loop, which has some of its own."""
    threads, descriptors = set(threading.enumerate()), open_descriptors()
    yield
    left = set(threading.enumerate()) - threads
    assert not [thread for thread in left if not thread.name.startswith("asyncio_")]  # the loop's own end with it
    assert open_descriptors() == descriptors
