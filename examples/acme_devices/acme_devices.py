"""A shoe with a protocol of its own, a foot switch, and a wire: devices that are no part of feltd.

feltd finds them by their entry points; what a simulated one does stands in `acme_simulated.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.driver import Driver
from drivers.families import family
from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.register import STREAMS, vendor
from firmware_bridge import messages as m
from firmware_bridge.address import Address, AddressError, transport
from firmware_bridge.diagnostics import Note
from firmware_bridge.errors import declare
from firmware_bridge.link import LinkError
from firmware_bridge.schemes.serial import open_serial
from firmware_bridge.transport import Receiver

# ---- a vendor's protocol: protocol = "acme-shoe"


@dataclass(frozen=True, slots=True)
class Acme:
    """What may be set for the shoe, under [device.shoe.acme-shoe]."""

    patience: int = 400  # milliseconds
    dialect: str = "plain"

    def __post_init__(self) -> None:
        if not 50 <= self.patience <= 2000:
            raise ValueError("patience: must be 50 to 2000 milliseconds")


@vendor("acme-shoe", families=("shoe",), settings=Acme, schemes=(*STREAMS, "acme"), line={"baud": "19200"})
class AcmeLink(VendorLink[Acme]):
    """Lines of text: `?` is answered with `!`, a card is told as `C Kh`."""

    rest = b""

    async def greet(self) -> tuple[str, str, str]:
        """Returns model, serial number and firmware version; this shoe tells only that it is there."""
        await self.look()
        return "acme", "", ""

    async def look(self) -> None:
        """Asks whether the shoe is there; LinkError when it does not answer."""
        if await self.exchange(b"?\n", "are you there", self._settings.patience / 1000) is None:
            raise LinkError("link.silent", "the shoe does not answer")

    async def carry_out(self, command: m.Command) -> m.Reply:
        """Does what the controller wants done."""
        match command:
            case m.Lock() | m.SelfTest():
                await self.look()
                return m.Reply(True)
        return NOTHING

    def received(self, data: bytes) -> None:
        """Reads whole lines; what is left waits for the rest of its line."""
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


# ---- a family of devices: family = "foot-switch"


@family("foot-switch", title="foot switch")
class FootSwitchDriver(Driver):
    """Keys of the console, pressed by foot."""

    events = (m.KeyPressed,)


declare(__name__, "a foot switch", {"foot-switch.stuck": ("The pedal does not come up.", "Clean it below the pedal.")})


# ---- a kind of wire: address = "acme://ttyACME0"


@transport("acme", example="acme://ttyACME0")
class AcmeWire:
    """A serial port, by a shorter name."""

    def __init__(self, address: Address) -> None:
        if not address.host.startswith("ttyACME"):
            raise AddressError("address.host", f"{address.host!r} is no port of ours", "acme://ttyACME0")
        self._port = open_serial(Address("serial", "", f"/dev/{address.host}"))

    async def open(self, receiver: Receiver) -> None:
        """Opens the port; what arrives is handed to the receiver."""
        await self._port.open(receiver)

    def write(self, data: bytes) -> None:
        """Sends bytes, when the port can take them."""
        self._port.write(data)

    async def close(self) -> None:
        """Closes the port."""
        await self._port.close()
