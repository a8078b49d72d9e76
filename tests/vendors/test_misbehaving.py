"""A vendor's driver that misbehaves, above a wire of its own: a named fault of its device, and nothing worse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from drivers.driver import Driver
from drivers.shoe import ShoeDriver
from drivers.supervisor import Backoff, DeviceState, Origin, Supervisor
from drivers.vendors.link import VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import Vendor
from firmware_bridge import messages as m
from firmware_bridge.transport import Receiver


class Wire:
    """A wire of which the test holds the other end."""

    def __init__(self) -> None:
        self.far: Receiver | None = None

    async def open(self, receiver: Receiver) -> None:
        self.far = receiver

    def write(self, data: bytes) -> None:
        pass

    async def close(self) -> None:
        pass


class AcmeLink(VendorLink[None]):
    """A shoe that says C for each card.  Tests make it misbehave."""

    about = Vendor("acme", ("shoe",), object, ("sim",), {}, False, False, "", "")
    tells: m.Event = m.CardDrawn("Kh")

    async def greet(self) -> tuple[str, str, str]:
        return "acme", "", ""

    async def look(self) -> None:
        pass

    async def carry_out(self, command: m.Command) -> m.Reply:
        return m.Reply(True)

    def received(self, data: bytes) -> None:
        for _ in data:
            self.emit(self.tells)


class Shoe:
    """One supervised shoe with such a driver, and what was heard of it."""

    def __init__(self, link: type[AcmeLink], driver: Driver | None = None) -> None:
        self.wire = Wire()
        self.readings: list[m.Event] = []
        self.states: list[DeviceState] = []
        memory = Memory()
        self.supervisor = Supervisor(
            "shoe",
            "shoe",
            lambda: self.wire,
            driver or ShoeDriver(),
            expect_serial=None,
            resume=lambda: (0, 0),
            on_reading=self._reading,
            on_state=self.states.append,
            backoff=Backoff(shortest=0.01, longest=0.02, jitter=0.0),
            make_link=lambda transport, listener: link(transport, listener, memory, None),
        )

    def _reading(self, origin: Origin, reading: m.Event) -> None:
        self.readings.append(reading)
        self.supervisor.ack(origin.counter, origin.epoch)

    async def until(self, holds: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + 10
        while not holds():
            assert loop.time() < deadline, f"this never came about; {self.states}"
            await asyncio.sleep(0.001)

    async def ready(self) -> None:
        await self.until(lambda: self.supervisor.state.phase == "ready")

    def says(self, data: bytes) -> None:
        assert self.wire.far is not None
        self.wire.far.received(data)


@asynccontextmanager
async def supervised(link: type[AcmeLink]) -> AsyncIterator[Shoe]:
    shoe = Shoe(link)
    shoe.supervisor.start()
    try:
        yield shoe
    finally:
        await shoe.supervisor.stop()


@pytest.mark.parametrize(
    "event",
    [
        m.Fault("shoe.x", cast(str, 5)),
        m.Fault(cast(str, 7), "x"),
        m.FaultCleared(cast(str, 5)),
        m.CardDrawn("Kh", cast(bool, "yes")),
        m.CardDrawn(cast(str, None)),
        m.CardsTogether(cast(Any, "Kh")),
        m.BetChanged(cast(Any, (m.Spot("war", cast(Any, None)),))),
        m.ChipsPushed(cast(Any, ("x",))),
        m.KeyPressed("\ud800"),
    ],
    ids=lambda event: type(event).__name__,
)
async def test_an_event_whose_fields_are_not_as_declared_is_a_named_fault(event: m.Event) -> None:
    class Link(AcmeLink):
        tells = event

    async with supervised(Link) as shoe:
        await shoe.ready()
        shoe.says(b"C")
        name = type(event).__name__
        assert [type(reading) for reading in shoe.readings] == [m.Fault]
        fault = cast(m.Fault, shoe.readings[0])
        assert fault.code == "device.unstorable" and fault.detail.startswith(f"{name}: ")
        assert shoe.supervisor.state.phase == "ready"
