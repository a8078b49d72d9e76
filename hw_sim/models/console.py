"""The dealer's console: keys and a badge reader, prompts and key lamps."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import BadgeRead, Command, KeyLamps, KeyPressed, PinEntered, ShowPrompts
from hw_sim.models.base import DONE, Answer, Dealing, Events, Model, text
from hw_sim.models.register import simulates

KEY_REPEAT = 0.5  # seconds between the presses of a key that is stuck


@simulates("console")
class Console(Model):
    """The dealer's keypad with its prompts, key lamps and badge reader."""

    prefix = "console"
    DEEDS = ("press", "badge", "pin")
    FAULTS = MappingProxyType({"stuck-key": "KEY"})

    def __init__(self) -> None:
        super().__init__()
        self.prompts: tuple[str, ...] = ()
        self.lit: tuple[str, ...] = ()

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {"console": cls()}

    def press(self, key: str, *args: str) -> Events:
        """Presses a key, with what is entered with it."""
        return [KeyPressed(text(key), tuple(map(text, args)))]

    def badge(self, number: str) -> Events:
        """Shows a badge with this number."""
        return [BadgeRead(text(number))]

    def pin(self, digits: str) -> Events:
        """Enters the PIN that goes with the badge."""
        return [PinEntered(text(digits))]

    def fault_stuck_key(self, key: str) -> Events:
        """Lets a key stick: the console says so, then the key repeats."""
        reported = self._latch("stuck-key", text(key))
        self.tick_every = KEY_REPEAT
        return [*reported, KeyPressed(key)] if reported else []

    def tick(self) -> Events:
        return [KeyPressed(self.faults["stuck-key"])] if "stuck-key" in self.faults else []

    def clear(self) -> Events:
        self.tick_every = None
        return super().clear()

    def execute(self, command: Command) -> Answer:
        if isinstance(command, ShowPrompts):
            self.prompts = command.lines
            return DONE, []
        if isinstance(command, KeyLamps):
            self.lit = command.lit
            return DONE, []
        return super().execute(command)

    def restart(self) -> None:
        self.prompts = self.lit = ()

    def safe(self) -> None:
        self.lit = ()

    def view(self) -> dict[str, Any]:
        return {"prompts": list(self.prompts), "lit": list(self.lit)}
