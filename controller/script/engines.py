"""What the testers' language has for one engine beyond what it has for every table.

A game whose engine is not named here is told, asked and expected with the words of every table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from controller.games import of_engine
from controller.poker.game import Crown
from controller.poker.hand.course import DISCARD
from controller.poker.keys import COSTING, SILENT
from controller.script.course import Course
from controller.script.poker_hand import PokerCourse, room_json
from controller.table.declare import AMOUNT, Form
from controller.table.rules import Rules
from controller.table.state import Table


def _nothing(table: Table) -> dict[str, Any]:
    return {}


class EngineWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words that testers have for the tables of one engine, and how their record tells them."""

    verbs: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    acts: Mapping[str, Form] = {}  # what a player does at his turn
    offers: tuple[str, ...] = ()  # what a prompt may offer beside keys
    stakes: bool = False  # players bring chips of their own to a seat
    discards: frozenset[str] = frozenset()  # games whose players discard
    course: type[Course] = Course
    end: Callable[[Table], dict[str, Any]] = _nothing  # how the table stands when the run is over


_ACTS: Final = {**{act.name: () for act in SILENT.kinds}, **{act.name: (AMOUNT,) for act in COSTING.kinds}}
_POKER: Final = EngineWords(
    verbs=("act", "chips", "discard"),
    expects=("bet", "stack", "pot", "won", "net", "rake", "slide", "drop", "list"),
    acts=_ACTS,
    offers=(*_ACTS, "discard"),
    stakes=True,
    discards=frozenset(DISCARD),
    course=PokerCourse,
    end=room_json,
)
ENGINES: Final[dict[type, EngineWords]] = {Crown: _POKER}
_ANY: Final = EngineWords()


def engine(rules: Rules) -> EngineWords:
    """Returns the words for a table with these rules."""
    return of_engine(rules, ENGINES, _ANY)
