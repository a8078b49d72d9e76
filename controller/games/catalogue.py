"""The approved games by name, and what their tables are set to unless said otherwise."""

from __future__ import annotations

from controller.games.casino_war import CasinoWar
from controller.games.three_card_poker import ThreeCardPoker
from controller.table.felt import Game

_ALL: tuple[Game, ...] = (CasinoWar(), ThreeCardPoker())
GAMES = {game.name: game for game in _ALL}

_COMMON = {"min": "5", "max": "500", "chip": "1", "gates": "auto"}
_HOUSE = {**_COMMON, "shoe": "hand", "announce": "last-card", "backs": "red,blue"}
_DEFAULTS = {
    "three-card-poker": {**_HOUSE, "seats": "9", "tray": "off", "ante-bonus": "A", "pair-plus": "A"},
    "casino-war": {**_HOUSE, "seats": "9", "burn": "off", "decks": "6", "method": "A", "players-per-area": "3"},
}


def find(name: str) -> Game:
    """The game's rules; KeyError for a game that is not built."""
    return GAMES[name]


def defaults(name: str) -> dict[str, str]:
    return dict(_DEFAULTS[name])
