"""The devices of a table in a process of their own, as plain as can be: ten pseudo-terminals, one poll, exact times.

`latency N`: rounds of Casino War in which the last card is a tie and so lights the lamp "decide".  Between two rounds
it measures the floor: the same bytes to and from a process that only makes a small append durable.
`rounds N`: such rounds as fast as the table takes them, and then one that is left open.
`idle`: nothing but heartbeats.  `bare`: the floor's process.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
import tty
from pathlib import Path

from msgspec.structs import replace

from firmware_bridge.frame import Frame, FrameError, Kind, decode_command, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import BetChanged, CardDrawn, Event, Identity, KeyPressed, Reply, SetLamps, Spot

SEATS = 7
FAMILIES = {
    "shuffler": "shuffler",
    **{f"sensor.{seat}": "bet-sensor" for seat in range(1, SEATS + 1)},
    "console": "console",
    "lamps": "lamps",
}
QUIET = 0.001  # seconds without a byte: the table has said everything
PAUSE = 0.08  # seconds between two rounds, where a table takes half a minute: what can wait is done meanwhile
APPENDED = 160  # bytes that the floor makes durable: about a record
REPORT_EVERY = 100  # rounds
STAKE = BetChanged((Spot("war", ((1000, 1),)),))


class Port:
    """One device on one pseudo-terminal."""

    def __init__(self, link: Path, family: str) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        link.symlink_to(os.ttyname(slave))
        self._slave = slave  # held open: the controller comes and goes
        self._framer = Framer()
        self._identity = Identity(family, "bench", f"BENCH-{link.name}", "1.0.0", 7, 0)
        self.greeted = False
        self.sent = self.acknowledged = 0
        self.lamps: SetLamps | None = None

    def event(self, event: Event) -> bytes:
        self.sent += 1
        return Frame(Kind.EVENT, self.sent, encode(event)).to_wire()

    def take(self, data: bytes) -> None:
        for frame in self._framer.feed(data):
            if isinstance(frame, FrameError):
                raise SystemExit(f"a bad frame: {frame}")
            if frame.kind is Kind.HELLO:
                self.greeted = True
                identity = replace(self._identity, last=self.sent, first=self.acknowledged + 1)
                self._answer(Kind.IDENTITY, frame.number, encode(identity))
            elif frame.kind is Kind.PING:
                self._answer(Kind.PONG, frame.number)
            elif frame.kind is Kind.ACK:
                self.acknowledged = frame.number
            elif frame.kind is Kind.COMMAND:
                command = decode_command(frame.body)
                if isinstance(command, SetLamps):
                    self.lamps = command
                self._answer(Kind.REPLY, frame.number, encode(Reply(True)))

    def _answer(self, kind: Kind, number: int, body: bytes = b"") -> None:
        os.write(self.master, Frame(kind, number, body).to_wire())


class Table:
    def __init__(self, directory: Path) -> None:
        self.ports = {name: Port(directory / name, family) for name, family in FAMILIES.items()}
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

    def rest(self) -> None:
        """Serve until the table has nothing more to say."""
        while self.serve(QUIET):
            pass

    def pause(self, seconds: float) -> None:
        """Answer whoever talks, for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.serve(left)

    def do(self, name: str, event: Event) -> None:
        port = self.ports[name]
        os.write(port.master, port.event(event))
        while port.acknowledged < port.sent:
            self.serve(1.0)

    def timed_card(self, card: str) -> tuple[float, int] | None:
        """Seconds from the card's bytes to the lamp's, and how many bytes these were; None: a heartbeat came first."""
        shuffler, lamps = self.ports["shuffler"], self.ports["lamps"]
        lamps.lamps = None
        wire = shuffler.event(CardDrawn(card))
        only = select.poll()
        only.register(lamps.master, select.POLLIN)
        began = time.perf_counter()
        os.write(shuffler.master, wire)
        only.poll()
        data = os.read(lamps.master, 4096)
        took = time.perf_counter() - began
        lamps.take(data)
        in_time = lamps.lamps is not None and len(lamps.lamps.lamps) == 1
        while shuffler.acknowledged < shuffler.sent:
            self.serve(1.0)
        self.rest()
        return (took, len(data)) if in_time else None


class Floor:
    """The wire to the process that does nothing but fdatasync."""

    def __init__(self, link: Path) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))

    def timed(self, out: int, back: int) -> float:
        """Seconds for so many bytes there, one small append made durable, and so many bytes back."""
        began = time.perf_counter()
        os.write(self._master, b"\0" * (out - 1) + bytes([back]))
        got = 0
        while got < back:
            got += len(os.read(self._master, 4096))
        return time.perf_counter() - began


def bare(line: Path, file: Path) -> None:
    """The floor's other end, until it is killed."""
    fd = os.open(line, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    print("ready", flush=True)
    while data := os.read(fd, 4096):
        os.write(log, bytes(APPENDED))
        os.fdatasync(log)
        os.write(fd, bytes(data[-1]))


def before_the_tie(table: Table) -> None:
    table.do("sensor.1", STAKE)
    table.do("console", KeyPressed("no-more-bets"))
    table.do("shuffler", CardDrawn("Kh"))


def after_the_tie(table: Table) -> None:
    table.do("console", KeyPressed("surrender", ("1",)))
    table.do("console", KeyPressed("settle"))


def latency(table: Table, floor: Floor, samples: int) -> None:
    out = len(Frame(Kind.EVENT, 1000, encode(CardDrawn("Kd"))).to_wire())
    cards: list[float] = []
    floors: list[float] = []
    while len(cards) < samples:
        before_the_tie(table)
        table.rest()
        timed = table.timed_card("Kd")
        after_the_tie(table)
        table.rest()
        if timed is not None:
            cards.append(timed[0])
            floors.append(floor.timed(out, timed[1]))
        table.pause(PAUSE)
    print(json.dumps({"cards": cards, "floors": floors}), flush=True)


def rounds(table: Table, many: int) -> None:
    for number in range(1, many + 1):
        before_the_tie(table)
        table.do("shuffler", CardDrawn("Kd"))
        after_the_tie(table)
        if number % REPORT_EVERY == 0:
            print(number, flush=True)
    before_the_tie(table)
    print("open", flush=True)


def main(mode: str, directory: Path, many: int) -> None:
    table = Table(directory)
    floor = Floor(directory / "bare")
    print("ready", flush=True)
    os.set_blocking(0, False)
    while sys.stdin.buffer.read() is None:  # until the controller says that all its devices are there
        table.serve(0.05)
    table.rest()
    if mode == "latency":
        latency(table, floor, many)
    elif mode == "rounds":
        rounds(table, many)
    while True:  # until it is killed
        table.serve(1.0)


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        bare(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
