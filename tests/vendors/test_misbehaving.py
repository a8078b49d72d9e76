"""A vendor's driver that misbehaves, above a wire of its own: a named fault of its device, and nothing worse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from drivers.bugs import guarded
from drivers.driver import Driver
from drivers.shoe import ShoeDriver
from drivers.supervisor import Backoff, DeviceState, Origin, Supervisor
from drivers.vendors import link as vendor_link
from drivers.vendors.link import VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import Vendor
from firmware_bridge import extensions
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


@pytest.fixture(autouse=True)
def from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this module one that the package acme-devices brings."""
    monkeypatch.setitem(extensions._BROUGHT, "tests", "acme-devices")


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


class Answered(Exception):
    """Something of their own."""


def _raises(error: BaseException) -> Callable[..., Any]:
    async def fails(*_: object) -> Any:
        raise error

    return fails


async def _never(*_: object) -> Any:
    await asyncio.sleep(1e6)


def _gives(value: object) -> Callable[..., Any]:
    async def gives(*_: object) -> Any:
        return value

    return gives


@pytest.mark.parametrize("error", [Answered("Kh"), SystemExit(5), asyncio.CancelledError(), RecursionError()], ids=repr)
@pytest.mark.parametrize("where", ["greet", "carry_out", "look"])
async def test_a_driver_that_raises_is_named_with_its_package_and_tried_again(where: str, error: BaseException) -> None:
    link: type[AcmeLink] = type("Link", (AcmeLink,), {where: _raises(error), "look_every": 0.01})
    shoe = Shoe(link)
    if where == "carry_out":
        shoe.supervisor.driver.want("lock", True)
    shoe.supervisor.start()
    await shoe.until(lambda: sum(state.phase == "lost" for state in shoe.states) > 1)
    lost = next(state for state in shoe.states if state.phase == "lost")
    assert lost.code == "extension.failed"
    assert "acme-devices" in lost.cause and type(error).__name__ in lost.cause and "Kh" not in lost.cause
    await shoe.supervisor.stop()
    assert shoe.supervisor.state.phase == "stopped"


async def test_a_greeting_that_never_ends_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendor_link, "GREET_DEADLINE", 0.05)
    async with supervised(type("Link", (AcmeLink,), {"greet": _never})) as shoe:
        await shoe.until(lambda: shoe.supervisor.state.phase == "lost")
        assert shoe.supervisor.state.code == "driver.greeting"


@pytest.mark.parametrize(("where", "value"), [("greet", None), ("greet", (1, 2, 3)), ("carry_out", None)])
async def test_an_answer_that_cannot_be_is_named(where: str, value: object) -> None:
    shoe = Shoe(type("Link", (AcmeLink,), {where: _gives(value)}))
    shoe.supervisor.driver.want("lock", True)
    shoe.supervisor.start()
    await shoe.until(lambda: shoe.supervisor.state.phase == "lost")
    assert shoe.supervisor.state.code == "driver.answer" and "acme" in shoe.supervisor.state.cause
    await shoe.supervisor.stop()


@pytest.mark.parametrize("error", [Answered("Kh"), SystemExit(5)], ids=repr)
async def test_what_a_driver_could_not_read_is_named_and_never_lost_in_silence(error: BaseException) -> None:
    class Link(AcmeLink):
        def received(self, data: bytes) -> None:
            raise error

    async with supervised(Link) as shoe:
        await shoe.ready()
        shoe.says(b"C")
        await shoe.until(lambda: shoe.supervisor.state.first is not None)
        lost = next(state for state in shoe.states if state.phase == "lost")
        assert lost.code == "device.unread" and "acme-devices" in lost.cause and "Kh" not in lost.cause
        await shoe.ready()  # and it is greeted again


async def test_ctrl_c_is_nobody_elses() -> None:
    with pytest.raises(KeyboardInterrupt):
        await guarded(_raises(KeyboardInterrupt())())
