"""CiA 401 input/output modules on CANopen: lamps on the outputs, buttons and a door switch on the inputs.

Outputs are process data, which nobody acknowledges, so they are read back.  A missing heartbeat is a lost module.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from drivers.console import pressed
from drivers.lamps import BLINKING, ON, LampsDriver
from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import DOOR, Endpoint, Schemes, SettingsError, vendor
from firmware_bridge import messages as m
from firmware_bridge.address import Address
from firmware_bridge.can_frame import MAX_DATA, CanFrame
from firmware_bridge.diagnostics import Note
from firmware_bridge.errors import declare
from firmware_bridge.frame import FrameError
from firmware_bridge.link import LinkError, LinkListener
from firmware_bridge.schemes.can import can_wiring
from firmware_bridge.transport import Transport
from firmware_bridge.vendors import cia401 as wire
from firmware_bridge.vendors.node import NodeTransport

ANSWER_WAIT: Final = 0.2
TRIES: Final = 3
BEATS_MISSED: Final = 3
BLINK: Final = 0.5  # seconds on, seconds off
_NONE: Final[Mapping[str, int]] = MappingProxyType({})
declare(
    __name__,
    "a CANopen module",
    {
        "device.profile": (
            "The node is no input/output module: it follows another profile than CiA 401.",
            "Correct the node number in table.toml, or use a module of profile 401.",
        ),
        "device.object": (
            "The module does not give an object that is needed.",
            "Use a module that has it, or ask its maker.",
        ),
        "lamps.emergency-*": (
            "The module reports an emergency with this number.",
            "Look the number up in the module's manual.",
        ),
    },
)


@dataclass(frozen=True, slots=True)
class Cia401:
    """The settings of a module: what is connected where.  Inputs and outputs count from 0."""

    outputs: Mapping[str, int] = field(default_factory=lambda: _NONE)  # lamp to output
    inputs: Mapping[str, int] = field(default_factory=lambda: _NONE)  # key of the console, or "door", to input
    heartbeat: int = 250  # milliseconds

    def __post_init__(self) -> None:
        mistakes: list[tuple[tuple[str, ...], str]] = []
        for group, points in (("outputs", self.outputs), ("inputs", self.inputs)):
            taken = set[int]()
            for name, point in points.items():
                if not 0 <= point < wire.POINTS:
                    mistakes.append(((group, name), f"must be 0 to {wire.POINTS - 1}"))
                elif point in taken:
                    mistakes.append(((group, name), f"{point} stands twice: connect one thing to it"))
                taken.add(point)
        if not 50 <= self.heartbeat <= 5000:
            mistakes.append((("heartbeat",), "must be 50 to 5000 milliseconds"))
        if mistakes:
            raise SettingsError(*mistakes)


class IoDriver(LampsDriver):
    """Lamps that have buttons beside them."""

    events = (*LampsDriver.events, m.KeyPressed)


@vendor(
    "cia401",
    families=("lamps",),
    settings=Cia401,
    schemes=("can",),
    tells_serial=True,
    changed_by_asking="its bus is there; asking it would start it",
)
class Cia401Link(VendorLink[Cia401]):
    """The link to a module, as lamps by output; its inputs are buttons and the door."""

    @classmethod
    def endpoint(cls, settings: Cia401, address: Address, schemes: Schemes, family: str) -> Endpoint:
        wiring, node = can_wiring(address)
        memory, emergencies = Memory(), set[str]()
        return Endpoint(
            lambda: NodeTransport(wiring, node),
            lambda transport, listener: cls(transport, listener, memory, emergencies, settings, node),
            lambda: IoDriver(settings.outputs),
        )

    def __init__(
        self,
        transport: Transport,
        listener: LinkListener,
        memory: Memory,
        emergencies: set[str],  # fault codes that are not over; they outlive a session
        settings: Cia401,
        node: int,
    ) -> None:
        super().__init__(transport, listener, memory, settings)
        self.look_every = settings.heartbeat / 1000
        self._node = node
        self._names = {point: name for name, point in settings.inputs.items()}
        self._asked: tuple[int, int] | None = None
        self._lamps: dict[int, int] = {}
        self._output_bytes = 0
        self._inputs: int | None = None  # None: not known yet
        self._emergencies = emergencies
        self._beat = 0.0
        self._operating = False
        self._lit = True  # the phase of blinking lamps
        self._blinking: asyncio.TimerHandle | None = None

    # ---- a session

    async def greet(self) -> tuple[str, str, str]:
        self._lamps, self._inputs, self._operating = {}, None, False
        profile = await self._read(*wire.DEVICE_TYPE)
        if profile & 0xFFFF != wire.PROFILE:
            raise LinkError("device.profile", f"node {self._node} follows profile {profile & 0xFFFF}, not 401")
        vendor, product, revision, serial = [await self._read(wire.IDENTITY, sub, 0) for sub in (1, 2, 3, 4)]
        self._output_bytes = min(await self._read(wire.OUTPUT_BYTES, 0, 0), MAX_DATA)
        beats = await self._sdo(wire.Object(*wire.HEARTBEAT_TIME, self._settings.heartbeat, 2))
        if isinstance(beats, wire.Aborted):
            raise LinkError("device.object", f"node {self._node} has no heartbeat, so its loss would go unnoticed")
        inputs = min(await self._read(wire.INPUT_BYTES, 0, 0), MAX_DATA)
        if not await self._read(*wire.ERROR_REGISTER, 0):
            self._emergency(wire.Emergency(0))  # over while nobody listened
        self._send_frame(wire.nmt(wire.START, self._node), "start")
        self._take_inputs(bytes([await self._read(wire.INPUT_BYTES, sub) for sub in range(1, inputs + 1)]))
        self._beat = asyncio.get_running_loop().time()
        return f"cia401 {vendor:x}:{product:x}", str(serial) if serial else "", f"{revision >> 16}.{revision & 0xFFFF}"

    async def look(self) -> None:
        silent = asyncio.get_running_loop().time() - self._beat
        if silent > BEATS_MISSED * self._settings.heartbeat / 1000:
            raise LinkError("link.silent", f"no heartbeat of node {self._node} for {silent:.1f} s")

    def stop(self) -> None:
        if self._blinking is not None:
            self._blinking.cancel()
            self._blinking = None

    # ---- outputs

    async def carry_out(self, command: m.Command) -> m.Reply:
        match command:
            case m.SetLamps(lamps):
                return await self._set(dict(lamps))
            case m.SelfTest():
                return m.Reply(not self._emergencies, ", ".join(sorted(self._emergencies)))
        return NOTHING

    async def _set(self, lamps: dict[int, int]) -> m.Reply:
        if beyond := [lamp for lamp in lamps if lamp >= 8 * self._output_bytes]:
            return m.Reply(False, f"no-output {beyond[0]}: the module has {8 * self._output_bytes}")
        self._lamps |= lamps
        if BLINKING in self._lamps.values() and self._blinking is None:
            self._blinking = asyncio.get_running_loop().call_later(BLINK, self._blink)
        for _ in range(TRIES):
            wanted = self._write_outputs()
            if not self._differing(await self._outputs(lamps), wanted, lamps):
                return m.Reply(True)
            self._listener.stats.retries += 1
        return m.Reply(False, "not-set the module does not take its outputs: is it in operation?")

    async def _outputs(self, lamps: Mapping[int, int]) -> dict[int, int]:
        """Returns what the module drives in the bytes of these lamps."""
        return {byte: await self._read(wire.OUTPUT_BYTES, byte + 1) for byte in sorted({lamp // 8 for lamp in lamps})}

    def _differing(self, driven: Mapping[int, int], wanted: bytes, lamps: Mapping[int, int]) -> bool:
        steady = [lamp for lamp, state in lamps.items() if state != BLINKING]  # a blinking one may have changed since
        return any((driven[lamp // 8] ^ wanted[lamp // 8]) >> lamp % 8 & 1 for lamp in steady)

    def _write_outputs(self) -> bytes:
        bits = sum(1 << lamp for lamp, state in self._lamps.items() if state == ON or (state == BLINKING and self._lit))
        data = bits.to_bytes(MAX_DATA, "little")[: self._output_bytes]
        self._send_frame(CanFrame(wire.OUTPUTS + self._node, data), f"outputs {data.hex()}")
        return data

    def _blink(self) -> None:
        self._blinking = None
        if BLINKING in self._lamps.values() and self._failure is None:
            self._lit = not self._lit
            self._write_outputs()
            self._blinking = asyncio.get_running_loop().call_later(BLINK, self._blink)

    # ---- from the node

    def received(self, data: bytes) -> None:
        frame = wire.unpack(data)
        if frame is None:
            self.record(FrameError("frame.noise", f"{len(data)} bytes that are no frame"))
            return
        self.record(Note(f"{frame.id:03x} {frame.data.hex()}"))
        match wire.function_of(frame):
            case wire.HEARTBEAT if len(frame.data) == 1:
                self._heartbeat(frame.data[0])
            case wire.EMERGENCY:
                self._emergency(wire.read_emergency(frame.data))
            case wire.INPUTS:
                self._take_inputs(frame.data)
            case wire.SDO_ANSWER:
                answer = wire.read_sdo(frame.data)
                if answer is not None and (answer.index, answer.sub) == self._asked:
                    self.answer(answer)

    def _heartbeat(self, state: int) -> None:
        self._beat = asyncio.get_running_loop().time()
        if state == wire.OPERATIONAL:
            self._operating = True
        elif self._operating or (
            state == wire.BOOTED and self._identified
        ):  # what its outputs do now is not known: begin anew
            self.lose(LinkError("device.restarted", f"node {self._node} was switched off and on, or stopped by others"))
        elif self._identified:
            self._listener.stats.retries += 1
            self._send_frame(wire.nmt(wire.START, self._node), "start again")

    def _emergency(self, emergency: wire.Emergency | None) -> None:
        if emergency is None:
            return
        if emergency.code:
            code = f"lamps.emergency-{emergency.code:04x}"
            self._emergencies.add(code)
            text = f"the module reports emergency {emergency.code:04x}, register {emergency.register:02x}"
            self.emit(m.Fault(code, f"{text}: its manual says what that is"))
            return
        for code in sorted(self._emergencies):
            self.emit(m.FaultCleared(code))
        self._emergencies.clear()

    def _take_inputs(self, data: bytes) -> None:
        """Reports what has changed at the inputs.

        A key is pressed when its input turns on; the door is open while its input is on.
        """
        now = int.from_bytes(data, "little")
        known, self._inputs = self._inputs, now
        for point, name in sorted(self._names.items()):
            on = bool(now >> point & 1)
            if known is not None and on == bool(known >> point & 1):
                continue
            if name == DOOR:
                self.emit(m.DoorChanged(on))
            elif on and known is not None:  # one held down since before we came was not pressed for us
                self.emit(pressed(name))

    # ---- the dictionary of the node

    async def _read(self, index: int, sub: int, otherwise: int | None = None) -> int:
        """Returns the value of an object; `otherwise` when the node does not have it."""
        answer = await self._sdo(wire.Object(index, sub))
        if isinstance(answer, wire.Object) and answer.value is not None:
            return answer.value
        if otherwise is None:
            raise LinkError("device.object", f"node {self._node} does not give its object {index:04x}:{sub}")
        return otherwise

    async def _sdo(self, item: wire.Object) -> wire.Object | wire.Aborted:
        self._asked = (item.index, item.sub)
        data = wire.pack(item.request(self._node))
        for _ in range(TRIES):
            answer = await self.exchange(data, f"object {item.index:04x}:{item.sub}", ANSWER_WAIT)
            if isinstance(answer, wire.Object | wire.Aborted):
                return answer
        raise LinkError(
            "link.silent", f"node {self._node} does not answer: is it on, are its number and bit rate right?"
        )

    def _send_frame(self, frame: CanFrame, words: str) -> None:
        self.send(wire.pack(frame), words)
