"""A CiA 401 input/output module, frame by frame: its state, its dictionary, its process data and its heartbeat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

from firmware_bridge.can_frame import CanFrame
from firmware_bridge.messages import Event, Fault, FaultCleared, KeyPressed, SetLamps
from firmware_bridge.vendors import cia401 as wire
from hw_sim.can import SimBus
from hw_sim.errors import SimError
from hw_sim.models.base import Events
from hw_sim.models.lamps import Lamps
from hw_sim.wire import Deliver

NO_SUCH_OBJECT: Final = 0x06020000
OUTPUT_TROUBLE: Final = 0x2300  # an emergency: current at the outputs
BYTES: Final = 2  # sixteen inputs, sixteen outputs
VENDOR, PRODUCT, REVISION = 0x1209, 0x401, 0x00010002


class IoModule(Lamps):
    """Lamps on the outputs; contacts on the inputs that a person closes and opens."""

    DEEDS: ClassVar[tuple[str, ...]] = ("press", "close", "open")

    def __init__(self) -> None:
        super().__init__()
        self.closed: set[int] = set()

    def press(self, point: int | str) -> Events:
        """Closes a contact and opens it again."""
        return [KeyPressed(str(_point(point)))]

    def close(self, point: int | str) -> Events:
        """Closes a contact."""
        self.closed.add(_point(point))
        return []

    def open(self, point: int | str) -> Events:
        """Opens a contact."""
        self.closed.discard(_point(point))
        return []

    def view(self) -> dict[str, Any]:
        return {**super().view(), "closed": sorted(self.closed)}


def _point(value: int | str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if not 0 <= number < 8 * BYTES:
        raise SimError(f"{value!r} is not an input of the module; it has 0 to {8 * BYTES - 1}")
    return number


class NodeWire:
    """The module's place on a bus: every piece of bytes is one frame, its identifier first."""

    def __init__(self, bus: SimBus, node: int) -> None:
        self.bus = bus
        self.node = node
        self._received: Deliver | None = None

    @property
    def plugged(self) -> bool:
        return self._take in self.bus.listeners

    @property
    def address(self) -> str:
        return self.bus.adapter.address(self.node)

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        frame = wire.unpack(data)
        if self.plugged and frame is not None:
            self.bus.send(frame)

    def plug(self) -> None:
        if not self.plugged:
            self.bus.listeners.append(self._take)

    def unplug(self) -> None:
        if self.plugged:
            self.bus.listeners.remove(self._take)

    def _take(self, frame: CanFrame) -> None:
        if self._received is not None:
            self._received(wire.pack(frame))


class Cia401End:
    """The module's side of the protocol."""

    def __init__(self, model: IoModule, send: Callable[[bytes], None], *, node: int, serial: int = 1) -> None:
        self._model = model
        self._send = send
        self._node = node
        self._state = wire.PREOPERATIONAL
        self._objects: dict[tuple[int, int], tuple[int, int]] = {  # value and size
            wire.DEVICE_TYPE: (wire.PROFILE | 0x30000, 4),
            wire.ERROR_REGISTER: (0, 1),
            wire.HEARTBEAT_TIME: (0, 2),
            **{(wire.IDENTITY, at + 1): (value, 4) for at, value in enumerate((VENDOR, PRODUCT, REVISION, serial))},
            (wire.INPUT_BYTES, 0): (BYTES, 1),
            (wire.OUTPUT_BYTES, 0): (BYTES, 1),
        }
        self._shown = b""  # the inputs as last told
        self._beating: asyncio.TimerHandle | None = None

    pending = 0  # what it says, it says at once

    def report(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case KeyPressed(point):
                    self._model.closed.add(int(point))
                    self._send_inputs()
                    self._model.closed.discard(int(point))
                case Fault():
                    self._trouble(OUTPUT_TROUBLE, 0x02)
                case FaultCleared():
                    self._trouble(0, 0)
        self._send_inputs()

    def received(self, data: bytes) -> None:
        frame = wire.unpack(data)
        if frame is None:
            return
        if frame.id == wire.NMT and len(frame.data) == 2 and frame.data[1] in (0, self._node):
            self._state = {wire.START: wire.OPERATIONAL}.get(frame.data[0], wire.PREOPERATIONAL)
            self._send_inputs()
        elif frame.id == wire.SDO_REQUEST + self._node:
            self._take_request(wire.read_sdo(frame.data))
        elif frame.id == wire.OUTPUTS + self._node and self._state == wire.OPERATIONAL and len(frame.data) == BYTES:
            bits = int.from_bytes(frame.data, "little")
            for point in range(8 * BYTES):  # one by one: a broken one keeps the others from nothing
                self._model.execute(SetLamps(((point, bits >> point & 1),)))

    def restart(self) -> None:
        """Starts anew and reports it: power comes back, and it waits to be started by the controller."""
        if self._beating is not None:
            self._beating.cancel()
            self._beating = None
        self._state = wire.PREOPERATIONAL
        self._shown = b""
        self._objects[wire.HEARTBEAT_TIME] = (0, 2)
        self._send_frame(CanFrame(wire.HEARTBEAT + self._node, bytes([wire.BOOTED])))

    # ---- what it says

    def _send_frame(self, frame: CanFrame) -> None:
        self._send(wire.pack(frame))

    def _inputs(self) -> bytes:
        return sum(1 << point for point in self._model.closed).to_bytes(BYTES, "little")

    def _send_inputs(self) -> None:
        if self._state == wire.OPERATIONAL and (now := self._inputs()) != self._shown:
            self._shown = now
            self._send_frame(CanFrame(wire.INPUTS + self._node, now))

    def _trouble(self, code: int, register: int) -> None:
        self._objects[wire.ERROR_REGISTER] = (register, 1)
        self._send_frame(wire.Emergency(code, register).frame(self._node))

    def _beat(self) -> None:
        pause = self._objects[wire.HEARTBEAT_TIME][0] / 1000
        self._beating = asyncio.get_running_loop().call_later(pause, self._beat) if pause else None
        self._send_frame(CanFrame(wire.HEARTBEAT + self._node, bytes([self._state])))

    # ---- its dictionary

    def _take_request(self, asked: wire.Object | wire.Aborted | None) -> None:
        if not isinstance(asked, wire.Object):
            return
        place = (asked.index, asked.sub)
        if asked.value is None:
            held = self._value(*place)
            answer = wire.Aborted(*place, NO_SUCH_OBJECT) if held is None else wire.Object(*place, *held)
            self._send_frame(answer.answer(self._node))
            return
        if place != wire.HEARTBEAT_TIME:
            self._send_frame(wire.Aborted(*place, NO_SUCH_OBJECT).answer(self._node))
            return
        self._objects[place] = (asked.value, asked.size)
        self._send_frame(wire.Object(*place).answer(self._node))
        if self._beating is None:
            self._beat()

    def _value(self, index: int, sub: int) -> tuple[int, int] | None:
        if index == wire.INPUT_BYTES and 1 <= sub <= BYTES:
            return self._inputs()[sub - 1], 1
        if index == wire.OUTPUT_BYTES and 1 <= sub <= BYTES:
            return sum(1 << point - 8 * (sub - 1) for point in self._model.states if point // 8 == sub - 1), 1
        return self._objects.get((index, sub))
