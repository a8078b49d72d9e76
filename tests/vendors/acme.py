"""A package from outside: a shoe with its own protocol, the simulated one, a family of buttons, and a wire.

It imports from our packages what anybody may, and no line of ours knows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from drivers.driver import Driver
from drivers.families import family
from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.register import vendor
from firmware_bridge import messages as m
from firmware_bridge.address import Address, AddressError, transport
from firmware_bridge.diagnostics import Note
from firmware_bridge.link import LinkError
from firmware_bridge.schemes.serial import open_serial
from firmware_bridge.transport import Receiver
from hw_sim.models.base import Events, Model
from hw_sim.models.register import simulates
from hw_sim.vendors.register import speaks


@dataclass(frozen=True, slots=True)
class Acme:
    """What may be set for the shoe."""

    patience: int = 400  # milliseconds
    dialect: str = "plain"

    def __post_init__(self) -> None:
        if not 50 <= self.patience <= 2000:
            raise ValueError("patience: must be 50 to 2000 milliseconds")


@vendor("acme-shoe", families=("shoe",), settings=Acme, line={"baud": "19200"})
class AcmeLink(VendorLink[Acme]):
    """Lines of text: `?` is answered with `!`, a card is told as `C Kh`."""

    rest = b""

    async def greet(self) -> tuple[str, str, str]:
        await self.look()
        return "acme", "", ""

    async def look(self) -> None:
        if await self.exchange(b"?\n", "are you there", self._settings.patience / 1000) is None:
            raise LinkError("link.silent", "the shoe does not answer")

    async def carry_out(self, command: m.Command) -> m.Reply:
        match command:
            case m.Lock() | m.SelfTest():
                await self.look()
                return m.Reply(True)
        return NOTHING

    def received(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.record(Note("a line"))
            match line.decode(errors="replace").split():
                case ["!"]:
                    self.answer(True)
                case ["C", "cut"]:
                    self.emit(m.CuttingCardSeen())
                case ["C", card]:
                    self.emit(m.CardDrawn(card))


@speaks("acme-shoe", "shoe")
class AcmeEnd:
    """The shoe's side of it."""

    pending = 0

    def __init__(self, model: Model, send: Callable[[bytes], None]) -> None:
        self._send = send

    def report(self, events: Iterable[m.Event]) -> None:
        for event in events:
            if isinstance(event, m.CardDrawn):
                self._send(f"C {event.card}\n".encode())
            elif isinstance(event, m.CuttingCardSeen):
                self._send(b"C cut\n")

    def received(self, data: bytes) -> None:
        self._send(b"!\n" * data.count(b"?"))

    def restart(self) -> None:
        """It has nothing to forget."""


@family("foot-switch", title="foot switch")
class FootSwitchDriver(Driver):
    """Keys of the console, pressed by foot."""

    events = (m.KeyPressed,)


@simulates("foot-switch")
class FootSwitch(Model):
    """One switch for each key."""

    prefix = "foot-switch"
    DEEDS = ("step",)

    def step(self, key: str) -> Events:
        """Somebody steps on it."""
        return [m.KeyPressed(key)]


@transport("acme", example="acme://ttyACME0")
class AcmeWire:
    """A serial port, by a shorter name."""

    def __init__(self, address: Address) -> None:
        if not address.host.startswith("ttyACME"):
            raise AddressError("address.host", f"{address.host!r} is no port of ours", "acme://ttyACME0")
        self._port = open_serial(Address("serial", "", f"/dev/{address.host}"))

    async def open(self, receiver: Receiver) -> None:
        await asyncio.sleep(0)
        await self._port.open(receiver)

    def write(self, data: bytes) -> None:
        self._port.write(data)

    async def close(self) -> None:
        await self._port.close()
