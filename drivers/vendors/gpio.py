"""Lamps, or a console's buttons, and a door switch on the pins of the computer itself.

There is no device that counts or keeps anything: our end counts, and what happens while nobody listens is lost.  A key
must then be pressed again; the door is looked at again.  Lamps are off before the first word and after the last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from drivers.console import ConsoleDriver, pressed
from drivers.lamps import BLINKING, OFF, ON
from drivers.vendors.cia401 import IoDriver
from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import DOOR, GPIO, Endpoint, Schemes, SettingsError, vendor
from firmware_bridge import messages as m
from firmware_bridge.address import Address
from firmware_bridge.diagnostics import Note
from firmware_bridge.gpio import DESCRIPTION, HIGH, LAST_PIN, LEVELS, LOW
from firmware_bridge.link import LinkError, LinkListener
from firmware_bridge.schemes.gpio import pins
from firmware_bridge.transport import Transport

DEBOUNCE: Final = 20  # milliseconds that a contact must rest
LONGEST_DEBOUNCE: Final = 1000
LOOK_EVERY: Final = 0.25  # seconds; also finds an edge that nobody told
ANSWER_WAIT: Final = 0.5
BLINK: Final = 0.5  # seconds on, seconds off
Level: TypeAlias = Literal["low", "high"]
Pull: TypeAlias = Literal["up", "down", "none"]
_VOLTS: Final[Mapping[str, int]] = MappingProxyType({"low": LOW, "high": HIGH})


def _no_pin(pin: int) -> list[tuple[tuple[str, ...], str]]:
    """Returns what is wrong with the number of a pin."""
    return [] if 0 <= pin <= LAST_PIN else [(("pin",), f"a pin is a number from 0 to {LAST_PIN}")]


@dataclass(frozen=True, slots=True)
class Output:
    """A lamp that is lit while its pin is at the active level; relay boards often take low."""

    pin: int
    active: Level = "high"

    def __post_init__(self) -> None:
        if mistakes := _no_pin(self.pin):
            raise SettingsError(*mistakes)

    @property
    def lit(self) -> int:
        """The level at which the lamp is lit."""
        return _VOLTS[self.active]

    @property
    def dark(self) -> int:
        """The level at which the lamp is dark."""
        return 1 - self.lit


@dataclass(frozen=True, slots=True)
class Input:
    """A key, or the door's contact.  It acts at its active level: by default that of a closed contact."""

    pin: int
    pull: Pull = "up"
    active: Level | None = None
    debounce: int = DEBOUNCE  # milliseconds

    def __post_init__(self) -> None:
        mistakes = _no_pin(self.pin)
        if self.pull == "none" and self.active is None:
            mistakes.append((("pull",), f'pin {self.pin} is not pulled: say active = "low" or "high"'))
        if not 0 <= self.debounce <= LONGEST_DEBOUNCE:
            mistakes.append((("debounce",), f"must be 0 to {LONGEST_DEBOUNCE} milliseconds"))
        if mistakes:
            raise SettingsError(*mistakes)

    @property
    def acts(self) -> int:
        """The level at which the key is pressed, or the door shut."""
        return _VOLTS[self.active] if self.active is not None else 1 - self.rests

    @property
    def rests(self) -> int:
        """The level of a pin that is connected to nothing."""
        return HIGH if self.pull == "up" else LOW


@dataclass(frozen=True, slots=True)
class Gpio:
    """The settings of pins: what is connected where, by the numbers of the chip (BCM).

    A key is pressed, and the door is shut, while its input is at its active level.  A broken wire is an open door.
    """

    outputs: Mapping[str, Output] = field(
        default_factory=lambda: MappingProxyType({})
    )  # by lamp, or by key of a console
    inputs: Mapping[str, Input] = field(
        default_factory=lambda: MappingProxyType({})
    )  # by key of the console, or "door"

    def __post_init__(self) -> None:
        outputs = [("outputs", name, output.pin) for name, output in self.outputs.items()]
        inputs = [("inputs", name, point.pin) for name, point in self.inputs.items()]
        mistakes, taken = [], set[int]()
        for group, name, pin in (*outputs, *inputs):
            if pin in taken:
                mistakes.append(((group, name), f"pin {pin} stands twice: connect one thing to it"))
            taken.add(pin)
        door = self.inputs.get(DOOR)
        if door is not None and door.pull != "none" and door.acts == door.rests:
            text = "a broken wire would look like a shut door: use a contact that is closed while it is shut"
            mistakes.append((("inputs", DOOR), text))
        if mistakes:
            raise SettingsError(*mistakes)

    @property
    def channels(self) -> Mapping[str, int]:
        """The pin of each lamp, as a driver wants them."""
        return {name: output.pin for name, output in self.outputs.items()}


@vendor(
    GPIO,
    families=("lamps", "console"),
    settings=Gpio,
    schemes=(GPIO,),
    implied=True,
    unset="no pin is connected: add [device.{name}.gpio] with outputs = {{ bets = 17 }}",
    changed_by_asking="its pins belong to the daemon",
)
class GpioLink(VendorLink[Gpio]):
    """The link to pins: it drives lamps by pin, and reports contacts once they rest."""

    look_every = LOOK_EVERY

    @classmethod
    def endpoint(cls, settings: Gpio, address: Address, schemes: Schemes, family: str) -> Endpoint:
        memory = Memory()
        resting = {output.pin: output.dark for output in settings.outputs.values()}
        pulled = {point.pin: point.pull for point in settings.inputs.values()}
        console = family == ConsoleDriver.about.name
        return Endpoint(
            partial(pins(address), resting, pulled),
            lambda transport, listener: cls(transport, listener, memory, settings, family),
            ConsoleDriver if console else partial(IoDriver, settings.channels),
        )

    def __init__(
        self, transport: Transport, listener: LinkListener, memory: Memory, settings: Gpio, family: str
    ) -> None:
        super().__init__(transport, listener, memory, settings)
        self.family = family
        self._keys = settings.channels  # whose lamp is where, on a console
        self._outputs = {output.pin: output for output in settings.outputs.values()}
        self._inputs = {point.pin: point for point in settings.inputs.values()}
        self._names = {point.pin: name for name, point in settings.inputs.items()}
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
            self._accept(pin, levels[pin])
        return self._board, "", self._library  # what drives them is all the firmware that pins have

    async def look(self) -> None:
        levels = await self._ask_levels()
        for pin in self._names:
            if levels[pin] != self._rested[pin] and pin not in self._bouncing:
                self._bounce(pin, levels[pin])
        steady = {pin: state for pin, state in self._lamps.items() if state != BLINKING}
        if wrong := [pin for pin, state in steady.items() if levels[pin] != self._level(pin, state)]:
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
                self._light(dict(lamps))
                return m.Reply(True)
            case m.KeyLamps(lit):
                self._light({pin: ON if key in lit else OFF for key, pin in self._keys.items()})
                return m.Reply(True)
            case m.SelfTest() | m.ShowPrompts():  # buttons have nothing to show them on; the pages do
                return m.Reply(True)
        return NOTHING

    def _light(self, lamps: Mapping[int, int]) -> None:
        self._lamps |= lamps
        self._drive(lamps)
        if BLINKING in self._lamps.values() and self._blinking is None:
            self._blinking = asyncio.get_running_loop().call_later(BLINK, self._blink)

    def _drive(self, lamps: Mapping[int, int]) -> None:
        levels = {pin: self._level(pin, state) for pin, state in lamps.items()}
        if levels:
            data = b"".join(bytes(pair) for pair in levels.items())
            self.send(data, " ".join(f"{pin}={level}" for pin, level in levels.items()))

    def _level(self, pin: int, state: int) -> int:
        shines = state == ON or (state == BLINKING and self._lit)
        return self._outputs[pin].lit if shines else self._outputs[pin].dark

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
        if self._answer is not None and levels.keys() >= self._names.keys() | self._outputs.keys():
            self.answer(levels)
            return
        self.record(Note(" ".join(f"{pin}={level}" for pin, level in levels.items())))
        for pin, level in levels.items():
            if pin in self._names and pin in self._rested:
                self._bounce(pin, level)

    def _bounce(self, pin: int, level: int) -> None:
        """Keeps a changed level, and accepts it when no other change comes for a while."""
        self._levels[pin] = level
        if (timer := self._bouncing.pop(pin, None)) is not None:
            timer.cancel()
        pause = self._inputs[pin].debounce / 1000
        self._bouncing[pin] = asyncio.get_running_loop().call_later(pause, self._rest, pin)

    def _rest(self, pin: int) -> None:
        del self._bouncing[pin]
        if self._levels[pin] != self._rested[pin]:
            self._accept(pin, self._levels[pin])

    def _accept(self, pin: int, level: int) -> None:
        first = pin not in self._rested
        self._rested[pin] = level
        name = self._names[pin]
        acts = level == self._inputs[pin].acts
        if name == DOOR:
            self.emit(m.DoorChanged(not acts))
        elif acts and not first:  # one held down since before we came was not pressed for us
            self.emit(pressed(name))
