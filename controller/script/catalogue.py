"""What there is at the tables, as data: games and spots, roles, results, devices and faults, lamps, gates.

What follows a fault is written as its model declares it: `N` one word of that kind, `[N]` perhaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from controller.games import INSTALLED, laid_on_readers
from controller.places import JACKPOT
from controller.rules import OUTCOMES as ENDS
from controller.rules import ROLES as ROLES
from controller.rules import STANDINGS, Outcome, Standing
from controller.script.engines import EngineWords, engine
from controller.script.errors import Malformed, unknown
from controller.table.declare import Form
from controller.table.lamps import EVERY_TABLE
from controller.table.requests import GateName
from controller.table.rules import Rules
from drivers.families import FAMILIES as DRIVERS
from drivers.families import Stand
from firmware_bridge.extensions import UNKNOWN, ExtensionError
from hw_sim.models.register import MODELS


class Game(msgspec.Struct, frozen=True):
    """What testers may say of one game, as the register of games has it."""

    name: str
    spots: tuple[str, ...]
    lines: tuple[str, ...]  # settled on their own, though no chips lie there
    lamps: Mapping[str, Form]  # with the place that the name of each needs
    laid: bool  # cards are dealt from the hand, and read where they lie
    engine: EngineWords
    cup: bool = False  # there is a tournament in this run
    desk: bool = False  # this is no table, but the desk of a tournament of this game

    @property
    def where(self) -> str:
        """What a word is not for that is known elsewhere."""
        return "the desk of a tournament" if self.desk else self.name


def _game(rules: Rules) -> Game:
    jackpot = (JACKPOT,) if rules.document.jackpot is not None else ()
    every = tuple(dict.fromkeys((*rules.opening, *rules.spots, *jackpot)))
    return Game(
        rules.name,
        spots=tuple(spot for spot in every if spot not in rules.without_chips),
        lines=rules.without_chips,
        lamps={lamp.name: lamp.place for lamp in (*EVERY_TABLE, *rules.lights)},
        laid=laid_on_readers(rules),
        engine=engine(rules),
    )


def game_named(name: str) -> Game:
    """Returns what testers may say of this game; malformed when there is none, or its package cannot be used."""
    try:
        return _game(INSTALLED[name])
    except ExtensionError as error:
        if error.code == UNKNOWN:
            raise unknown("game", name, INSTALLED.names()) from None
        raise Malformed(error.cause, "a game whose package can be loaded") from None


def every_spot() -> set[str]:
    """Returns the spots and lines of all games."""
    games = [_game(rules) for rules in INSTALLED.usable()]
    return {spot for game in games for spot in game.spots + game.lines}


def every_lamp() -> set[str]:
    """Returns the lamps of all games."""
    return {lamp for rules in INSTALLED.usable() for lamp in _game(rules).lamps}


RESULTS: tuple[Standing | Literal["none"], ...] = (*STANDINGS, "none")  # none: there is no such wager
OUTCOMES: tuple[Outcome | Literal["open"], ...] = (*ENDS, "open")
GATES: tuple[GateName, ...] = get_args(GateName)

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


class FamilyWords(msgspec.Struct, frozen=True):
    """A kind of device: what its name is followed by after a dot, its faults, and whether it reads cards that lie."""

    faults: dict[str, str]
    place: str = ""
    laid: bool = False


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
_PLACES: Final[dict[Stand, str]] = {"area": "AREA", "area-or-board": "SEAT|board"}


def _family(name: str) -> FamilyWords:
    """Returns what a tester may say of such a device, as its driver and its model declare it."""
    if not name:
        return FamilyWords(_WIRE_FAULTS | {"offline": ""})
    about, faults = DRIVERS.find(name).about, MODELS.find(name).FAULTS
    return FamilyWords({**_WIRE_FAULTS, **faults}, _PLACES.get(about.stands, ""), laid=about.reads == "laid")


def _families() -> dict[str, FamilyWords]:
    """Returns the families that testers have names for, then every other one by what it is called at the table."""
    further = {driver.about.called: driver.about.name for driver in DRIVERS.ours()}
    return {device: _family(name) for device, name in (_DEVICES | further).items()}


FAMILIES: dict[str, FamilyWords] = _families()
