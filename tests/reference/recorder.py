"""A controller that has every event on disk at once, and greets the device again whenever it was lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from firmware_bridge.link import HostLink, LinkError, Timing
from firmware_bridge.messages import Event
from firmware_bridge.transport import Transport

QUICK = Timing(hello_retry=0.05, hello_deadline=0.5, command_retry=0.05, ping=0.04, ping_retry=0.02, silent=0.12)


class Recorder:
    """What it has on disk: events with their counters, and the epochs of all memories that there were."""

    def __init__(self, transport: Transport, key: bytes | None = None) -> None:
        self.events: list[tuple[int, Event]] = []
        self.epochs: set[int] = set()
        self._transport = transport
        self._key = key
        self._epoch = self._counter = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Keeps the device connected meanwhile."""
        sessions = asyncio.create_task(self._sessions())
        try:
            yield
        finally:
            sessions.cancel()
            await asyncio.gather(sessions, return_exceptions=True)

    async def _sessions(self) -> None:
        while True:
            lost = asyncio.Event()
            link = HostLink(
                self._transport,
                on_event=lambda counter, event: self._heard(link, counter, event),  # noqa: B023 - one link at a time
                on_lost=lambda _: lost.set(),  # noqa: B023
                timing=QUICK,
                key=self._key,
            )
            try:
                identity = await link.open(self._epoch, self._counter)
                self._epoch = identity.epoch
                self.epochs.add(identity.epoch)
                await lost.wait()
            except LinkError:
                await asyncio.sleep(0.02)
            finally:
                await link.close()

    def _heard(self, link: HostLink, counter: int, event: Event) -> None:
        self._counter = counter
        self.events.append((counter, event))
        link.ack(counter)
