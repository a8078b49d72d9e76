"""The effects of a hand of poker, besides those of every round."""

from __future__ import annotations

from controller.poker.state import Won
from controller.table.effects import Effect


class PotsPushed(Effect, frozen=True, tag="pushed"):
    """The effect that a hand's pots go to their winners and its commission is dropped: named by the hand's number."""

    round: int
    pots: tuple[Won, ...]
    rake: int
