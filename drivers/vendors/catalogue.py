"""Every protocol that a device can speak: on which wires, with which settings, and the link that speaks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias

from drivers.driver import Driver
from drivers.vendors.alpha import Alpha, alpha
from drivers.vendors.angel_eye import AngelEye, angel_eye
from drivers.vendors.cia401 import Cia401, IoDriver, cia401
from drivers.vendors.gpio import Gpio, KeypadDriver, gpio
from firmware_bridge.address import Address, can_wiring, open_transport
from firmware_bridge.gpio import GpioTransport
from firmware_bridge.link import MakeLink
from firmware_bridge.transport import Transport
from firmware_bridge.vendors.node import NodeTransport

NATIVE: Final = "native"
GPIO: Final = "gpio"  # what pins speak; their address says so
Settings: TypeAlias = AngelEye | Alpha | Cia401 | Gpio
Schemes: TypeAlias = Mapping[str, Callable[[Address], Transport]]


@dataclass(frozen=True, slots=True)
class Vendor:
    """What a protocol is spoken by, and where."""

    families: tuple[str, ...]
    schemes: tuple[str, ...]
    line: Mapping[str, str]  # of a serial port, where the address does not say otherwise
    tells_serial: bool = False


VENDORS: Final[Mapping[str, Vendor]] = MappingProxyType(
    {
        "angel-eye": Vendor(("shoe",), ("serial", "socket", "sim"), MappingProxyType({"baud": "4800"})),
        "alpha": Vendor(
            ("display",),
            ("serial", "socket", "sim"),
            MappingProxyType({"baud": "9600", "bits": "7", "parity": "even"}),
        ),
        "cia401": Vendor(("lamps",), ("can",), MappingProxyType({}), tells_serial=True),
        GPIO: Vendor(("lamps", "console"), ("gpio",), MappingProxyType({})),
    }
)


@dataclass(frozen=True, slots=True)
class Way:
    """How to reach a device that speaks a vendor's protocol; `make_driver` None: its family's own."""

    make_transport: Callable[[], Transport]
    make_link: MakeLink
    make_driver: Callable[[], Driver] | None = None


def way(
    protocol: str,
    settings: Settings,
    address: Address,
    schemes: Schemes = MappingProxyType({}),
    family: str = "lamps",
) -> Way:
    """The way to one device; AddressError when its address leads nowhere.  `family` matters where there are several."""
    match settings:
        case Cia401():
            wiring, node = can_wiring(address)
            return Way(lambda: NodeTransport(wiring, node), cia401(settings, node), lambda: IoDriver(settings.outputs))
        case Gpio(outputs, inputs):
            resting = {output.pin: output.dark for output in outputs.values()}
            pulled = {point.pin: point.pull for point in inputs.values()}
            make_transport = partial(GpioTransport, address.host, resting, pulled)
            console = family == KeypadDriver.about.name
            make_driver = KeypadDriver if console else partial(IoDriver, settings.channels)
            return Way(make_transport, gpio(settings, family), make_driver)
        case AngelEye():
            make_link = angel_eye(settings)
        case Alpha():
            make_link = alpha(settings)
    if address.scheme == "serial":
        address = replace(address, options=MappingProxyType({**VENDORS[protocol].line, **address.options}))
    return Way(lambda: open_transport(address, schemes), make_link)
