"""Devices that cards come from: the card-reading shoe and the shuffler."""

from __future__ import annotations

from typing import Any, ClassVar

from firmware_bridge.messages import (
    CardDrawn,
    CardsLow,
    CardsTogether,
    Command,
    CuttingCardSeen,
    DeckInserted,
    Dispense,
    Eject,
    Lock,
    Reply,
    SetDispensed,
    ShoeEmpty,
    Shuffle,
    ShuffleComplete,
    ShuffleStarted,
)
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, Answer, Events, Model, text

CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
UNREADABLE = "??"


class CardReader(Model):
    """Cards leave it one by one and are read on their way.

    A card that leaves is a fact: no lock, jam or empty shoe stops `draw`.
    """

    DEEDS: ClassVar[tuple[str, ...]] = ("draw",)

    def __init__(self) -> None:
        super().__init__()
        self.locked = False

    def draw(self, token: str) -> Events:
        """`Kh`, `??` unreadable, `^5c` face up in the shoe, `cut` the cutting card, `7d+7c` cards together."""
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
        return [ShoeEmpty(), *reported] if (reported := self._latch("empty")) else []

    def _read(self, card: str) -> str:
        return "" if card == UNREADABLE else known_card(card)


class Shoe(CardReader):
    """The dealing shoe that reads cards."""

    family = "shoe"
    prefix = "shoe"
    FAULTS = ("empty", "low", "jam", "misread", "door")
    unnoticed = frozenset({"misread"})

    def fault_low(self) -> Events:
        return [CardsLow(), *reported] if (reported := self._latch("low")) else []

    def fault_misread(self, card: str) -> Events:
        """The next card that it reads is reported as this one."""
        return self._latch("misread", known_card(card))

    def _read(self, card: str) -> str:
        read = super()._read(card)
        return self.faults.pop("misread", read) if read else read


class Shuffler(CardReader):
    """Shuffles a deck and gives it out: card by card (continuous), in sets, or as a whole."""

    family = "shuffler"
    prefix = "shuffler"
    DEEDS = ("draw", "dispense", "insert", "shuffle", "replace")
    FAULTS = ("jam", "stopped", "count-wrong", "mixed-backs", "empty", "door")

    def __init__(self, cards: int = 52) -> None:
        super().__init__()
        self.cards = cards
        self.requested = 0  # size of the set the controller asked for last

    def dispense(self, *cards: str) -> Events:
        """A set of cards leaves together, in this order."""
        if not cards:
            raise SimError("dispense: a set has at least one card")
        self.requested = 0
        return [SetDispensed(tuple(self._read(card) for card in cards))]

    def insert(self, colour: str) -> Events:
        """A deck with backs of this colour is put in."""
        return [DeckInserted(text(colour))]

    def shuffle(self) -> Events:
        """Somebody presses the machine's own start button: a complete cycle, or nothing while it cannot run."""
        if self._blocked():
            return []
        counted = int(self.faults.get("count-wrong", self.cards))
        right = counted == self.cards and "mixed-backs" not in self.faults
        return [ShuffleStarted(), ShuffleComplete(counted, right)]

    def replace(self) -> Events:
        """Other cards are put in: what was wrong with the old ones is gone with them."""
        for fault in ("count-wrong", "mixed-backs"):
            self.faults.pop(fault, None)
        return []

    def clear(self) -> Events:
        """After a fault the machine runs a complete cycle before it gives cards again."""
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
        return self._latch("stopped")

    def fault_count_wrong(self, counted: str | int | None = None) -> Events:
        """It counts this many cards; one too few when nothing is said."""
        try:
            number = self.cards - 1 if counted is None else int(counted)
        except ValueError:
            raise SimError(f"count-wrong: {counted!r} is not a number of cards") from None
        return self._latch("count-wrong", str(number))

    def fault_mixed_backs(self) -> Events:
        return self._latch("mixed-backs")

    def _blocked(self) -> str:
        stopping = ("jam", "stopped", "empty", "door")
        return next((f"{self.prefix}.{name}" for name in self.faults if name in stopping), "")


def known_card(card: str) -> str:
    """The card itself; SimError when there is no such card."""
    if card not in CARDS:
        raise SimError(f"no card {card!r}; a card is rank and suit, as in Td or 9c")
    return card
