"""What all devices share that read cards on their way out."""

from __future__ import annotations

from typing import Any, ClassVar

from firmware_bridge.messages import CARDS, CardDrawn, CardsTogether, Command, CuttingCardSeen, Lock, ShoeEmpty
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, Answer, Events, Model, text

UNREAD = "??"  # how testers write a card that could not be read


class CardReader(Model):
    """A device that cards leave one by one; they are read on their way.

    A card that leaves is a fact: no lock, jam or empty shoe stops `draw`.
    """

    DEEDS: ClassVar[tuple[str, ...]] = ("draw",)

    def __init__(self) -> None:
        super().__init__()
        self.locked = False

    def draw(self, token: str) -> Events:
        """Draws `Kh`, `??` unreadable, `^5c` face up in the shoe, `cut` the cutting card, or `7d+7c` cards together."""
        if text(token) == "cut":
            return [CuttingCardSeen()]
        if "+" in token:
            return [CardsTogether(tuple(self._read(card) for card in token.split("+")))]
        if token.startswith("^"):
            return [CardDrawn(self._read(token[1:]), face_up=True)]
        return [CardDrawn(self._read(token))]

    def execute(self, command: Command) -> Answer:
        if isinstance(command, Lock):
            self.locked = command.locked
            return DONE, []
        return super().execute(command)

    def restart(self) -> None:
        self.locked = False

    def view(self) -> dict[str, Any]:
        return {"locked": self.locked}

    def fault_empty(self) -> Events:
        """Lets the last card be gone."""
        return [ShoeEmpty(), *reported] if (reported := self._latch("empty")) else []

    def _read(self, card: str) -> str:
        return "" if card == UNREAD else known_card(card)


def known_card(card: str) -> str:
    """Returns the card itself; SimError when there is no such card."""
    if card not in CARDS:
        raise SimError(f"no card {card!r}; a card is rank and suit, as in Td or 9c")
    return card
