"""The approved games by name, and what their tables are set to unless said otherwise."""

from __future__ import annotations

from controller.house.games.caribbean_stud import CaribbeanStud
from controller.house.games.casino_war import CasinoWar
from controller.house.games.mississippi_stud import MississippiStud
from controller.house.games.three_card_poker import ThreeCardPoker
from controller.house.games.ultimate_nsw import UltimateNsw
from controller.house.games.ultimate_vic import UltimateVic
from controller.house.games.wsop_bonus import WsopBonus
from controller.house.layout import Game
from controller.poker.game import CROWN
from controller.table.declare import Key
from controller.table.keys import keys_of

_ALL: tuple[Game, ...] = (
    CasinoWar(),
    ThreeCardPoker(),
    WsopBonus(),
    UltimateVic(),
    CaribbeanStud(),
    MississippiStud(),
    UltimateNsw(),
    *CROWN,
)
GAMES = {game.name: game for game in _ALL}
KEYS = frozenset(key for game in _ALL for key in keys_of(game))

_COMMON = {"min": "5", "max": "500", "chip": "1", "gates": "auto"}
_HOUSE = {**_COMMON, "shoe": "hand", "announce": "last-card", "backs": "red,blue"}
_JACKPOT = {"jackpot": "none", "jackpot-option": "1", "jackpot-cost": "5"}
_NSW = {**_HOUSE, **_JACKPOT, "min": "10", "seats": "7", "method": "A", "jackpot-reset": "20000"}
_VIC = {**_HOUSE, **_JACKPOT, "seats": "9", "burn": "off", "jackpot-reset": "10000"}
CROWN_DEFAULTS = {
    **_COMMON,
    "seats": "11",
    "limit": "no-limit",
    "bets": "10,20",
    "blinds": "5,10",
    "button": "none",  # the seat at the dealer's right
    "straddle": "off",
    "over-blinds": "off",
    "buy-in": "none",
    "rake-method": "percent",
    "rake": "0%",
    "cap": "none",
    "act-time": "none",
    "extra-time": "none",
    "extra-times": "none",
    "extra-fee": "none",
    "bonus": "none",
}
_DEFAULTS = {
    "wsop-bonus-holdem": {**_VIC, "ante-pays": "flush", "action-button": "none"},
    "ultimate-texas-holdem-vic": {**_VIC, "preflop": "3,4", "flop": "2", "river": "1"},
    "three-card-poker": {**_HOUSE, "seats": "9", "tray": "off", "ante-bonus": "A", "pair-plus": "A"},
    "caribbean-stud": _NSW,
    "mississippi-stud": _NSW,
    "ultimate-texas-holdem-nsw": {**_NSW, "preflop": "3,4", "flop": "2", "river": "1"},
    "casino-war": {**_HOUSE, "seats": "9", "burn": "off", "decks": "6", "method": "A", "players-per-area": "3"},
    **dict.fromkeys(("holdem", "pineapple", "crazy-pineapple"), CROWN_DEFAULTS),
    **dict.fromkeys(("crazy-pineapple-hi-lo", "holdem-hi-lo"), CROWN_DEFAULTS),
    **{game: {**CROWN_DEFAULTS, "seats": "10"} for game in ("omaha", "omaha-hi-lo")},
}


def find(name: str) -> Game:
    """The game's rules; KeyError for a game that is not built."""
    return GAMES[name]


def keys_named(name: str) -> list[Key]:
    """Returns what is declared under this name at any table: a key may come with other words elsewhere."""
    return [key for key in KEYS if key.name == name]


def defaults(name: str) -> dict[str, str]:
    return dict(_DEFAULTS[name])
