"""A shoe with a lamp at the far end of a pseudo-terminal, whose bytes take as long as on a line of this speed.

`SPEED COUNT`: after a greeting it draws so many cards, one after the other, and prints as JSON how many seconds each
took: from the first bit of the card's frame until the last one of the command that lights the lamp.  Speed 0: bytes
take no time.  A frame arrives when its last bit has passed; until then this process spins, for a timer is too coarse.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
import tty
from collections.abc import Iterator

from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import CardDrawn, Identity, Reply

BITS = 10  # for a byte
PATIENCE = 5.0
PAUSE = 0.002  # between two cards: the line is quiet again
DOWN = (Kind.ACK, Kind.COMMAND)


class Far:
    """The device's end."""

    def __init__(self, master: int, speed: int) -> None:
        self._master = master
        self._speed = speed
        self._framer = Framer()
        self._free = [0.0, 0.0]  # when each direction of the line is free: up, down

    def send(self, frame: Frame) -> None:
        wire = frame.to_wire()
        self._pass(0, len(wire))
        os.write(self._master, wire)

    def receive(self) -> Iterator[Frame]:
        """Yields each frame when its last bit has passed, also where the next one is behind it already."""
        if not select.select([self._master], [], [], PATIENCE)[0]:
            raise SystemExit("nothing came")
        for item in self._framer.feed(os.read(self._master, 4096)):
            if isinstance(item, Frame):
                self._pass(1, len(item.to_wire()))
                yield item

    def _pass(self, way: int, size: int) -> None:
        if not self._speed:
            return
        self._free[way] = max(time.perf_counter(), self._free[way]) + size * BITS / self._speed
        while time.perf_counter() < self._free[way]:
            pass


def main() -> None:
    speed, count = map(int, sys.argv[1:])
    master, slave = os.openpty()
    tty.setraw(slave)
    print(os.ttyname(slave), flush=True)
    far, waits = Far(master, speed), set(DOWN)
    took: list[float] = []
    number, began = 0, 0.0
    while len(took) < count:
        for frame in far.receive():
            if frame.kind is Kind.HELLO:
                far.send(Frame(Kind.IDENTITY, frame.number, encode(Identity("shoe", "bench", "B", "1.0.0", 7, 0, 1))))
                waits.clear()
            elif frame.kind is Kind.PING:
                far.send(Frame(Kind.PONG, frame.number))
            elif frame.kind is Kind.COMMAND:
                took.append(time.perf_counter() - began)
                far.send(Frame(Kind.REPLY, frame.number, encode(Reply(True))))
            waits.discard(frame.kind)
        if not waits and number < count:
            time.sleep(PAUSE)
            number, began, waits = number + 1, time.perf_counter(), set(DOWN)
            far.send(Frame(Kind.EVENT, number, encode(CardDrawn("Td"))))
    print(json.dumps(took), flush=True)


if __name__ == "__main__":
    main()
