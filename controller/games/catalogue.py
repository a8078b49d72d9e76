"""The approved games by name, and what their tables are set to unless said otherwise."""

from __future__ import annotations

from controller.games.casino_war import CasinoWar
from controller.table.felt import Game

GAMES: dict[str, Game] = {game.name: game for game in (CasinoWar(),)}

_COMMON = {"min": "5", "max": "500", "chip": "1", "gates": "auto"}
_HOUSE = {**_COMMON, "shoe": "hand", "announce": "last-card", "backs": "red,blue"}
_DEFAULTS = {
    "casino-war": {**_HOUSE, "seats": "9", "burn": "off", "decks": "6", "method": "A", "players-per-area": "3"},
}


def find(name: str) -> Game:
    """The game's rules; KeyError for a game that is not built."""
    return GAMES[name]


def defaults(name: str) -> dict[str, str]:
    return dict(_DEFAULTS[name])
