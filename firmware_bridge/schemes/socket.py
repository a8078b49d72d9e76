"""`socket://192.0.2.7:4001`: a serial server on the network."""

from __future__ import annotations

import re
from typing import Final

from firmware_bridge.address import Address, AddressError, needs_host, only_options, transport
from firmware_bridge.tcp import TcpTransport
from firmware_bridge.transport import Transport

EXAMPLE: Final = "socket://192.0.2.7:4001"


def socket_place(address: Address) -> tuple[str, int]:
    """Returns host and port of a serial server; AddressError when the address names none."""
    needs_host(address, EXAMPLE)
    only_options(address, "a serial server", EXAMPLE)
    match = re.fullmatch(r"(?:\[([^\]]+)\]|([^:\[\]]+)):([0-9]{1,5})", address.host)
    if match is None or not 0 < int(match[3]) < 65_536:
        cause = f"{address.host!r} is not host:port; an IPv6 address stands in brackets, as in socket://[fd00::7]:4001"
        raise AddressError("address.host", cause, EXAMPLE)
    if address.path.strip("/"):
        raise AddressError("address.path", "nothing follows the port of a serial server", EXAMPLE)
    return match[1] or match[2], int(match[3])


@transport("socket", example=EXAMPLE, check=socket_place)
def open_socket(address: Address) -> Transport:
    """Returns the transport for the server at this address."""
    return TcpTransport(*socket_place(address))
