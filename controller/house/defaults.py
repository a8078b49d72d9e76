"""What the tables of each house game are set to unless said otherwise."""

from __future__ import annotations

_COMMON = {"min": "5", "max": "500", "chip": "1", "gates": "auto"}
_HOUSE = {**_COMMON, "shoe": "hand", "announce": "last-card", "backs": "red,blue"}
_JACKPOT = {"jackpot": "none", "jackpot-option": "1", "jackpot-cost": "5"}
_NSW = {**_HOUSE, **_JACKPOT, "min": "10", "seats": "7", "method": "A", "jackpot-reset": "20000"}
_VIC = {**_HOUSE, **_JACKPOT, "seats": "9", "burn": "off", "jackpot-reset": "10000"}
DEFAULTS = {
    "wsop-bonus-holdem": {**_VIC, "ante-pays": "flush", "action-button": "none"},
    "ultimate-texas-holdem-vic": {**_VIC, "preflop": "3,4", "flop": "2", "river": "1"},
    "three-card-poker": {**_HOUSE, "seats": "9", "tray": "off", "ante-bonus": "A", "pair-plus": "A"},
    "caribbean-stud": _NSW,
    "mississippi-stud": _NSW,
    "ultimate-texas-holdem-nsw": {**_NSW, "preflop": "3,4", "flop": "2", "river": "1"},
    "casino-war": {**_HOUSE, "seats": "9", "burn": "off", "decks": "6", "method": "A", "players-per-area": "3"},
}
