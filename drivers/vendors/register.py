"""The register of vendors' protocols: who speaks each, on which wires, with which settings, and by which link.

A vendor is one decorated link; its settings are one dataclass, which table.toml is read into as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from firmware_bridge.extensions import Register
from firmware_bridge.transport import Transport
from firmware_bridge.vendors import PROTOCOLS

if TYPE_CHECKING:
    from drivers.driver import Driver
    from drivers.vendors.link import VendorLink
    from firmware_bridge.address import Address
    from firmware_bridge.link import MakeLink

    V = TypeVar("V", bound=type[VendorLink[Any]])

NATIVE: Final = "native"
GPIO: Final = "gpio"  # what pins speak
DOOR: Final = "door"  # the input, among keys, that is the switch of a door
STREAMS: Final = ("serial", "socket", "sim")  # wires that carry bytes, one after the other
Schemes: TypeAlias = "Mapping[str, Callable[[Address], Transport]]"
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class SettingsError(ValueError):
    """All that is wrong with settings: each mistake with the keys that lead to it, as table.toml has them."""

    def __init__(self, *mistakes: tuple[tuple[str, ...], str]) -> None:
        super().__init__("; ".join(f"{'.'.join(keys)}: {text}" for keys, text in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Vendor:
    """What a table must know of a vendor's protocol."""

    name: str  # in table.toml
    families: tuple[str, ...]  # of the devices that speak it
    settings: type[Any]  # a dataclass; its SettingsError, or any ValueError, says what is wrong
    schemes: tuple[str, ...]  # of the addresses that it is spoken at
    line: Mapping[str, str]  # of a serial port, where the address does not say otherwise
    tells_serial: bool  # a device says its serial number
    implied: bool  # the scheme of its address says that it is this protocol
    unset: str  # what is wrong when table.toml sets nothing; {name} is the device
    changed_by_asking: str  # why nobody but the daemon may ask such a device; empty when anybody may


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach a device that speaks a vendor's protocol; `make_driver` None: its family's own."""

    make_transport: Callable[[], Transport]
    make_link: MakeLink
    make_driver: Callable[[], Driver] | None = None


def vendor(
    name: str,
    *,
    families: tuple[str, ...],
    settings: type[Any],
    schemes: tuple[str, ...] = STREAMS,
    line: Mapping[str, str] = _NOTHING,
    tells_serial: bool = False,
    implied: bool = False,
    unset: str = "",
    changed_by_asking: str = "",
) -> Callable[[V], V]:
    """Returns a decorator that declares the protocol which a link speaks and adds it to the register.

    Raises TypeError when the settings are no dataclass.
    """
    if not is_dataclass(settings):
        raise TypeError(f"the settings of {name} are no dataclass")
    about = Vendor(name, families, settings, schemes, line, tells_serial, implied, unset, changed_by_asking)

    def declare(link: V) -> V:
        link.about = about
        VENDORS.add(name, link, link)
        return link

    return declare


def endpoint(
    protocol: str, settings: Any, address: Address, schemes: Schemes = MappingProxyType({}), family: str = ""
) -> Endpoint:
    """Returns how to reach one device; AddressError when its address leads nowhere.

    `schemes` adds kinds of wire that others provide; `family` matters where several speak the protocol.
    """
    link = VENDORS.find(protocol)
    return link.endpoint(settings, address, schemes, family or link.about.families[0])


VENDORS: Final[Register[type[VendorLink[Any]]]] = Register("feltd.vendors", "protocol", "drivers.vendors", PROTOCOLS)
