"""The card reader of a seat or of the board: which cards lie on it, and what it says that lies there."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import CardsLaid, CardsLifted
from hw_sim.errors import SimError
from hw_sim.models.base import Dealing, Events, Model, text
from hw_sim.models.cards import UNREAD, known_card
from hw_sim.models.register import simulates


@simulates("reader")
class Reader(Model):
    """The card reader of a seat or of the board.

    A card that comes to lie on it is a fact: a dark reader still notices it, but cannot say which one it is.
    """

    prefix = "reader"
    DEEDS = ("lay", "lift")
    FAULTS = MappingProxyType({"dark": "", "misread": "CARD"})
    unnoticed = frozenset({"misread"})

    def __init__(self) -> None:
        super().__init__()
        self.lying = 0  # cards

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        if dealing != "readers":
            return {}
        return {f"reader.{place}": cls() for place in (*range(1, seats + 1), "board")}

    def lay(self, token: str) -> Events:
        """Lays `Kh`, `??` unreadable, `^5c` face up in the deck, or `7d+7c` cards opened together."""
        face_up = text(token).startswith("^")
        cards = tuple(self._read(card) for card in token.removeprefix("^").split("+"))
        self.lying += len(cards)
        return [CardsLaid(cards, face_up)]

    def lift(self, *cards: str | int) -> Events:
        """Takes so many cards away; all when nothing is said."""
        if len(cards) > 1 or not all(str(number).isdecimal() for number in cards):
            raise SimError("lift: say how many cards, or nothing")
        before, self.lying = self.lying, max(0, self.lying - int(cards[0])) if cards else 0
        return [CardsLifted(self.lying)] if before != self.lying else []

    def fault_misread(self, card: str) -> Events:
        """Lets the next card that it reads be reported as this one."""
        return self._latch("misread", known_card(card))

    def view(self) -> dict[str, Any]:
        return {"lying": self.lying}

    def _read(self, card: str) -> str:
        if card == UNREAD or (known_card(card) and "dark" in self.faults):
            return ""
        return self.faults.pop("misread", card)
