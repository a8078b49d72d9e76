"""A display: the jackpot meter's amount, or the lines of a sign."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import Command, ReadBack, Reply, ShowAmount, ShowText
from hw_sim.models.base import DONE, Answer, Dealing, Events, Model
from hw_sim.models.register import simulates


@simulates("display")
class Display(Model):
    """A meter display or a limit sign: an amount or lines of text."""

    prefix = "display"
    FAULTS = MappingProxyType({"dark": "", "stuck": ""})
    unnoticed = frozenset({"stuck"})  # only reading back finds it

    def __init__(self) -> None:
        super().__init__()
        self._wanted = self._panel = ""

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {"display": cls(), "sign": cls()}

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
