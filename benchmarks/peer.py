"""The devices of a table in a process of their own, as plain as can be: pseudo-terminals, one poll, exact times.

`latency`: the deeds of a file, in their order; those that light a lamp are timed.  Right behind each of them it
measures the floor: the same bytes to and from a process that only makes a small append durable.
`bursts`: the deeds of a file, all that stand together at once, timed until the last of them is acknowledged.
`rounds N`: rounds of Casino War as fast as the table takes them, and then one that is left open.
`idle`: nothing but heartbeats.  `bare`: the floor's process.

Whatever it waits for has a limit; what was missing then is the last thing that it says.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
import tty
from collections import deque
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchmarks.deeds import AFTER_THE_TIE, BEFORE_THE_FLOOR, BEFORE_THE_TIE, FILE, QUIET, TEN, THE_TIE, Deed, Deeds
from benchmarks.slow_disk import slow_down
from firmware_bridge.frame import Frame, FrameError, Kind, decode_command, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Identity, Reply, SetLamps
from firmware_bridge.session import WINDOW

LIMIT = 10.0  # seconds for an answer of the table, which takes milliseconds
AGAIN = 0.3  # seconds without a word, after which a device sends its oldest event again
APPENDED = 160  # bytes that the floor makes durable: about a record
REPORT_EVERY = 100  # rounds
ON = 1  # a lamp's state
MISSING = "missing: "  # begins the line that says what was waited for in vain
_WIDE = 2  # bytes that tell the floor's process how many to send back


class Missing(Exception):
    """Something that was waited for did not come."""


class Port:
    """One device on one pseudo-terminal."""

    def __init__(self, link: Path, family: str) -> None:
        self.name = link.name
        self.master, slave = os.openpty()
        tty.setraw(slave)
        link.symlink_to(os.ttyname(slave))
        self._slave = slave  # held open: the controller comes and goes
        self._framer = Framer()
        self._identity = Identity(family, "bench", f"BENCH-{link.name}", "1.0.0", 7, 0)
        self.sent = self.acknowledged = 0
        self._kept: deque[tuple[int, bytes]] = deque()  # what is not acknowledged yet
        self.lamps: SetLamps | None = None  # what it was told last

    def event(self, body: bytes) -> bytes:
        """Returns the bytes of its next event, which it keeps until that is acknowledged."""
        self.sent += 1
        wire = Frame(Kind.EVENT, self.sent, body).to_wire()
        self._kept.append((self.sent, wire))
        return wire

    def again(self, first: int = 0, most: int = WINDOW) -> None:
        """Sends events once more that were not acknowledged, from this one on: a link can be lost on a busy machine."""
        for _, wire in [kept for kept in self._kept if kept[0] >= first][:most]:
            os.write(self.master, wire)

    def take(self, data: bytes) -> None:
        for frame in self._framer.feed(data):
            if isinstance(frame, FrameError):
                raise Missing(f"a sound frame: {frame}")
            if frame.kind is Kind.HELLO:
                identity = replace(self._identity, last=self.sent, first=self.acknowledged + 1)
                self._answer(Kind.IDENTITY, frame.number, encode(identity))
                self.again()
            elif frame.kind is Kind.PING:
                self._answer(Kind.PONG, frame.number)
            elif frame.kind is Kind.ACK:
                self.acknowledged = frame.number
                while self._kept and self._kept[0][0] <= frame.number:
                    self._kept.popleft()
            elif frame.kind is Kind.RESEND:
                self.again(frame.number)
            elif frame.kind is Kind.COMMAND:
                command = decode_command(frame.body)
                if isinstance(command, SetLamps):
                    self.lamps = command
                self._answer(Kind.REPLY, frame.number, encode(Reply(True)))

    def _answer(self, kind: Kind, number: int, body: bytes = b"") -> None:
        os.write(self.master, Frame(kind, number, body).to_wire())


class Table:
    """All devices of a table."""

    def __init__(self, directory: Path, families: dict[str, str]) -> None:
        self.ports = {name: Port(directory / name, family) for name, family in families.items()}
        self._by_fd = {port.master: port for port in self.ports.values()}
        self._poll = select.poll()
        for fd in self._by_fd:
            self._poll.register(fd, select.POLLIN)

    def serve(self, patience: float) -> bool:
        """Answer whoever talks; False when nobody did for so many seconds."""
        ready = self._poll.poll(patience * 1000)
        for fd, _ in ready:
            self._by_fd[fd].take(os.read(fd, 4096))
        return bool(ready)

    def until(self, reached: Callable[[], bool], what: str) -> None:
        """Serve until something is so; Missing when it is not within the limit."""
        deadline = time.monotonic() + LIMIT
        while not reached():
            if (left := deadline - time.monotonic()) <= 0:
                raise Missing(f"{what} within {LIMIT:g} s")
            if not self.serve(min(left, AGAIN)):
                for port in self.ports.values():
                    port.again(most=1)

    def rest(self, seconds: float) -> None:
        """Serve for so long, and then until the table has nothing more to say."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.serve(left)
        deadline = until + LIMIT
        while self.serve(QUIET):
            if time.monotonic() > deadline:
                raise Missing(f"a moment in which the table says nothing, within {LIMIT:g} s")

    def tell(self, deeds: list[Deed]) -> None:
        """What one device tells, as much of it at once as it may; until all is acknowledged."""
        port = self.ports[deeds[0].device]
        for first in range(0, len(deeds), WINDOW):
            some = deeds[first : first + WINDOW]
            os.write(port.master, b"".join(port.event(deed.event) for deed in some))
            self.acknowledged([port])

    def acknowledged(self, ports: list[Port]) -> None:
        """Serve until all that these devices have told is acknowledged."""
        what = f"acknowledgements for {', '.join(port.name for port in ports)}"
        self.until(lambda: all(port.acknowledged >= port.sent for port in ports), what)

    def timed(self, deed: Deed) -> tuple[float, int, int] | None:
        """Seconds from the deed's bytes to the lamp's, and how many bytes these and those were.

        None when something else came first, such as a heartbeat.
        """
        port, lamps = self.ports[deed.device], self.ports["lamps"]
        lamps.lamps = None
        wire = port.event(deed.event)
        only = select.poll()
        only.register(lamps.master, select.POLLIN)
        began = time.perf_counter()
        os.write(port.master, wire)
        if not only.poll(LIMIT * 1000):
            raise Missing(f"a lamp for {deed.event.hex()} of {deed.device} within {LIMIT:g} s")
        data = os.read(lamps.master, 4096)
        took = time.perf_counter() - began
        lamps.take(data)
        alone = _lights(lamps.lamps)
        self.until(lambda: _lights(lamps.lamps), f"a lamp for {deed.event.hex()} of {deed.device}")
        self.acknowledged([port])
        self.rest(0.0)
        return (took, len(wire), len(data)) if alone else None


def _lights(command: SetLamps | None) -> bool:
    return command is not None and any(state == ON for _, state in command.lamps)


class Floor:
    """The wire to the process that does nothing but fdatasync."""

    def __init__(self, link: Path) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))
        self._poll = select.poll()
        self._poll.register(self._master, select.POLLIN)

    def timed(self, out: int, back: int) -> float:
        """Seconds for so many bytes there, one small append made durable, and so many bytes back."""
        began = time.perf_counter()
        os.write(self._master, b"\0" * (out - _WIDE) + back.to_bytes(_WIDE, "little"))
        got = 0
        while got < back:
            if not self._poll.poll(LIMIT * 1000):
                raise Missing(f"an answer of the floor's process within {LIMIT:g} s")
            got += len(os.read(self._master, 4096))
        return time.perf_counter() - began


def bare(line: Path, file: Path) -> None:
    """The floor's other end, until it is killed."""
    slow_down(file.parent)
    fd = os.open(line, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    print("ready", flush=True)
    while data := os.read(fd, 4096):
        os.write(log, bytes(APPENDED))
        os.fdatasync(log)
        os.write(fd, bytes(int.from_bytes(data[-_WIDE:], "little")))


def latency(table: Table, floor: Floor, plan: Deeds) -> dict[str, list[float]]:
    """Seconds of each timed deed, and of the floor right behind it."""
    cards, floors = list[float](), list[float]()
    for some in _together(plan.deeds):
        if some[0].rest:
            table.rest(some[0].rest)
        if not some[0].timed:
            table.tell(some)
        elif (timed := table.timed(some[0])) is not None:
            cards.append(timed[0])
            table.rest(min(some[0].rest, BEFORE_THE_FLOOR))  # a processor that has rested is slower, for both
            floors.append(floor.timed(*timed[1:]))
        if len(cards) == plan.samples:
            break
    return {"cards": cards, "floors": floors}


def _together(deeds: list[Deed]) -> Iterator[list[Deed]]:
    """Yields what one device tells without a rest in between; a timed deed stands alone."""
    part = 0
    parts = []
    for before, deed in zip([None, *deeds], deeds, strict=False):
        apart = deed.timed or deed.rest or before is None or before.timed or before.device != deed.device
        part += bool(apart)
        parts.append(part)
    for _, group in groupby(zip(parts, deeds, strict=True), key=lambda numbered: numbered[0]):
        yield [deed for _, deed in group]


def bursts(table: Table, plan: Deeds) -> list[tuple[float, float]]:
    """When each burst began, and when all of it was acknowledged, on the clock that all processes share."""
    took, groups = list[tuple[float, float]](), list[list[Deed]]()
    for deed in plan.deeds:
        if deed.rest or not groups:
            groups.append([])
        groups[-1].append(deed)
    for group in groups:
        table.rest(group[0].rest)
        wires: dict[str, bytes] = {}
        for deed in group:
            wires[deed.device] = wires.get(deed.device, b"") + table.ports[deed.device].event(deed.event)
        began = time.monotonic()
        for device, wire in wires.items():
            os.write(table.ports[device].master, wire)
        table.acknowledged([table.ports[device] for device in wires])
        took.append((began, time.monotonic()))
    return took


def rounds(table: Table, many: int) -> None:
    before, after = list(BEFORE_THE_TIE), [THE_TIE, *AFTER_THE_TIE]
    for number in range(1, many + 1):
        for deed in (*before, *after):
            table.tell([deed])
        if number % REPORT_EVERY == 0:
            print(number, flush=True)
    for deed in before:
        table.tell([deed])
    print("open", flush=True)


def main(mode: str, directory: Path, many: int = 0) -> None:
    file = directory / FILE
    plan = msgspec.msgpack.decode(file.read_bytes(), type=Deeds) if file.exists() else Deeds(TEN, [], 0)
    table, floor = Table(directory, plan.devices), Floor(directory / "bare")
    print("ready", flush=True)
    os.set_blocking(0, False)
    while sys.stdin.buffer.read() is None:  # until the controller says that all its devices are there
        table.serve(0.05)
    try:
        table.rest(0.0)
        if mode == "latency":
            print(json.dumps(latency(table, floor, plan)), flush=True)
        elif mode == "bursts":
            print(json.dumps(bursts(table, plan)), flush=True)
        elif mode == "rounds":
            rounds(table, many)
    except Missing as missing:
        print(f"{MISSING}{missing}", flush=True)
    while sys.stdin.buffer.read() is None:  # until it is killed, or whoever started it has ended
        table.serve(1.0)


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        bare(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
