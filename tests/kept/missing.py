"""What the fields mean that a kept record does not have: `python -m tests.kept.missing` writes the list.

Journals, snapshots, stores and the records of rounds leave out what is as it always was, and older versions did not
know every field.  Another meaning of a missing field would change what they say.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from controller.api import routes
from controller.house import state as house_state
from controller.house.state import HouseRound
from controller.jackpot.ledger import Note
from controller.jackpot.rules import Award, Terms
from controller.poker.state import Hand, Room
from controller.service import door_routes, floor_routes
from controller.service.cup_record import CupHead, CupLine
from controller.service.routes import Route
from controller.table import facts
from controller.table.facts import AnyFact
from controller.table.history import History
from controller.table.options import Chosen
from controller.table.play import Play
from controller.table.state import Seen, Table
from controller.tournament.play import TournamentPlay
from controller.tournament.record import Tournament
from controller.views.asides import Aside
from controller.views.float_form import FloatEntry
from controller.views.record import RoundRecord, Summary
from controller.views.summary import TableSummary
from controller.web import routes as web_routes

KEPT = Path(__file__).parent / "missing.txt"
ROOMS = (routes, door_routes, floor_routes, web_routes)
ASKED = [each for room in ROOMS for each in vars(room).values() if isinstance(each, Route)]
READ: tuple[Any, ...] = (
    *(AnyFact, Table, Seen),  # the journal and its snapshots
    *(HouseRound, Room, Hand, TournamentPlay),  # what a game keeps in them
    *(Terms, Award, Note, CupHead, CupLine, Tournament),  # the stores of meters and of tournaments
    *(RoundRecord, Summary, FloatEntry, Aside),  # the index of rounds
    TableSummary,  # what another table tells, perhaps of another version
    *(kind for route in ASKED for kind in (route.answer, route.takes) if kind not in (None, bytes)),  # over HTTP
)


def lines() -> list[str]:
    """Returns, for each field that may be missing, what it means then; and the words that records are written in."""
    kinds = {kind.cls for kind in _structs(inspect.multi_type_info(READ))}
    return sorted(line for kind in kinds for line in _missing(kind)) + sorted(_words())


def _words() -> Iterator[str]:
    """Yields the words that are declared where the facts and what a game keeps are."""
    for room in (facts, house_state):
        for name, value in vars(room).items():
            if name.isupper() and isinstance(value, str):
                yield f"{room.__name__.removeprefix('controller.')}.{name} = {value}"


def _missing(kind: type[msgspec.Struct]) -> Iterator[str]:
    room = kind.__module__.removeprefix("controller.")
    for field in msgspec.structs.fields(kind):
        if not field.required:
            factory = field.default_factory
            value = field.default if factory is msgspec.NODEFAULT else factory()
            yield f"{room}.{kind.__qualname__}.{field.name}: {msgspec.json.encode(value, enc_hook=_plain).decode()}"


def _plain(value: object) -> object:
    """Returns a value that snapshots keep in a way of its own as they keep it."""
    match value:
        case Play():
            return value.encoded()
        case Chosen():
            return dict(value)
        case History():
            return list(value)
    raise NotImplementedError(type(value).__name__)


def _structs(kinds: object) -> list[inspect.StructType]:
    """Returns all structs that these types are made of."""
    found: dict[int, inspect.StructType] = {}
    waiting, seen = [kinds], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, inspect.StructType):
            found[id(each)] = each
        if isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, inspect.Type | inspect.Field):
            waiting += [getattr(each, name) for name in each.__struct_fields__]
    return list(found.values())


def main() -> int:
    """Writes the list."""
    KEPT.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
