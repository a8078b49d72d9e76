"""Simulated devices as nodes of one CAN bus, and the adapters by which a controller reaches it.

Two adapters: python-can's virtual bus, for a controller in this process, and an SLCAN adapter on a pseudo-terminal, for
one in any process.  A node that is unplugged falls silent; an unplugged adapter takes them all away.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from firmware_bridge.can_frame import BITRATES, CanFrame, from_line, to_line
from firmware_bridge.datagram import Unstuffer, to_stream
from firmware_bridge.isotp import IsoTp
from hw_sim.errors import SimError, unknown
from hw_sim.wire import Deliver, PtyWire, Wire

if TYPE_CHECKING:
    import can

TO_DEVICE: Final = 0x300
FROM_DEVICE: Final = 0x380
LISTEN: Final = 0.05  # seconds in one wait of a reader thread
BUS_FAULTS: Final = ("unplug", "bus-off", "passive", "warning")
_WARNING, _PASSIVE, _BUS_OFF = 0x04, 0x20, 0x80  # bits of an SLCAN adapter's status
_STATUS: Final = {"bus-off": _BUS_OFF | _PASSIVE, "passive": _PASSIVE, "warning": _WARNING}

Take = Callable[[CanFrame], None]


class Adapter(Protocol):
    """What stands between the nodes and the controller."""

    def address(self, node: int) -> str:
        """Returns where a controller finds a node, as in table.toml."""

    def plug(self, take: Take) -> None:
        """Plugs the adapter in: from now on `take` gets what the controller sends.  Idempotent."""

    def unplug(self) -> None:
        """Unplugs the adapter.  Idempotent."""

    def send(self, frame: CanFrame) -> None:
        """Sends a frame to the controller."""

    def trouble(self, fault: str) -> None:
        """Sets the controller's end to `bus-off`, `passive` or its `warning`; empty: it is well again."""


class SimBus:
    """The bus that the nodes of a table share."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self.nodes: list[CanWire] = []  # those that are plugged in; several may have one number
        self.listeners: list[Take] = []  # others that get what the controller sends
        self.fault_now = "unplug"
        self._numbers = 0

    def add(self, node: int = 0) -> CanWire:
        """Returns a node that is not plugged in yet; without a number it gets the next one, from 1."""
        self._numbers += not node
        return CanWire(self, node or self._numbers)

    def plug(self) -> None:
        """Plugs the adapter in, to a sound bus."""
        self.adapter.plug(self._from_controller)
        self.adapter.trouble("")
        self.fault_now = ""

    def unplug(self) -> None:
        """Unplugs the adapter."""
        self.fault_now = "unplug"
        self.adapter.unplug()

    # As of a device, so that the control channel can do it to the adapter.

    def do(self, verb: str, *_args: Any) -> None:
        """Raises SimError: an adapter has no deeds."""
        raise unknown("deed of an adapter", verb, ())

    def fault(self, name: str, *args: Any) -> None:
        """Begins a fault of the adapter.

        `unplug`; `bus-off`: its controller has given up; `passive`: the cable behind it is cut; `warning`: frames are
        damaged now and then, and go through in the end.
        """
        if name not in BUS_FAULTS:
            raise unknown("fault of an adapter", name, BUS_FAULTS)
        if args:
            raise SimError(f"{name} takes no arguments")
        if name == "unplug":
            self.unplug()
        else:
            self.fault_now = name if name != "warning" else ""
            self.adapter.trouble(name)

    def clear(self) -> None:
        """Ends all faults of the adapter."""
        self.plug()

    def send(self, frame: CanFrame) -> None:
        """Sends any frame that appears on the bus to the controller, whichever node it is from."""
        if not self.fault_now:
            self.adapter.send(frame)

    def _from_controller(self, frame: CanFrame) -> None:
        if not self.fault_now:
            for listener in tuple(self.listeners):
                listener(frame)
        if self.fault_now or frame.extended or frame.remote:
            return
        for node in tuple(self.nodes):
            if node.node == frame.id - TO_DEVICE:
                node.take(frame)


class CanWire:
    """The device's end of a bus: a node that speaks frames of the native protocol over ISO-TP."""

    def __init__(self, bus: SimBus, node: int) -> None:
        self.bus = bus
        self.node = node
        self._received: Deliver | None = None
        self._messages = IsoTp()
        self._unstuffer = Unstuffer()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def plugged(self) -> bool:
        return self in self.bus.nodes

    @property
    def address(self) -> str:
        return self.bus.adapter.address(self.node)

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        if self.plugged:
            now = asyncio.get_running_loop().time()
            for datagram in self._unstuffer.feed(data):
                self._messages.send(datagram, now)
            self._pass_on()

    def plug(self) -> None:
        if not self.plugged:
            self.bus.nodes.append(self)

    def unplug(self) -> None:
        if self.plugged:
            self.bus.nodes.remove(self)
        self.restart()

    def restart(self) -> None:
        """Forgets what it was sending or receiving: power was cut."""
        self._messages.reset()
        self._unstuffer.reset()
        self._disarm()

    def take(self, frame: CanFrame) -> None:
        """Takes one frame that the controller sent to this node."""
        self._messages.receive(frame.data, asyncio.get_running_loop().time())
        self._pass_on()

    def _tick(self) -> None:
        self._timer = None
        self._messages.tick(asyncio.get_running_loop().time() + 1e-6)
        self._pass_on()

    def _pass_on(self) -> None:
        messages = self._messages
        while messages.outbox or messages.inbox:
            if messages.outbox:
                self.bus.send(CanFrame(FROM_DEVICE + self.node, messages.outbox.popleft()))
            elif self._received is not None:
                self._received(to_stream(messages.inbox.popleft()))
            else:
                messages.inbox.clear()
        self._disarm()
        if (due := messages.deadline()) is not None:
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class VirtualAdapter:
    """python-can's virtual bus under a name; whoever opens that name in this process is on it.

    Unplugged, the name is still there and silent: a virtual bus has no loss.  Time must be real: a thread reads it.
    """

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._bus: can.BusABC | None = None
        self._thread: threading.Thread | None = None

    def address(self, node: int) -> str:
        return f"can://{self._channel}/{node:#x}?interface=virtual"

    def plug(self, take: Take) -> None:
        import can

        if self._bus is None:
            self._bus = can.Bus(channel=self._channel, interface="virtual", ignore_config=True)
            args = (self._bus, asyncio.get_running_loop(), take)
            self._thread = threading.Thread(target=self._listen, args=args, name=f"simulated can {self._channel}")
            self._thread.start()

    def unplug(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.shutdown()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def send(self, frame: CanFrame) -> None:
        import can

        if self._bus is not None:
            self._bus.send(can.Message(arbitration_id=frame.id, data=frame.data, is_extended_id=frame.extended))

    def trouble(self, fault: str) -> None:
        """Sends what SocketCAN sends then: frames that only the local controller makes up."""
        import can

        kind, data = {
            "bus-off": (0x240, bytes(6) + b"\xf8\0"),
            "passive": (0x204, b"\0\x30" + bytes(4) + b"\x80\0"),
            "warning": (0x204, b"\0\x0c" + bytes(4) + b"\x60\x03"),
            "": (0x300, bytes(8)),
        }[fault]
        if self._bus is not None:
            self._bus.send(can.Message(arbitration_id=kind, data=data, is_error_frame=True, is_extended_id=False))

    def _listen(self, bus: can.BusABC, loop: asyncio.AbstractEventLoop, take: Take) -> None:
        import can

        while self._bus is bus:
            try:
                message = bus.recv(LISTEN)
            except can.CanError:
                return  # shut down meanwhile
            if message is not None and not message.is_error_frame:
                remote = message.is_remote_frame
                frame = CanFrame(message.arbitration_id, bytes(message.data), message.is_extended_id, remote)
                try:
                    loop.call_soon_threadsafe(take, frame)
                except RuntimeError:
                    return  # the loop is closed


class SlcanAdapter:
    """A serial CAN adapter, byte by byte: commands end with a carriage return; so do answers, or with a bell."""

    def __init__(self, link: Path, line: Wire | None = None) -> None:
        # Without a line, which is the device's end of the serial port at `link`, a pseudo-terminal gets that name.
        self._link = link
        self._line = line or PtyWire(link)
        self._line.attach(self._received)
        self._take: Take | None = None
        self._rest = b""
        self._speed = ""
        self._open = False
        self._fault = ""

    def address(self, node: int) -> str:
        return f"can://{self._link}/{node:#x}?interface=slcan"

    def plug(self, take: Take) -> None:
        self._take = take
        self._line.plug()

    def unplug(self) -> None:
        self._line.unplug()
        self._open, self._speed, self._rest, self._fault = False, "", b"", ""

    def send(self, frame: CanFrame) -> None:
        if self._open:
            self._line.send(to_line(frame) + b"\r")

    def trouble(self, fault: str) -> None:
        self._fault = fault

    def _received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r")
        self._rest = self._rest[-64:]
        answers = b""
        for line in lines:
            if line:
                answers += self._answer(line)
        if answers:
            self._line.send(answers)

    def _answer(self, line: bytes) -> bytes:
        """Returns the answer to one command; what goes to the bus is taken at the next turn, so the answer is first."""
        letter = line[:1].decode("latin-1")
        if letter in "tTrR":
            return self._transmit(line, letter)
        if letter == "S" and not self._open and line.decode("latin-1") in BITRATES.values():
            self._speed = line.decode()
            return b"\r"
        if line == b"O" and not self._open and self._speed:
            self._open = True
            return b"\r"
        if line == b"C" and self._open:
            self._open = False
            return b"\r"
        if line == b"F" and self._open:
            return b"F%02X\r" % _STATUS.get(self._fault, 0)
        return {b"V": b"V1013\r", b"N": b"NSIM0\r"}.get(line, b"\a")

    def _transmit(self, line: bytes, letter: str) -> bytes:
        frame = from_line(line)
        if frame is None or not self._open or self._fault == "bus-off":
            return b"\a"
        if self._take is not None:
            asyncio.get_running_loop().call_soon(self._take, frame)
        return b"z\r" if letter in "tr" else b"Z\r"
