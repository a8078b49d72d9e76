"""The speed of a simulated device on a serial line; where the two ends have different ones only noise arrives.

The speed of the controller's end of a pseudo-terminal is what the program there has set, which the other end can read.
"""

from __future__ import annotations

import asyncio
import termios
from collections.abc import Callable
from typing import Final, Protocol, runtime_checkable

BASE: Final = 115_200  # the speed of a simulated device, until it is told another one
SPEEDS: Final = (BASE, 230_400, 460_800, 1_000_000)  # those that it can have
FIRST_WORD: Final = 0.3  # seconds in which it must hear something at a new speed
NEXT_WORD: Final = 1.0  # and then again and again
_OUTPUT_SPEED: Final = 5  # of what tcgetattr returns
_CONSTANTS: Final = {getattr(termios, f"B{speed}"): speed for speed in SPEEDS[1:]}


@runtime_checkable
class Line(Protocol):
    """A wire at whose end the device has a speed."""

    def set_speed(self, baud: int) -> None:
        """Gives the device's end this speed; 0: its base speed."""


def garbled(data: bytes) -> bytes:
    """Returns what an end hears that has another speed: as many bytes that mean nothing.

    >>> garbled(b"\\0ab\\0").hex()
    'a5c4c7a5'
    """
    return bytes(byte ^ 0xA5 or 0xA5 for byte in data)


def far_speed(master: int) -> int:
    """Returns the speed at the other end of a pseudo-terminal; 0 for any that is not higher than the base speed."""
    return _CONSTANTS.get(termios.tcgetattr(master)[_OUTPUT_SPEED], 0)


class LineSpeed:
    """The speed of a device's end: changed by command, kept as long as the controller is heard, lost without it.

    `line` None: its wire has no speed.  `on_heard` is called when it may speak again after a change.
    """

    def __init__(self, line: Line | None, on_heard: Callable[[], None]) -> None:
        self.speed = 0  # the base speed
        self.mute = False  # nothing is said until the controller is heard at the new speed
        self._line = line
        self._on_heard = on_heard
        self._next: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._heard_at = 0.0

    def takes(self, baud: int) -> str:
        """Prepares a change; returns why not, "" when it is made as soon as the reply is sent."""
        if self._line is None:
            return "unsupported"
        if baud not in (0, *SPEEDS):
            return "no-such-speed"
        self._next = 0 if baud == BASE else baud
        return ""

    def replied(self) -> None:
        """Makes the change that was prepared: the reply has left."""
        if self._next is None:
            return
        speed, self._next = self._next, None
        self._set(speed)
        self.mute = True
        self._watch(FIRST_WORD)

    def greeted(self) -> None:
        """Learns that a new session begins: what is said now is the answer to its greeting."""
        if self.mute:
            self.mute = False
            self._watch(NEXT_WORD)

    def controller_spoke(self) -> None:
        """Learns that the controller was heard at this speed."""
        if self.mute:
            self.mute = False
            self._watch(NEXT_WORD)
            self._on_heard()
        if self.speed:
            self._heard_at = asyncio.get_running_loop().time()

    def back(self) -> None:
        """Goes back to the base speed: nobody was heard, or the session is over."""
        self._set(0)
        self._next = None
        self.mute = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self, speed: int) -> None:
        if self._line is not None and speed != self.speed:
            self.speed = speed
            self._line.set_speed(speed)

    def _watch(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.speed or self.mute:
            loop = asyncio.get_running_loop()
            self._heard_at = loop.time()
            self._timer = loop.call_later(seconds, self._look, seconds)

    def _look(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        left = self._heard_at + seconds - loop.time()
        if left > 0 and not self.mute:
            self._timer = loop.call_later(left, self._look, seconds)
            return
        self._timer = None
        self.back()
        self._on_heard()
