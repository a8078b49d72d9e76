"""The register of games: ours, and those that installed packages bring; the table's step with all of them.

A package names its game as an entry point of the group `feltd.games`, under the name that `table.toml` uses:

    [project.entry-points."feltd.games"]
    high-card = "high_card"

Importing that module runs the decorator `game`.  Packages are looked through only for a name that is not ours, or when
somebody wants to know all games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from controller.house.game import HouseGame
from controller.house.games.caribbean_stud import CaribbeanStud
from controller.house.games.casino_war import CasinoWar
from controller.house.games.mississippi_stud import MississippiStud
from controller.house.games.three_card_poker import ThreeCardPoker
from controller.house.games.ultimate_nsw import UltimateNsw
from controller.house.games.ultimate_vic import UltimateVic
from controller.house.games.wsop_bonus import WsopBonus
from controller.poker.game import CROWN
from controller.table import declare, due, follow, options
from controller.table.facts import AnyFact, Key, Started
from controller.table.follow import Followed
from controller.table.keys import EVERY_TABLE
from controller.table.options import Options
from controller.table.rules import Rules
from controller.table.state import Seen, Table, decode
from controller.table.step import Refusal
from controller.tournament import modes as modes  # a table that a tournament has told something is in it
from firmware_bridge.extensions import Register

R = TypeVar("R", bound=Rules)

T = TypeVar("T")

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
GAMES: Final = {rules.name: rules for rules in _ALL}  # ours
INSTALLED: Final[Register[Rules]] = Register("feltd.games", "game", "controller.house.games", GAMES)
for _rules in _ALL:
    INSTALLED.add(_rules.name, _rules)


class DeclarationError(TypeError):
    """A game declares something that no table can be played by."""


def game(kind: type[R]) -> type[R]:
    """Adds the decorated game to the register; for games of other packages.  DeclarationError names each mistake."""
    from controller.house.unyielded import unyielded  # our own games start without it
    from controller.table.mistakes import mistakes, undeclared

    if missing := undeclared(kind):
        raise DeclarationError(f"{kind.__name__} does not declare {', '.join(missing)}")
    rules = kind()
    wrong = mistakes(rules)
    if isinstance(rules, HouseGame):
        wrong += unyielded(rules)
    if wrong:
        raise DeclarationError(f"{kind.__name__}: {'; '.join(wrong)}")
    INSTALLED.add(rules.name, rules, kind)
    return kind


def find(name: str) -> Rules:
    """Returns the game's rules; raises ExtensionError when there is no such game, or its package cannot be used."""
    return INSTALLED[name]


def of_engine(rules: Rules, register: Mapping[type, T], otherwise: T) -> T:
    """Returns what a register has for the engine behind these rules: for their class, or the nearest one above it."""
    return next((register[kind] for kind in type(rules).__mro__ if kind in register), otherwise)


def laid_on_readers(rules: Rules) -> bool:
    """Tells whether cards are dealt from the hand and read where they lie."""
    return rules.document.policy.cards == "laid"


def every_key() -> set[declare.Key]:
    """Returns the keys of all games, with those of every table."""
    return {key for keys in _declared(INSTALLED.usable()) for key in keys}


def keys_named(name: str) -> list[declare.Key]:
    """Returns what is declared under this name at any table: a key may come with other words elsewhere.

    Of games from other packages those are asked that were loaded: a table has loaded its own.
    """
    named = (declare.named(keys, name) for keys in _declared(INSTALLED.loaded.values()))
    return [key for key in named if key is not None]


def _declared(games: Iterable[Rules]) -> Iterable[tuple[declare.Key, ...]]:
    """Returns what every table and these games declare, each once: games may share their keys."""
    declared = (EVERY_TABLE, *(rules.keys for rules in games))
    return {id(keys): keys for keys in declared}.values()


def defaults(name: str) -> dict[str, str]:
    """Returns, as text, what a table of this game is set to unless somebody says otherwise."""
    return options.defaults(find(name).options)


def begun_with(begin: Started) -> Options:
    """Returns the options that a table starts with; those of the game by default where the table will refuse them."""
    kind = find(begin.game).options
    typed = options.read(kind, begin.options)
    return kind() if isinstance(typed, list) else typed


def restored(snapshot: bytes) -> Table:
    """Returns the table that a snapshot keeps; raises msgspec.DecodeError for what is no table of these games."""
    table = decode(snapshot)
    if table.game:
        table.options.read_as(find(table.game).options)
    return table


def house_game(name: str) -> HouseGame:
    """Returns the rules of a game against the house; raises KeyError for any other."""
    rules = find(name)
    if not isinstance(rules, HouseGame):
        raise KeyError(name)
    return rules


# ---- the table with these games


def step(table: Table, seq: int, at: int, fact: AnyFact) -> Followed:
    """Returns the table after a fact and what is told to the outside; `table` is left as it was."""
    return follow.step(INSTALLED, table, seq, at, fact)


def refusal(table: Table, pressed: Key) -> Refusal | None:
    """Returns why the table would refuse a key; None when it would take it."""
    return follow.refusal(INSTALLED, table, pressed)


def asking(table: Table) -> follow.Asking:
    """Returns who asks the table whether it would take this key and that."""
    return follow.Asking(INSTALLED, table)


def fold(table: Table, facts: Iterable[Seen]) -> Table:
    """Returns the table after these facts."""
    return follow.fold(INSTALLED, table, facts)


def retell(table: Table, seq: int, target: int, to: AnyFact | None, lost: list[Seen] | None = None) -> Table:
    """Returns the round as it would be with that fact corrected; raises Refusal when it would change what is settled.

    `lost` gets the facts after it that the rules then refuse, although they did not before.
    """
    return follow.retell(INSTALLED, table, seq, target, to, lost)


def due_at(t: Table) -> int | None:
    """Returns the table's time of the next tick; no later than now: at once; None: time alone changes nothing."""
    return due.due_at(INSTALLED, t)
