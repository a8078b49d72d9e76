"""The approved games by name, and what their tables are set to unless said otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from controller.house.game import HouseGame
from controller.house.games.caribbean_stud import CaribbeanStud
from controller.house.games.casino_war import CasinoWar
from controller.house.games.mississippi_stud import MississippiStud
from controller.house.games.three_card_poker import ThreeCardPoker
from controller.house.games.ultimate_nsw import UltimateNsw
from controller.house.games.ultimate_vic import UltimateVic
from controller.house.games.wsop_bonus import WsopBonus
from controller.poker.game import CROWN
from controller.table import due, follow, options
from controller.table.declare import Key
from controller.table.facts import AnyFact, Started
from controller.table.follow import Followed
from controller.table.keys import EVERY_TABLE
from controller.table.options import Options
from controller.table.rules import Rules
from controller.table.state import Seen, Table, decode

_ALL: tuple[Rules, ...] = (
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


def find(name: str) -> Rules:
    """The game's rules; KeyError for a game that is not built."""
    return GAMES[name]


def every_key() -> set[Key]:
    """Returns the keys of all games, with those of every table."""
    declared = {EVERY_TABLE, *(game.keys for game in GAMES.values())}
    return {key for keys in declared for key in keys}


def keys_named(name: str) -> list[Key]:
    """Returns what is declared under this name at any table: a key may come with other words elsewhere."""
    return [key for key in every_key() if key.name == name]


def defaults(name: str) -> dict[str, str]:
    """What a table of this game is set to unless somebody says otherwise, as text."""
    return options.defaults(find(name).options)


def begun_with(begin: Started) -> Options:
    """The options that a table starts with; those of the game by default where the table will refuse them."""
    kind = find(begin.game).options
    found = options.read(kind, begin.options)
    return kind() if isinstance(found, list) else found


def restored(snapshot: bytes) -> Table:
    """The table that a snapshot keeps; raises msgspec.DecodeError for what is no table of these games."""
    table = decode(snapshot)
    if table.game:
        table.options.read_as(find(table.game).options)
    return table


def house_game(name: str) -> HouseGame:
    """The rules of a game against the house; KeyError for any other."""
    game = GAMES[name]
    if not isinstance(game, HouseGame):
        raise KeyError(name)
    return game


# ---- the table with these games


def step(table: Table, seq: int, at: int, fact: AnyFact) -> Followed:
    """Returns the table after a fact and what is told to the outside; `table` is left as it was."""
    return follow.step(GAMES, table, seq, at, fact)


def fold(table: Table, facts: Iterable[Seen]) -> Table:
    """Returns the table after these facts."""
    return follow.fold(GAMES, table, facts)


def retell(table: Table, seq: int, target: int, to: AnyFact | None, lost: list[Seen] | None = None) -> Table:
    """Returns the round as it would be with that fact corrected; raises Refusal when it would change what is settled.

    `lost` gets the facts after it that the rules then refuse, although they did not before.
    """
    return follow.retell(GAMES, table, seq, target, to, lost)


def due_at(t: Table) -> int | None:
    """Returns the table's time of the next tick; no later than now: at once; None: time alone changes nothing."""
    return due.due_at(GAMES, t)
