"""One CANopen node on a shared bus as a transport: every piece of bytes is one frame, its identifier first."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.can import CanBus, Wiring, open_port
from firmware_bridge.can_frame import CanFrame
from firmware_bridge.can_ports import Port
from firmware_bridge.transport import Receiver, TransportError
from firmware_bridge.vendors.cia401 import FROM_NODE, pack, unpack


class NodeTransport:
    """A wire to one node: it passes on what the node sends, and writes whatever frames it is given."""

    def __init__(self, wiring: Wiring, node: int, *, make_port: Callable[[Wiring], Port] = open_port) -> None:
        self.wiring = wiring
        self.node = node
        self._make_port = make_port
        self._bus: CanBus | None = None
        self._receiver: Receiver | None = None

    async def open(self, receiver: Receiver) -> None:
        if self._receiver is not None:
            raise TransportError("can.busy", f"{self.wiring.channel}, node {self.node:#x}: opened already")
        self._receiver = receiver
        try:
            ids = tuple(function + self.node for function in FROM_NODE)
            self._bus = await CanBus.join(self.wiring, ids, self, self._make_port)
        except BaseException:
            self._receiver = None
            raise

    def write(self, data: bytes) -> None:
        frame = unpack(data)
        if self._bus is not None and frame is not None:
            self._bus.send(frame)

    async def close(self) -> None:
        self._receiver = None
        bus, self._bus = self._bus, None
        if bus is not None:
            await bus.leave(self)

    # ---- from the bus

    def take(self, frame: CanFrame) -> None:
        if self._receiver is not None:
            self._receiver.received(pack(frame))

    def lost(self, why: TransportError) -> None:
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.lost(why)
