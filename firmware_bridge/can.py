"""Devices on a CAN bus: the bus that they share, and one node on it as a transport.

A node's silence is that node's loss only.  What happens to the adapter or the bus itself takes all nodes away at once,
with the same cause; the first of them to be opened again opens the bus again.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from firmware_bridge.attention import LATE, Attention
from firmware_bridge.can_frame import CanFrame
from firmware_bridge.can_health import Health, health_record
from firmware_bridge.can_ports import Port, PythonCanPort
from firmware_bridge.datagram import Unstuffer, to_stream
from firmware_bridge.isotp import IsoTp
from firmware_bridge.slcan import SlcanPort
from firmware_bridge.transport import Receiver, TransportError

INTERFACES: Final = ("socketcan", "slcan", "virtual")
TO_DEVICE: Final = 0x300  # plus the node number: frames of the controller
FROM_DEVICE: Final = 0x380  # plus the node number: frames of the device
LAST_NODE: Final = 127
PASSIVE_PATIENCE: Final = 0.4  # seconds; less than a link's, so that the bus is named and not each node
STALLED: Final = 1.0  # seconds in which the adapter took no frame
TRY_AGAIN: Final = 0.002  # seconds until a full adapter is offered the next frame
MOST_UNSENT: Final = 4096  # frames
CROWDED: Final = (3, 1.0)  # so often, within so many seconds, does no single device begin a message within a message
QUIET: Final = 0.26  # seconds; a bus on which we listen and ask is not quiet for longer
_Key: TypeAlias = tuple[asyncio.AbstractEventLoop, str, str]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Which bus, and how it is reached.  `bitrate` and `baud` (of the serial line) matter to SLCAN adapters only."""

    channel: str
    interface: str = "socketcan"
    bitrate: int = 500_000
    baud: int = 115_200


class BusMember(Protocol):
    """One that takes some of a bus's frames.  After `lost` it leaves."""

    def take(self, frame: CanFrame) -> None:
        """Takes one frame with an id of its own."""

    def lost(self, why: TransportError) -> None:
        """Learns that the bus is lost, and why."""


def open_port(wiring: Wiring) -> Port:
    """Returns the port of this bus, not opened yet."""
    if wiring.interface == "slcan":
        return SlcanPort(wiring.channel, wiring.bitrate, wiring.baud)
    return PythonCanPort(wiring.interface, wiring.channel)


class CanBus:
    """One bus in this process, open as long as somebody is on it.  Get it by `join`; give it back by `leave`."""

    def __init__(self, key: _Key, wiring: Wiring, port: Port) -> None:
        self.wiring = wiring
        self.health_now: Health = "active"
        self.errors: Counter[str] = Counter()
        self.bunched_until = 0.0  # what is read until then may have come long apart: we had not read for a while
        self._read_at = 0.0
        self.record = health_record(wiring.interface, wiring.channel)
        self._key = key
        self._port = port
        self._members: dict[int, BusMember] = {}  # by the frame id that they hear
        self._unsent: deque[CanFrame] = deque()
        self._attention = Attention()
        self._moved = 0.0  # when the adapter last took a frame, in the time in which we offered some
        self._retry: asyncio.TimerHandle | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._traffic = False  # anything, since the bus turned passive
        self._opening = asyncio.get_running_loop().create_task(self._open(), name=f"can {wiring.channel}")

    @staticmethod
    async def join(
        wiring: Wiring, ids: tuple[int, ...], member: BusMember, make_port: Callable[[Wiring], Port] = open_port
    ) -> CanBus:
        """Returns the bus, from which this member now gets the frames with these ids.

        TransportError when the bus cannot be opened or an id is taken.
        """
        key = (asyncio.get_running_loop(), wiring.interface, wiring.channel)
        bus = _buses.get(key)
        if bus is None:
            bus = _buses[key] = CanBus(key, wiring, make_port(wiring))
        elif bus.wiring != wiring:
            cause = f"{wiring.channel}: another device uses this bus with other settings: {bus.wiring}"
            raise TransportError("can.settings", cause)
        if taken := [number for number in ids if number in bus._members]:
            raise TransportError("can.busy", f"{wiring.channel}: frames {taken[0]:#x} belong to another device")
        bus._members.update(dict.fromkeys(ids, member))
        try:
            failure = await asyncio.shield(bus._opening)
        except asyncio.CancelledError:
            await bus.leave(member)
            raise
        if failure is not None:
            raise failure
        return bus

    async def _open(self) -> TransportError | None:
        try:
            await self._port.open(self)
        except TransportError as error:
            self.record.failed(error, asyncio.get_running_loop().time())
            self._members.clear()  # those who wait hear it from `join`
            self._forget()
            return error
        self.record.opened()
        return None

    def send(self, frame: CanFrame) -> None:
        """Sends a frame, in order, as soon as the adapter takes it; never blocks."""
        if not self._unsent and self._port.send(frame):
            self.record.frames_out += 1
            return
        loop = asyncio.get_running_loop()
        self._unsent.append(frame)
        if len(self._unsent) == 1:
            self._moved = self._attention.at(loop.time())
            self._try_again(self._moved)
        elif len(self._unsent) > MOST_UNSENT:
            self._lose("can.stalled", f"{len(self._unsent)} frames wait to be sent")

    async def leave(self, member: BusMember) -> None:
        """Takes a member off the bus; the last one closes it.  Idempotent."""
        self._members = {number: other for number, other in self._members.items() if other is not member}
        if not self._members:
            await self._close()

    # ---- from the port

    def frames(self, frames: list[CanFrame]) -> None:
        now = asyncio.get_running_loop().time()
        self.record.count_frames(len(frames), now)
        self._traffic = True
        if now > self._read_at + QUIET:
            self.bunched_until = now + QUIET
        self._read_at = now
        for frame in frames:
            member = self._members.get(frame.id)
            if member is not None and not (frame.extended or frame.remote):
                member.take(frame)

    def health(self, health: Health) -> None:
        if health == self.health_now:
            return
        self.health_now = health
        self.record.set_health(health, asyncio.get_running_loop().time())
        if health != "active":
            self.errors[f"can.{health}"] += 1
        if health == "bus-off":
            cause = "our controller left the bus after too many errors: check its bit rate, cable and terminators"
            self._lose("can.bus-off", cause)
        elif health == "passive" and self._patience is None:
            self._traffic = False
            self._be_patient()

    def counters(self, tx_errors: int, rx_errors: int) -> None:
        self.record.set_counters(tx_errors, rx_errors)

    def lost(self, why: TransportError) -> None:
        self.errors[why.code] += 1
        self.record.lost(why, asyncio.get_running_loop().time())
        self._forget()
        self._disarm()
        members, self._members = set(self._members.values()), {}
        for member in members:
            member.lost(why)

    # ---- time

    def _send_more(self) -> None:
        now = self._attention.at(asyncio.get_running_loop().time())
        while self._unsent and self._port.send(self._unsent[0]):
            self._unsent.popleft()
            self.record.frames_out += 1
            self._moved = now
        if not self._unsent:
            self._retry = None
        elif now >= self._moved + STALLED:
            self._lose("can.stalled", f"the adapter has taken no frame for {STALLED:g} s: is anybody on the bus?")
        else:
            self._try_again(now)

    def _try_again(self, now: float) -> None:
        due = self._attention.expect(now + TRY_AGAIN)
        self._retry = asyncio.get_running_loop().call_at(due, self._send_more)

    def _be_patient(self) -> None:
        """Waits whether anybody is heard on a bus that has turned passive."""
        due = asyncio.get_running_loop().time() + PASSIVE_PATIENCE
        self._patience = asyncio.get_running_loop().call_at(due, self._still_passive, due)

    def _still_passive(self, due: float) -> None:
        self._patience = None
        if self.health_now != "passive" or self._traffic:
            return
        if asyncio.get_running_loop().time() > due + LATE:  # we were away, and nobody answers one who is silent
            self._be_patient()
        else:
            self._lose("can.passive", "nobody on the bus answers our controller: check its cable and terminators")

    # ---- the end

    def _lose(self, code: str, cause: str) -> None:
        """Gives the bus up of our own accord; members learn it from the loop, for one may be in its call of `send`."""
        self._forget()
        self._disarm()
        why = TransportError(code, f"{self.wiring.channel}: {cause}")
        asyncio.get_running_loop().call_soon(self.lost, why)

    def _forget(self) -> None:
        """Takes the bus out of the register, so that the next to join opens it anew."""
        if _buses.get(self._key) is self:
            del _buses[self._key]

    async def _close(self) -> None:
        self._forget()
        self._disarm()
        if not self._opening.done():
            self._opening.cancel()
            await asyncio.wait([self._opening])
        await self._port.close()
        if self._key not in _buses:
            self.record.closed()

    def _disarm(self) -> None:
        self._unsent.clear()
        for timer in (self._retry, self._patience):
            if timer is not None:
                timer.cancel()
        self._retry = self._patience = None


_buses: Final[dict[_Key, CanBus]] = {}


def buses() -> list[CanBus]:
    """Returns every bus that is open in this process, for diagnostics."""
    return list(_buses.values())


class CanTransport:
    """One device as a node on a bus; frames of the native protocol travel by ISO-TP."""

    def __init__(self, wiring: Wiring, node: int, *, make_port: Callable[[Wiring], Port] = open_port) -> None:
        self.wiring = wiring
        self.node = node
        self._make_port = make_port
        self._bus: CanBus | None = None
        self._receiver: Receiver | None = None
        self._messages = IsoTp()
        self._unstuffer = Unstuffer()
        self._interrupted: deque[float] = deque(maxlen=CROWDED[0])  # when messages were
        self._timer: asyncio.TimerHandle | None = None

    @property
    def errors(self) -> Counter[str]:
        """Messages that could not be finished, by reason."""
        return self._messages.errors

    async def open(self, receiver: Receiver) -> None:
        if self._receiver is not None:
            raise TransportError("can.busy", f"{self.wiring.channel}, node {self.node:#x}: opened already")
        self._receiver = receiver
        self._messages.reset()
        self._unstuffer.reset()
        self._interrupted.clear()
        try:
            self._bus = await CanBus.join(self.wiring, (FROM_DEVICE + self.node,), self, self._make_port)
        except BaseException:
            self._receiver = None
            raise

    def write(self, data: bytes) -> None:
        if self._bus is None:
            return
        now = asyncio.get_running_loop().time()
        for datagram in self._unstuffer.feed(data):
            self._messages.send(datagram, now)
        self._pass_on()

    async def close(self) -> None:
        self._receiver = None
        self._disarm()
        bus, self._bus = self._bus, None
        if bus is not None:
            await bus.leave(self)

    # ---- from the bus

    def take(self, frame: CanFrame) -> None:
        now, before = asyncio.get_running_loop().time(), self.errors["isotp.interrupted"]
        self._messages.receive(frame.data, now)
        if self.errors["isotp.interrupted"] > before and self._crowded(now):
            cause = f"{self.wiring.channel}: messages of node {self.node:#x} run into each other: two devices are it"
            self.lost(TransportError("can.twice", cause))
        else:
            self._pass_on()

    def _crowded(self, now: float) -> bool:
        """Tells whether two devices talk into each other's messages.

        One alone begins anew too, while nobody tells it to go on: not when we were away.
        """
        if self._bus is not None and now < self._bus.bunched_until:
            return False
        self._interrupted.append(now)
        most, within = CROWDED
        return len(self._interrupted) == most and now - self._interrupted[0] <= within

    def lost(self, why: TransportError) -> None:
        receiver, self._receiver = self._receiver, None
        self._disarm()
        if receiver is not None:
            receiver.lost(why)

    # ---- between messages and frames

    def _tick(self) -> None:
        self._timer = None
        # A loop may call a hair too early.
        self._messages.tick(asyncio.get_running_loop().time() + 1e-6)
        self._pass_on()

    def _pass_on(self) -> None:
        """Passes frames to the bus and messages to the receiver until nothing is left: the receiver may write more."""
        messages = self._messages
        while messages.outbox or messages.inbox:
            if messages.outbox:
                if self._bus is not None:
                    self._bus.send(CanFrame(TO_DEVICE + self.node, messages.outbox[0]))
                messages.outbox.popleft()
            elif (datagram := messages.inbox.popleft()) and self._receiver is not None:
                self._receiver.received(to_stream(datagram))
        self._arm()

    def _arm(self) -> None:
        due = self._messages.deadline()
        if due is None or self._receiver is None:
            self._disarm()
        elif self._timer is None or self._timer.when() != due:
            self._disarm()
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
