"""Devices that speak to people: the dealer's console, the lamps, the displays."""

from __future__ import annotations

from typing import Any

from firmware_bridge.messages import (
    BadgeShown,
    Command,
    KeyLamps,
    KeyPressed,
    ReadBack,
    Reply,
    SetLamps,
    ShowAmount,
    ShowPrompts,
    ShowText,
)
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, Answer, Events, Model, text

KEY_REPEAT = 0.5  # seconds between the presses of a key that is stuck
LAMP_STATES = 3


class Console(Model):
    """The dealer's keypad with its prompts, key lamps and badge reader."""

    family = "console"
    prefix = "console"
    DEEDS = ("press", "badge")
    FAULTS = ("stuck-key",)

    def __init__(self) -> None:
        super().__init__()
        self.prompts: tuple[str, ...] = ()
        self.lit: tuple[str, ...] = ()

    def press(self, key: str, *args: str) -> Events:
        return [KeyPressed(text(key), tuple(map(text, args)))]

    def badge(self, role: str, name: str = "") -> Events:
        """Somebody signs in."""
        return [BadgeShown(text(role), text(name))]

    def fault_stuck_key(self, key: str) -> Events:
        """The console says that the key is stuck, then the key repeats."""
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


class Lamps(Model):
    """Lamp channels, each off (0), on (1) or blinking (2)."""

    family = "lamps"
    prefix = "lamps"
    FAULTS = ("open-circuit",)

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[int, int] = {}  # only those that are not off
        self.open_channels: set[int] = set()  # channels where no current flows

    def fault_open_circuit(self, channel: str | int) -> Events:
        """No current flows there: whatever touches this channel is refused."""
        try:
            number = int(channel)
        except (TypeError, ValueError):
            raise SimError(f"open-circuit: {channel!r} is not a lamp channel") from None
        self.open_channels.add(number)
        self.states.pop(number, None)
        return self._latch("open-circuit", str(number))

    def clear(self) -> Events:
        self.open_channels.clear()
        return super().clear()

    def execute(self, command: Command) -> Answer:
        if not isinstance(command, SetLamps):
            return super().execute(command)
        for channel, state in command.lamps:
            if channel in self.open_channels:
                return Reply(False, f"open-circuit {channel}"), []
            if state not in range(LAMP_STATES):
                return Reply(False, f"no state {state}"), []
        self.states.update(command.lamps)
        self.states = {channel: state for channel, state in self.states.items() if state}
        return DONE, []

    def restart(self) -> None:
        self.safe()

    def safe(self) -> None:
        self.states = {}

    def view(self) -> dict[str, Any]:
        return {"lamps": {str(channel): self.states[channel] for channel in sorted(self.states)}}


class Display(Model):
    """A meter display or a limit sign: an amount or lines of text."""

    family = "display"
    prefix = "display"
    FAULTS = ("dark", "stuck")
    unnoticed = frozenset({"stuck"})  # only reading back finds it

    def __init__(self) -> None:
        super().__init__()
        self._wanted = self._panel = ""

    @property
    def shown(self) -> str:
        """What a person sees: dollars with four decimals, or lines of text."""
        return "" if "dark" in self.faults else self._panel

    def clear(self) -> Events:
        events = super().clear()
        self._panel = self._wanted
        return events

    def execute(self, command: Command) -> Answer:
        if isinstance(command, ShowAmount):
            dollars, rest = divmod(command.amount, 10_000)
            return self._show(f"{dollars}.{rest:04}")
        if isinstance(command, ShowText):
            return self._show("\n".join(command.lines))
        if isinstance(command, ReadBack):
            return Reply(True, self.shown), []
        return super().execute(command)

    def restart(self) -> None:
        self._wanted = ""
        if "stuck" not in self.faults:
            self._panel = ""

    def view(self) -> dict[str, Any]:
        return {"shown": self.shown}

    def _show(self, text: str) -> Answer:
        self._wanted = text
        if "stuck" not in self.faults:
            self._panel = text
        return DONE, []
