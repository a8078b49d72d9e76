"""`can://can0/0x21`: a node on a CAN bus; an SLCAN adapter's bus is named by its device node."""

from __future__ import annotations

import re
from typing import Final

from firmware_bridge.address import Address, AddressError, transport
from firmware_bridge.can import INTERFACES, LAST_NODE, CanTransport, Wiring
from firmware_bridge.can_frame import BITRATES
from firmware_bridge.transport import Transport

EXAMPLE: Final = "can://can0/0x21"


def can_wiring(address: Address) -> tuple[Wiring, int]:
    """Returns the bus and the node on it; the bus of an SLCAN adapter is named by the adapter's device node."""

    def wrong(code: str, cause: str) -> AddressError:
        return AddressError(f"address.{code}", cause, EXAMPLE)

    if not address.host + address.path:
        raise wrong("host", "nothing stands after can://")
    place = re.fullmatch(r"(.+)/(0x[0-9a-fA-F]{1,2}|[1-9][0-9]{0,2})", address.host + address.path)
    node = int(place[2], 0) if place else 0
    if place is None or not 1 <= node <= LAST_NODE:
        raise wrong("path", f"a CAN address has a bus and the number of a node on it, 1 to {LAST_NODE}")
    options = {"interface": "socketcan", "bitrate": "500000", "baud": "115200"} | dict(address.options)
    interface, bitrate, baud, *unknown = options.values()
    if unknown:
        raise wrong("option", f"unknown option {list(options)[3]!r}; a CAN bus has interface, bitrate, baud")
    if interface not in INTERFACES:
        raise wrong("option", f"interface={interface} is not one of {', '.join(INTERFACES)}")
    if interface != "slcan" and (not address.host or {"bitrate", "baud"} & address.options.keys()):
        raise wrong("option", "only interface=slcan has a device node, a bitrate and a baud")
    if bitrate not in map(str, BITRATES):
        raise wrong("option", f"bitrate={bitrate} is not one of {', '.join(map(str, BITRATES))}")
    if not (baud.isascii() and baud.isdigit() and 50 <= int(baud) <= 4_000_000):
        raise wrong("option", f"baud={baud} is not a speed between 50 and 4000000")
    channel = f"/dev/{place[1]}" if interface == "slcan" and address.host else place[1]
    return Wiring(channel, interface, int(bitrate), int(baud)), node


@transport("can", example=EXAMPLE, check=can_wiring)
def open_can(address: Address) -> Transport:
    """Returns the transport for the node at this address."""
    return CanTransport(*can_wiring(address))
