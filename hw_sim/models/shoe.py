"""The dealing shoe that reads cards."""

from __future__ import annotations

from types import MappingProxyType

from firmware_bridge.messages import CardsLow
from hw_sim.models.base import WITH_A_SHOE, Dealing, Events, Model
from hw_sim.models.cards import CardReader, known_card
from hw_sim.models.register import simulates


@simulates("shoe")
class Shoe(CardReader):
    """The dealing shoe that reads cards."""

    prefix = "shoe"
    FAULTS = MappingProxyType({"empty": "", "low": "", "jam": "", "misread": "CARD", "door": ""})
    unnoticed = frozenset({"misread"})

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {"shoe": cls()} if dealing in WITH_A_SHOE else {}

    def fault_low(self) -> Events:
        """Lets few cards be left."""
        return [CardsLow(), *reported] if (reported := self._latch("low")) else []

    def fault_misread(self, card: str) -> Events:
        """Lets the next card that it reads be reported as this one."""
        return self._latch("misread", known_card(card))

    def _read(self, card: str) -> str:
        read = super()._read(card)
        return self.faults.pop("misread", read) if read else read
