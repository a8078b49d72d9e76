"""The lamps of the table."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import Command, Reply, SetLamps
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, Answer, Dealing, Events, Model
from hw_sim.models.register import simulates

LAMP_STATES = 3


@simulates("lamps")
class Lamps(Model):
    """Lamp channels, each off (0), on (1) or blinking (2)."""

    prefix = "lamps"
    FAULTS = MappingProxyType({"open-circuit": "N"})

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[int, int] = {}  # only those that are not off
        self.open_channels: set[int] = set()  # channels where no current flows

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {"lamps": cls()}

    def fault_open_circuit(self, channel: str | int) -> Events:
        """Cuts the current of a channel: whatever touches it is refused."""
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
