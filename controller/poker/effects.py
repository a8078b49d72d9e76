"""What a hand of poker tells the outside besides what every round tells."""

from __future__ import annotations

from controller.poker.state import Won
from controller.table.effects import Effect


class PotsPushed(Effect, frozen=True, tag="pushed"):
    """The pots of a hand go to their winners, and its commission is dropped: named by the hand's number."""

    round: int
    pots: tuple[Won, ...]
    rake: int
