"""A device behind a serial server: a listening socket on the loopback that takes one controller at a time."""

from __future__ import annotations

import asyncio
import errno
import random
import socket
import struct
from typing import Final

from hw_sim.errors import SimError
from hw_sim.wire import Deliver

HOST: Final = "127.0.0.1"
# Below the ports that the kernel gives away: nobody gets ours while we are unplugged, and a controller that tries it
# then cannot be connected to itself.
PORTS: Final = range(20_000, 32_000)
_TRIES: Final = 50
_RESET: Final = struct.pack("ii", 1, 0)  # linger for no time: closing is a reset


class TcpWire:
    """A wire over TCP.  Unplugged, its connection is reset and further ones are refused; it keeps its port."""

    def __init__(self) -> None:
        self.port = 0  # known with the first plug
        self._received: Deliver | None = None
        self._listener: socket.socket | None = None
        self._line: socket.socket | None = None

    @property
    def plugged(self) -> bool:
        return self._listener is not None

    @property
    def address(self) -> str:
        return f"socket://{HOST}:{self.port}"

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        if self._line is None:
            return  # as on a serial line, nobody hears it
        try:
            self._line.send(data)
        except BlockingIOError:
            pass  # the server's buffer is full: the bytes are lost
        except OSError:
            self._disconnect()

    def plug(self) -> None:
        if self._listener is None:
            self._listener = self._listen()
            asyncio.get_running_loop().add_reader(self._listener, self._accept)

    def unplug(self) -> None:
        if self._listener is None:
            return
        asyncio.get_running_loop().remove_reader(self._listener)
        self._listener.close()
        self._listener = None
        self._disconnect()

    def _listen(self) -> socket.socket:
        chance = random.Random()
        for _ in range(_TRIES):
            port = self.port or chance.choice(PORTS)
            listener = socket.socket()
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((HOST, port))
                listener.listen(4)
                listener.setblocking(False)
            except OSError as error:
                listener.close()
                if self.port or error.errno != errno.EADDRINUSE:
                    raise SimError(f"port {port} of {HOST} cannot be used: {error.strerror}") from error
            else:
                self.port = port
                return listener
        raise SimError(f"no free port between {PORTS.start} and {PORTS.stop}")

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            line, _ = self._listener.accept()
        except OSError:
            return  # it gave up meanwhile
        if self._line is not None:
            self._readable()  # perhaps the old one is gone and we are about to hear it
        if self._line is not None:
            _reset(line)  # the serial line has one user
            return
        line.setblocking(False)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._line = line
        asyncio.get_running_loop().add_reader(line, self._readable)

    def _readable(self) -> None:
        assert self._line is not None
        try:
            data = self._line.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._disconnect()
        elif self._received is not None:
            self._received(data)

    def _disconnect(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            asyncio.get_running_loop().remove_reader(line)
            _reset(line)


def _reset(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    line.close()
