"""A serial server as a transport: a TCP connection to the box at whose other side the device's cable ends."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from typing import Any, Final

from firmware_bridge.transport import Receiver, TransportError

CONNECT: Final = 1.5  # seconds; below the link's own deadline, so that this one is the one that people read
MAX_UNSENT: Final = 64 * 1024

_OPTIONS: Final = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),  # a card is 20 bytes and must not wait for more
    # A box that lost its power says nothing: ask after 2 s of silence, every second, and give up after three.
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 2),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 5000),
    (socket.SOL_SOCKET, socket.SO_SNDBUF, 32 * 1024),  # what the kernel holds back is lost with the connection
)
_CODES: Final = {
    errno.ECONNREFUSED: ("tcp.refused", "nobody listens there: is the server on, and is this its port?"),
    errno.ECONNRESET: (
        "tcp.lost",
        "the server has reset the connection: was it restarted, or does another controller use it?",
    ),
    errno.EPIPE: ("tcp.lost", "the server has closed the connection"),
    errno.ETIMEDOUT: ("tcp.lost", "the server does not answer any more"),
    errno.EHOSTUNREACH: ("tcp.unreachable", "there is no way to this host: check the network and the address"),
    errno.ENETUNREACH: ("tcp.unreachable", "there is no way to this network: is the cable in?"),
    errno.ENETDOWN: ("tcp.unreachable", "the network is down"),
    errno.EACCES: ("tcp.denied", "the firewall of this machine forbids it"),
    errno.EPERM: ("tcp.denied", "the firewall of this machine forbids it"),
}


class TcpTransport:
    """One connection.  A host given as a number needs no name server to be there."""

    def __init__(self, host: str, port: int, *, connect: float = CONNECT, max_unsent: int = MAX_UNSENT) -> None:
        self.host = host
        self.port = port
        self._connect = connect
        self._max_unsent = max_unsent
        self._line: _Line | None = None

    async def open(self, receiver: Receiver) -> None:
        """Connects to the server; TransportError when that fails or takes too long."""
        if self._line is not None:
            if not self._line.closed.done():
                raise self._error("tcp.busy", "opened already")
            self._line = None
        try:
            async with asyncio.timeout(self._connect):
                self._line = await self._connected(receiver)
        except socket.gaierror as error:
            raise self._error("tcp.unknown-host", f"no address is known for this name ({error.strerror})") from error
        except TimeoutError as error:
            raise self._error("tcp.unreachable", f"no answer within {self._connect:g} s") from error
        except OSError as error:
            raise self.explained(error, "tcp.unreachable") from error

    def write(self, data: bytes) -> None:
        """Sends bytes, or keeps them until the server takes them; a server that takes nothing is `tcp.stalled`."""
        if self._line is not None:
            self._line.write(data, self._max_unsent)

    async def close(self) -> None:
        """Closes the connection; unsent bytes are dropped."""
        line, self._line = self._line, None
        if line is not None:
            line.abort()
            await line.closed

    # ---- connecting

    async def _connected(self, receiver: Receiver) -> _Line:
        """Connects to the first of the host's addresses that answers; when none does, raises the first one's error."""
        loop = asyncio.get_running_loop()
        failure: OSError | None = None
        for family, address in await self._addresses():
            line = socket.socket(family, socket.SOCK_STREAM)
            try:
                line.setblocking(False)
                for option in _OPTIONS:
                    line.setsockopt(*option)
                await loop.sock_connect(line, address)
                _, protocol = await loop.create_connection(lambda: _Line(self, receiver), sock=line)
            except OSError as error:
                line.close()
                failure = failure or error
            except asyncio.CancelledError:  # too late, or nobody wants it any more
                line.close()
                raise
            else:
                return protocol
        raise failure or OSError(errno.EHOSTUNREACH, "no address")

    async def _addresses(self) -> list[tuple[int, Any]]:
        loop = asyncio.get_running_loop()
        kind = socket.SOCK_STREAM
        try:
            ipaddress.ip_address(self.host)
        except ValueError:
            places = await loop.getaddrinfo(self.host, self.port, type=kind)
        else:  # at once, without a thread
            places = socket.getaddrinfo(self.host, self.port, type=kind, flags=socket.AI_NUMERICHOST)
        return [(family, address) for family, *_, address in places]

    # ---- words

    def explained(self, error: Exception | None, otherwise: str = "tcp.lost") -> TransportError:
        """Returns what an error of the system means; None is an orderly end."""
        if error is None:
            return self._error("tcp.lost", "the server has closed the connection")
        number = error.errno if isinstance(error, OSError) else None
        return self._error(*_CODES.get(number or 0, (otherwise, str(error))))

    def stalled(self, waiting: int) -> TransportError:
        """Returns the error for a server that takes no data while so many bytes wait."""
        return self._error("tcp.stalled", f"the server does not take data, {waiting} bytes wait to be sent")

    def _error(self, code: str, cause: str) -> TransportError:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return TransportError(code, f"{host}:{self.port}: {cause}")


class _Line(asyncio.Protocol):
    """One connection from its beginning to its end; it reports the end to the receiver, unless we made it."""

    def __init__(self, owner: TcpTransport, receiver: Receiver) -> None:
        self._owner = owner
        self._receiver: Receiver | None = receiver
        self._why: TransportError | None = None
        self._transport: asyncio.Transport
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._receiver is not None:
            self._receiver.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        receiver, self._receiver = self._receiver, None
        if not self.closed.done():
            self.closed.set_result(None)
        if receiver is not None:
            receiver.lost(self._why or self._owner.explained(exc))

    def write(self, data: bytes, most: int) -> None:
        """Sends bytes, and ends the connection when more than `most` wait."""
        if self._transport.is_closing():
            return
        self._transport.write(data)
        if (waiting := self._transport.get_write_buffer_size()) > most:
            self._why = self._owner.stalled(waiting)
            self._transport.abort()

    def abort(self) -> None:
        """Ends the connection without telling the receiver."""
        self._receiver = None
        self._transport.abort()
