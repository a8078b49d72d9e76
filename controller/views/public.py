"""What anybody may know of the cards: one that lies face down is "??" to everyone outside."""

from __future__ import annotations

from controller.views.hidden import BOARD, public
from controller.views.shown import public_hands as hands

__all__ = ["BOARD", "hands", "public"]
