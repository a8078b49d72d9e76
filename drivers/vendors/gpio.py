"""Lamps, buttons and a door switch on the pins of the computer itself.

There is no device that counts or keeps anything: our end counts, and what happens while nobody listens is lost.  A key
must then be pressed again; the door is looked at again.  Lamps are off before the first word and after the last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from drivers.lamps import BLINKING, ON
from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.memory import Memory
from firmware_bridge import messages as m
from firmware_bridge.diagnostics import Note
from firmware_bridge.gpio import DESCRIPTION, LAST_PIN, LEVELS
from firmware_bridge.link import LinkError, MakeLink, Owner
from firmware_bridge.transport import Transport

DEBOUNCE: Final = 0.02  # seconds that a contact must rest
LOOK_EVERY: Final = 0.25  # seconds; also finds an edge that nobody told
ANSWER_WAIT: Final = 0.5
BLINK: Final = 0.5  # seconds on, seconds off
DOOR: Final = "door"
CLOSED: Final = 0  # the level of an input whose contact is closed
_NONE: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Gpio:
    """What is connected where, by the numbers of the chip (BCM).

    A key is pressed while its contact is closed.  The door is shut while its contact is closed: a broken wire is an
    open door.
    """

    outputs: Mapping[str, int] = field(default_factory=lambda: _NONE)  # lamp to pin
    inputs: Mapping[str, int] = field(default_factory=lambda: _NONE)  # key of the console, or "door", to pin

    def __post_init__(self) -> None:
        pins = [*self.outputs.values(), *self.inputs.values()]
        if any(not 0 <= pin <= LAST_PIN for pin in pins):
            raise ValueError(f"a pin is a number from 0 to {LAST_PIN}")
        if twice := sorted({pin for pin in pins if pins.count(pin) > 1}):
            raise ValueError(f"pin {twice[0]} stands twice: connect one thing to it")


def gpio(settings: Gpio) -> MakeLink:
    """Links to these pins."""
    memory = Memory()
    return lambda transport, owner: GpioLink(transport, owner, memory, settings)


class GpioLink(VendorLink):
    """Lamps, by pin; contacts, once they rest."""

    family = "lamps"

    def __init__(self, transport: Transport, owner: Owner, memory: Memory, settings: Gpio) -> None:
        super().__init__(transport, owner, memory, look_every=LOOK_EVERY)
        self._outputs = frozenset(settings.outputs.values())
        self._names = {pin: name for name, pin in settings.inputs.items()}
        self._board = self._library = ""
        self._lamps: dict[int, int] = {}
        self._lit = True  # the phase of blinking lamps
        self._blinking: asyncio.TimerHandle | None = None
        self._levels: dict[int, int] = {}  # of inputs, as they were told last
        self._rested: dict[int, int] = {}  # of inputs, as they were believed last
        self._bouncing: dict[int, asyncio.TimerHandle] = {}

    # ---- a session

    async def greet(self) -> tuple[str, str, str]:
        self._lamps, self._rested = {}, {}
        levels = await self._ask_levels()
        for pin in self._names:
            self._believe(pin, levels[pin])
        return self._board, "", self._library  # what drives them is all the firmware that pins have

    async def look(self) -> None:
        levels = await self._ask_levels()
        for pin in self._names:
            if levels[pin] != self._rested[pin] and pin not in self._bouncing:
                self._bounce(pin, levels[pin])
        steady = {pin: state for pin, state in self._lamps.items() if state != BLINKING}
        if wrong := [pin for pin, state in steady.items() if levels[pin] != state]:
            raise LinkError("gpio.lost", f"pin {wrong[0]} is not as it was set: does another program use it?")

    def stop(self) -> None:
        for timer in (*self._bouncing.values(), self._blinking):
            if timer is not None:
                timer.cancel()
        self._bouncing.clear()
        self._blinking = None

    async def _ask_levels(self) -> Mapping[int, int]:
        levels: Mapping[int, int] | None = await self.exchange(LEVELS, "levels", ANSWER_WAIT)
        if levels is None:
            raise LinkError("link.silent", "the pins do not tell their levels")
        return levels

    # ---- outputs

    async def carry_out(self, command: m.Command) -> m.Reply:
        match command:
            case m.SetLamps(lamps):
                if unknown := [pin for pin, _ in lamps if pin not in self._outputs]:
                    return m.Reply(False, f"no-output {unknown[0]}")
                self._lamps |= dict(lamps)
                self._drive(dict(lamps))
                if BLINKING in self._lamps.values() and self._blinking is None:
                    self._blinking = asyncio.get_running_loop().call_later(BLINK, self._blink)
                return m.Reply(True)
            case m.SelfTest():
                return m.Reply(True)
        return NOTHING

    def _drive(self, lamps: Mapping[int, int]) -> None:
        levels = {pin: int(state == ON or (state == BLINKING and self._lit)) for pin, state in lamps.items()}
        if levels:
            data = b"".join(bytes(pair) for pair in levels.items())
            self.send(data, " ".join(f"{pin}={level}" for pin, level in levels.items()))

    def _blink(self) -> None:
        self._blinking = None
        blinking = {pin: state for pin, state in self._lamps.items() if state == BLINKING}
        if blinking and self._failure is None:
            self._lit = not self._lit
            self._drive(blinking)
            self._blinking = asyncio.get_running_loop().call_later(BLINK, self._blink)

    # ---- inputs

    def received(self, data: bytes) -> None:
        if data[:1] == bytes([DESCRIPTION]):
            self._board, _, self._library = data[1:].decode(errors="replace").partition("\n")
            return
        levels = dict(zip(data[::2], data[1::2], strict=False))
        if self._answer is not None and levels.keys() >= self._names.keys() | self._outputs:
            self.answer(levels)
            return
        self.heard(Note(" ".join(f"{pin}={level}" for pin, level in levels.items())))
        for pin, level in levels.items():
            if pin in self._names and pin in self._rested:
                self._bounce(pin, level)

    def _bounce(self, pin: int, level: int) -> None:
        """An edge: believe it when no other comes for a while."""
        self._levels[pin] = level
        if (timer := self._bouncing.pop(pin, None)) is not None:
            timer.cancel()
        self._bouncing[pin] = asyncio.get_running_loop().call_later(DEBOUNCE, self._rest, pin)

    def _rest(self, pin: int) -> None:
        del self._bouncing[pin]
        if self._levels[pin] != self._rested[pin]:
            self._believe(pin, self._levels[pin])

    def _believe(self, pin: int, level: int) -> None:
        first = pin not in self._rested
        self._rested[pin] = level
        name = self._names[pin]
        if name == DOOR:
            self.emit(m.DoorChanged(level != CLOSED))
        elif level == CLOSED and not first:  # one held down since before we came was not pressed for us
            key, *args = name.split()
            self.emit(m.KeyPressed(key, tuple(args)))
