"""Which options a table may have, by game.  What their values mean is the game's own matter."""

from __future__ import annotations

from collections.abc import Mapping

_EVERY_GAME = frozenset({"seats", "min", "max", "chip", "gates"})
_HOUSE_GAME = _EVERY_GAME | {"max-payout", "shoe", "announce", "backs"}

OPTIONS: Mapping[str, frozenset[str]] = {
    "three-card-poker": _HOUSE_GAME | {"tray", "ante-bonus", "pair-plus"},
    "casino-war": _HOUSE_GAME | {"burn", "decks", "method", "players-per-area"},
}
