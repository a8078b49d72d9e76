"""The hand of a round where a test knows that there is one."""

from __future__ import annotations

from controller.poker.state import Hand, hand_in
from controller.table.state import Table


def hand_at(t: Table) -> Hand:
    """Returns the hand that is played, or was played last, at this table; fails where there is none."""
    assert t.round is not None
    hand = hand_in(t.round)
    assert hand is not None
    return hand
