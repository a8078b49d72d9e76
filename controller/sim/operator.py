"""A simulated device on trial, and somebody at it: restarts it, lets things happen at it, looks at it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import cycle
from typing import Final

from controller.errors import FeltError
from controller.sim.addresses import USUAL_WIRE, runtime_directory, schemes
from controller.sim.directory import own_directory
from firmware_bridge.address import SCHEMES, Address, AddressError, open_transport
from firmware_bridge.conform.trial import Deed, Sight
from firmware_bridge.messages import CARDS
from firmware_bridge.schemes.sim import WIRE
from firmware_bridge.transport import Transport
from hw_sim.errors import SimError
from hw_sim.models.base import DEALINGS, Dealing
from hw_sim.table import SimDevice, SimTable, families

MANY: Final = 20  # things that happen one after the other
SEATS: Final = 7


@asynccontextmanager
async def simulated_device(address: Address) -> AsyncIterator[tuple[Callable[[], Transport], SimOperator]]:
    """Yields what opens the wire to a simulated device, and somebody at it; the device lives until the end."""
    with own_directory(runtime_directory()) as directory:
        try:
            table = SimTable(
                seats=SEATS,
                dealing=_dealing_with(address.host),
                wires={address.host: address.options.get(WIRE, USUAL_WIRE)},
                directory=directory,
                seed=secrets.randbits(63),
            )
            table.start()
        except SimError as error:
            raise FeltError("sim.wire", error.cause) from error
        try:
            yield partial(open_transport, address, schemes(table)), SimOperator(table.device(address.host))
        finally:
            table.stop()


def _dealing_with(name: str) -> Dealing:
    """Returns a way of dealing at whose table there is this device; AddressError when there is none."""
    names: set[str] = set()
    for dealing in DEALINGS:
        at_table = families(SEATS, dealing, {})
        if name in at_table:
            return dealing
        names |= at_table.keys()
    cause = f"there is no simulated device {name!r}; known are {', '.join(sorted(names))}"
    raise AddressError("address.host", cause, SCHEMES.find("sim").example)


class SimOperator:
    """Does at a simulated device what the suite asks a person to do."""

    def __init__(self, device: SimDevice) -> None:
        self._device = device
        self._happenings = _happenings(device)

    async def do(self, deed: Deed, family: str) -> bool:
        """Does this at the device; it always can be done."""
        match deed:
            case Deed.RESTART:
                self._device.fault("power")
            case Deed.EVENT:
                next(self._happenings)()
            case Deed.EVENTS:
                for _ in range(MANY):
                    next(self._happenings)()
            case Deed.PAIRING_ON:
                self._device.do("pairing", "on")
            case Deed.PAIRING_OFF:
                self._device.do("pairing", "off")
        return True

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        """Tells whether this can be seen at the device."""
        if sight is Sight.CODE:
            return self._device.board.end.code == detail
        return not any(self._device.model.view().get(lit) for lit in ("lamps", "lit"))


def _happenings(device: SimDevice) -> Iterator[Callable[[], None]]:
    """Yields things that can happen at the device; each makes one event, and no two in a row the same one."""
    for count, card in enumerate(cycle(sorted(CARDS)), start=1):
        match device.family:
            case "shoe" | "shuffler":
                yield partial(device.do, "draw", card)
            case "reader":
                yield partial(device.do, "lay", card)
            case "bet-sensor":
                yield partial(device.do, "bet", {"ante": count * 100})
            case "console":
                yield partial(device.do, "press", "deal", str(count))
            case "lamps":
                yield partial(device.fault, "open-circuit", count)
            case _:
                yield device.clear if device.model.faults else partial(device.fault, "dark")
