"""The shuffling machine."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import (
    Command,
    DeckInserted,
    Dispense,
    Eject,
    Reply,
    SetDispensed,
    Shuffle,
    ShuffleComplete,
    ShuffleStarted,
)
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, WITH_A_SHUFFLER, Answer, Dealing, Events, Model, text
from hw_sim.models.cards import CardReader
from hw_sim.models.register import simulates


@simulates("shuffler")
class Shuffler(CardReader):
    """Shuffles a deck and gives it out: card by card (continuous), in sets, or as a whole."""

    prefix = "shuffler"
    DEEDS = ("draw", "dispense", "insert", "shuffle", "replace")
    FAULTS = MappingProxyType(
        {"jam": "", "stopped": "", "count-wrong": "[N]", "mixed-backs": "", "empty": "", "door": ""}
    )

    def __init__(self, cards: int = 52) -> None:
        super().__init__()
        self.cards = cards
        self.requested = 0  # size of the set the controller asked for last

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {"shuffler": cls(cards)} if dealing in WITH_A_SHUFFLER else {}

    def dispense(self, *cards: str) -> Events:
        """Gives out a set of cards together, in this order."""
        if not cards:
            raise SimError("dispense: a set has at least one card")
        self.requested = 0
        return [SetDispensed(tuple(self._read(card) for card in cards))]

    def insert(self, colour: str) -> Events:
        """Puts in a deck with backs of this colour."""
        return [DeckInserted(text(colour))]

    def shuffle(self) -> Events:
        """Presses the machine's own start button: it runs a complete cycle, or does nothing while it cannot run."""
        if self._blocked():
            return []
        counted = int(self.faults.get("count-wrong", self.cards))
        right = counted == self.cards and "mixed-backs" not in self.faults
        return [ShuffleStarted(), ShuffleComplete(counted, right)]

    def replace(self) -> Events:
        """Puts other cards in: what was wrong with the old ones is gone with them."""
        for fault in ("count-wrong", "mixed-backs"):
            self.faults.pop(fault, None)
        return []

    def clear(self) -> Events:
        """Ends all its faults; then the machine runs a complete cycle before it gives cards again."""
        ended = super().clear()
        return [*ended, *self.shuffle()] if ended else []

    def execute(self, command: Command) -> Answer:
        if isinstance(command, Shuffle | Dispense | Eject) and (why := self._blocked()):
            return Reply(False, why), []
        if isinstance(command, Shuffle):
            return DONE, self.shuffle()
        if isinstance(command, Dispense):
            # Which cards come is the script's to say: the set leaves with the next `dispense`.
            self.requested = command.cards
            return DONE, []
        if isinstance(command, Eject):
            return DONE, []
        return super().execute(command)

    def restart(self) -> None:
        super().restart()
        self.requested = 0

    def view(self) -> dict[str, Any]:
        return {**super().view(), "requested": self.requested}

    def fault_stopped(self) -> Events:
        """Stops the machine."""
        return self._latch("stopped")

    def fault_count_wrong(self, counted: str | int | None = None) -> Events:
        """Lets it count this many cards; one too few when nothing is said."""
        try:
            number = self.cards - 1 if counted is None else int(counted)
        except ValueError:
            raise SimError(f"count-wrong: {counted!r} is not a number of cards") from None
        return self._latch("count-wrong", str(number))

    def fault_mixed_backs(self) -> Events:
        """Lets it see backs of different colours."""
        return self._latch("mixed-backs")

    def _blocked(self) -> str:
        stopping = ("jam", "stopped", "empty", "door")
        return next((f"{self.prefix}.{name}" for name in self.faults if name in stopping), "")
