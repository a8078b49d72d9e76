"""What there is at the tables, as data: games and spots, roles, acts, results, devices and faults, lamps, gates.

What follows a fault is written as its model declares it: `N` one word of that kind, `[N]` perhaps.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from controller.games import INSTALLED
from controller.house.game import HouseGame
from controller.poker.hand.course import DISCARD
from controller.poker.keys import COSTING, SILENT
from controller.rules import OUTCOMES as ENDS
from controller.rules import ROLES as ROLES
from controller.rules import STANDINGS, Outcome, Standing
from controller.script.errors import Malformed, unknown
from controller.table.declare import AMOUNT, AREA, SEAT, Form, optional
from controller.table.options import fields
from controller.table.requests import GateName
from controller.table.rules import Rules
from drivers.families import FAMILIES as DRIVERS
from firmware_bridge.extensions import UNKNOWN, ExtensionError
from hw_sim.models.register import MODELS

HOUSE = "house"
CROWN = "crown"
KINDS = (HOUSE, CROWN)
JACKPOT = "jackpot"
WITHOUT_CHIPS = ("ante-bonus",)  # lines that are settled on their own: no chips lie there


class Game(msgspec.Struct, frozen=True):
    """A game: its document, whether the house or the players stand against the players, and where one may bet."""

    name: str
    document: str
    kind: str
    spots: tuple[str, ...]
    lines: tuple[str, ...] = ()  # settled on their own, though no chips lie there
    pineapple: bool = False  # players discard


def _game(rules: Rules) -> Game:
    """Returns what testers may say of a game, as the register of games has it."""
    house = isinstance(rules, HouseGame)
    opening = rules.opening if isinstance(rules, HouseGame) else ()
    jackpot = (JACKPOT,) if JACKPOT in fields(rules.options) else ()
    every = tuple(dict.fromkeys((*opening, *rules.spots, *jackpot)))
    return Game(
        rules.name,
        rules.document.number,
        HOUSE if house else CROWN,
        spots=tuple(spot for spot in every if spot not in WITHOUT_CHIPS),
        lines=tuple(spot for spot in every if spot in WITHOUT_CHIPS),
        pineapple=rules.name in DISCARD,
    )


def game_named(name: str) -> Game:
    """Returns what testers may say of this game; malformed when there is none, or its package cannot be used."""
    try:
        return _game(INSTALLED[name])
    except ExtensionError as error:
        if error.code == UNKNOWN:
            raise unknown("game", name, INSTALLED.names()) from None
        raise Malformed(error.cause, error.next_step) from None


def every_spot() -> set[str]:
    """Returns the spots and lines of all games."""
    games = [_game(rules) for rules in INSTALLED.usable()]
    return {spot for game in games for spot in game.spots + game.lines}


ACTS: dict[str, Form] = {
    **{act.name: () for act in SILENT.kinds},
    **{act.name: (AMOUNT,) for act in COSTING.kinds},
}

RESULTS: tuple[Standing | Literal["none"], ...] = (*STANDINGS, "none")  # none: there is no such wager
OUTCOMES: tuple[Outcome | Literal["open"], ...] = (*ENDS, "open")
GATES: tuple[GateName, ...] = get_args(GateName)
CLOSINGS = ("close-table", "close-jackpot")

_WIRE_FAULTS = {
    "unplug": "",
    "hang": "",
    "split": "",
    "drop": "[N]",
    "corrupt": "[N]",
    "duplicate": "[N]",
    "delay": "DURATION",
    "babble": "",
    "power": "",
    "clear": "",
}


class Family(msgspec.Struct, frozen=True):
    """A kind of device: what its name is followed by after a dot, its faults, and the tables that can have it."""

    faults: dict[str, str]
    place: str = ""
    kinds: tuple[str, ...] = KINDS


_DEVICES = {  # as testers name them, with their families
    "shoe": "shoe",
    "shuffler": "shuffler",
    "display": "display",
    "meter": "",  # the prize meter: no device, but a part of the table that may fail
    "sensor": "bet-sensor",
    "console": "console",
    "lamps": "lamps",
    "sign": "display",
    "reader": "reader",
}
_PLACES = {"area": "AREA", "area-or-board": "SEAT|board"}


def _family(name: str) -> Family:
    """What a tester may say of such a device, as its driver and its model declare it."""
    if not name:
        return Family(_WIRE_FAULTS | {"offline": ""})
    about, faults = DRIVERS.find(name).about, MODELS.find(name).FAULTS
    kinds = (CROWN,) if about.reads == "laid" else KINDS
    return Family({**_WIRE_FAULTS, **faults}, _PLACES.get(about.stands, ""), kinds)


def _families() -> dict[str, Family]:
    """Those that testers have names for, then every other one by what it is called at the table."""
    further = {driver.about.called: driver.about.name for driver in DRIVERS.ours()}
    return {device: _family(name) for device, name in (_DEVICES | further).items()}


FAMILIES: dict[str, Family] = _families()


class Lamp(msgspec.Struct, frozen=True):
    """A lamp: the place that its name needs, and the tables that have it."""

    place: Form = ()
    kinds: tuple[str, ...] = KINDS


_OF_A_SEAT = Lamp((SEAT,), (CROWN,))

LAMPS: dict[str, Lamp] = {
    "bets": Lamp(),
    "jackpot": Lamp((optional(AREA),)),
    "decide": Lamp((AREA,)),
    "act": _OF_A_SEAT,
    "button": Lamp((SEAT,)),  # Crown Poker, and the action button of WSOP Bonus
    "cut": Lamp((AREA,)),
    "shuffle": Lamp(),
    "marker": Lamp((AREA,)),
    "blind": Lamp((AREA,)),
    "absent": _OF_A_SEAT,
    "missed-blind": _OF_A_SEAT,
    "dealt-out": _OF_A_SEAT,
    "walking": _OF_A_SEAT,
    "reserved": _OF_A_SEAT,
}
