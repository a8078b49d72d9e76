"""Simulated devices on wires that the kernel of this machine makes: `ends.py DIR --wire NAME=KIND ...`.

Kinds: `can:INTERFACE` a node of a SocketCAN interface, `usb` a port of `vhci_hcd`, `tty:/dev/ttyGS0` the device's end
of a CDC-ACM gadget, `slcan:/dev/ttyGS0` a node behind an SLCAN adapter that is such a gadget, `port:20123` a serial
server on this TCP port, and what hw_sim itself has.  The name * means all other devices.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import secrets
import tty
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware_bridge.can_frame import CanFrame
from hw_sim.__main__ import serve
from hw_sim.cabling import Cabling
from hw_sim.can import SimBus, SlcanAdapter, Take
from hw_sim.table import SimTable
from hw_sim.tcp import TcpWire
from hw_sim.wire import Deliver, Wire
from tests.vm.inside.usbip import UsbIpWire

if TYPE_CHECKING:
    import can

AGAIN: Final = 0.2  # seconds until a port that hung up is opened once more
TURN: Final = 0.002  # seconds until a full queue of the kernel is tried once more
MOST_UNSENT: Final = 256  # frames


class SocketCanAdapter:
    """The nodes' end of a SocketCAN interface, which is the controller's other end of the bus."""

    def __init__(self, interface: str) -> None:
        self._interface = interface
        self._bus: can.BusABC | None = None
        self._take: Take | None = None
        self._unsent: deque[CanFrame] = deque()
        self._retry: asyncio.TimerHandle | None = None

    def address(self, node: int) -> str:
        return f"can://{self._interface}/{node:#x}"

    def plug(self, take: Take) -> None:
        import can

        if self._bus is None:
            self._take = take
            self._bus = can.Bus(channel=self._interface, interface="socketcan", ignore_config=True)
            asyncio.get_running_loop().add_reader(self._bus.fileno(), self._readable)

    def unplug(self) -> None:
        bus, self._bus = self._bus, None
        self._unsent.clear()
        if bus is not None:
            asyncio.get_running_loop().remove_reader(bus.fileno())
            bus.shutdown()

    def send(self, frame: CanFrame) -> None:
        if len(self._unsent) < MOST_UNSENT:
            self._unsent.append(frame)
        if self._retry is None:
            self._send_more()

    def _send_more(self) -> None:
        """Sends what there is room for: the nodes share a short queue of the kernel, and each waits for its turn."""
        import can

        self._retry = None
        while self._bus is not None and self._unsent:
            frame = self._unsent[0]
            try:
                self._bus.send(can.Message(arbitration_id=frame.id, data=frame.data, is_extended_id=frame.extended))
            except can.CanError as error:
                if error.error_code in (errno.ENOBUFS, None):  # without a number it says that its buffer is full
                    self._retry = asyncio.get_running_loop().call_later(TURN, self._send_more)
                    return
                # Else the interface is down: nobody hears the nodes.
            self._unsent.popleft()

    def trouble(self, fault: str) -> None:
        """Does nothing: this bus has the kernel's own trouble."""

    def _readable(self) -> None:
        import can

        try:
            while self._bus is not None and (message := self._bus.recv(0)) is not None:
                if not message.is_error_frame and self._take is not None:
                    self._take(
                        CanFrame(
                            message.arbitration_id, bytes(message.data), message.is_extended_id, message.is_remote_frame
                        )
                    )
        except can.CanError:
            pass  # the interface went down; it comes up again under the same name


class TtyWire:
    """The device's end of a gadget's serial port; opened anew whenever the other end went away."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._received: Deliver | None = None
        self._port: int | None = None
        self._wanted = False

    @property
    def plugged(self) -> bool:
        return self._wanted

    @property
    def address(self) -> str:
        return f"gadget at {self._path}"

    def attach(self, received: Deliver) -> None:
        self._received = received

    def plug(self) -> None:
        if not self._wanted:
            self._wanted = True
            self._open()

    def unplug(self) -> None:
        self._wanted = False
        self._close()

    def send(self, data: bytes) -> None:
        if self._port is not None:
            try:
                os.write(self._port, data)
            except BlockingIOError:
                pass  # nobody reads: the bytes are lost
            except OSError:
                self._reopen()

    def _open(self) -> None:
        if not self._wanted or self._port is not None:
            return
        try:
            self._port = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(self._port)
            asyncio.get_running_loop().add_reader(self._port, self._readable)
        except OSError:
            self._reopen()

    def _close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            asyncio.get_running_loop().remove_reader(port)
            os.close(port)

    def _reopen(self) -> None:
        self._close()
        asyncio.get_running_loop().call_later(AGAIN, self._open)

    def _readable(self) -> None:
        assert self._port is not None
        try:
            data = os.read(self._port, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._reopen()
        elif self._received is not None:
            self._received(data)


class KernelCabling(Cabling):
    """The wires of hw_sim, and those of this machine's kernel."""

    def wire(self, kind: str, name: str) -> Wire:
        what, _, place = kind.partition(":")
        if what == "can" and place:
            return self._bus(kind, SocketCanAdapter(place)).add()
        if what == "slcan" and place:
            return self._bus("slcan", SlcanAdapter(Path(place), TtyWire(place))).add()
        if what == "usb":
            return UsbIpWire(name)
        if what == "tty":
            return TtyWire(place)
        if what == "port":
            server = TcpWire()
            server.port = int(place)
            return server
        return super().wire(kind, name)

    def _bus(self, name: str, adapter: SocketCanAdapter | SlcanAdapter) -> SimBus:
        return self.buses.setdefault(name, SimBus(adapter))


def main() -> None:
    """Keeps the devices alive until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--wire", action="append", default=[], metavar="NAME=KIND")
    parser.add_argument("--protocol", action="append", default=[], metavar="NAME=PROTOCOL")
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    wires = dict(wire.split("=", 1) for wire in options.wire)
    others = wires.pop("*", "pty")
    cabling = KernelCabling(options.directory)
    protocols = dict(protocol.split("=", 1) for protocol in options.protocol)
    seed = secrets.randbits(63)  # no table looks like the one before
    table = SimTable(seats=options.seats, wire=others, wires=wires, protocols=protocols, cabling=cabling, seed=seed)
    asyncio.run(serve(table, options.directory))


if __name__ == "__main__":
    main()
