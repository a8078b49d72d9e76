"""Which options a table may have, by game.  What their values mean is the game's own matter."""

from __future__ import annotations

from collections.abc import Mapping

_EVERY_GAME = frozenset({"seats", "min", "max", "chip", "gates"})
_HOUSE_GAME = _EVERY_GAME | {"max-payout", "shoe", "announce", "backs"}

_JACKPOT = frozenset(f"jackpot{part}" for part in ("", "-option", "-reset", "-cost", "-rate", "-group"))
_NSW_GAME = _HOUSE_GAME | _JACKPOT | {"approved-min", "method"}

_CROWN_GAME = _EVERY_GAME | {
    *("limit", "bets", "blinds", "button", "straddle", "over-blinds", "buy-in"),
    *("rake-method", "rake", "cap"),
    *("act-time", "extra-time", "extra-times", "extra-fee", "bonus"),
}
CROWN_GAMES = (
    "holdem",
    "pineapple",
    "crazy-pineapple",
    "crazy-pineapple-hi-lo",
    "holdem-hi-lo",
    "omaha",
    "omaha-hi-lo",
)

OPTIONS: Mapping[str, frozenset[str]] = {
    "wsop-bonus-holdem": _HOUSE_GAME | _JACKPOT | {"burn", "ante-pays", "action-button"},
    "ultimate-texas-holdem-vic": _HOUSE_GAME | _JACKPOT | {"burn", "preflop", "flop", "river"},
    "three-card-poker": _HOUSE_GAME | {"tray", "ante-bonus", "pair-plus"},
    "caribbean-stud": _NSW_GAME,
    "mississippi-stud": _NSW_GAME,
    "ultimate-texas-holdem-nsw": _NSW_GAME | {"preflop", "flop", "river"},
    "casino-war": _HOUSE_GAME | {"burn", "decks", "method", "players-per-area"},
    **dict.fromkeys(CROWN_GAMES, _CROWN_GAME),
}
