"""A vendor's device on a bench: simulated at one end of a wire, supervised at the other, with a journal above."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from drivers.driver import Driver
from drivers.supervisor import Backoff, DeviceState, Origin, Supervisor
from drivers.vendors.register import endpoint
from firmware_bridge import messages as m
from firmware_bridge.address import parse
from hw_sim.table import SimDevice


class Bench:
    """What stands above the supervisor."""

    def __init__(
        self, device: SimDevice, driver: Driver, protocol: str, settings: object, address: str | None = None
    ) -> None:
        self.device = device
        self.readings: list[m.Event] = []
        self.phases: list[str] = []
        self.causes: list[str] = []
        self.stores = True  # False: the journal fails
        self.durable = (0, 0)
        self._seen: set[tuple[int, int]] = set()
        in_memory = not device.address
        place = parse(address or device.address or "sim://x")
        reached = endpoint(protocol, settings, place, {"sim": lambda _: device.transport()})
        make_driver = reached.make_driver
        self.driver: Any = make_driver() if make_driver else driver
        self.supervisor = Supervisor(
            device.name,
            self.driver.family,
            device.transport if in_memory else reached.make_transport,
            self.driver,
            expect_serial=None,
            resume=lambda: self.durable,
            on_reading=self._reading,
            on_state=self._state,
            backoff=Backoff(jitter=0.0),
            make_link=reached.make_link,
        )

    def _reading(self, origin: Origin, reading: m.Event) -> None:
        if not self.stores:
            return
        place = (origin.epoch, origin.counter)
        if origin.counter and place in self._seen:
            return
        self._seen.add(place)
        self.readings.append(reading)
        if origin.counter:
            self.durable = place
            self.supervisor.ack(origin.counter, origin.epoch)

    def _state(self, state: DeviceState) -> None:
        self.phases.append(state.phase)
        if state.latest is not None:
            self.causes.append(state.latest.code)

    @property
    def cards(self) -> list[str | None]:
        """The cards that arrived, in order; None: unread."""
        return [reading.faces[0] for reading in self.readings if isinstance(reading, m.CardDrawn)]

    @property
    def faults(self) -> list[str]:
        return [reading.code for reading in self.readings if isinstance(reading, m.Fault)]

    @property
    def cleared(self) -> list[str]:
        return [reading.code for reading in self.readings if isinstance(reading, m.FaultCleared)]

    @property
    def trace(self) -> str:
        return "\n".join(entry.text() for entry in self.supervisor.trace)

    async def until(self, holds: Callable[[], bool], within: float = 20.0) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while not holds():
            assert loop.time() < deadline, f"this never came about; {self.phases} {self.causes}\n{self.trace}"
            await asyncio.sleep(0.01)

    async def ready(self) -> None:
        await self.until(lambda: self.supervisor.state.phase == "ready")

    async def lost(self) -> None:
        await self.until(lambda: self.supervisor.state.phase == "lost")


@asynccontextmanager
async def on_the_bench(
    device: SimDevice,
    driver: Driver,
    protocol: str,
    settings: object,
    *,
    plugged: bool = True,
    address: str | None = None,
) -> AsyncIterator[Bench]:
    """The device runs and is ready; at the end nothing is left."""
    device.start()
    bench = Bench(device, driver, protocol, settings, address)
    bench.supervisor.start()
    try:
        if plugged:
            await bench.ready()
        yield bench
    finally:
        await bench.supervisor.stop()
        device.stop()
