"""How a table becomes a tournament's, and is freed again: what a manager asks for, at the console or elsewhere."""

from __future__ import annotations

from typing import Final

from controller.rules import Role, at_least
from controller.table import options
from controller.table.facts import AnyFact, Key
from controller.table.rules import Rules
from controller.table.state import Table, round_runs
from controller.table.step import Refusal
from controller.table.values import NONE
from controller.tournament.bets import bet_sizes
from controller.tournament.deeds import TableDesignated
from controller.tournament.play import chapter

MANAGER: Final = "area-manager"
TOURNAMENT: Final = "tournament"  # what is set
_SETTING: Final = f"{TOURNAMENT}="
EXTRAS: Final = ("rake", "cap", "bonus")  # options of what no tournament has; and everything about a Jackpot


def plain_name(name: str) -> str:
    """Returns a name as keys take it, in one word.

    >>> plain_name("Ann  Smith")
    'Ann-Smith'
    """
    return "-".join(name.split())


def is_asked_for(fact: AnyFact | None) -> bool:
    """Tells whether somebody asks for a table to become a tournament's, or to be freed.

    >>> is_asked_for(Key("set", ("tournament=CUP",))), is_asked_for(Key("set", ("min=5",)))
    (True, False)
    """
    return isinstance(fact, Key) and fact.key == "set" and any(arg.startswith(_SETTING) for arg in fact.args)


def asked_for(pressed: Key) -> str:
    """Returns the tournament that a table is to be in, "" for none; refuses other options beside it."""
    if len(pressed.args) != 1:
        raise Refusal("", f"nothing is set besides: write set {_SETTING}NAME alone")
    name = pressed.args[0].removeprefix(_SETTING)
    return "" if name == NONE else name


def needs_manager(game: Rules, role: Role) -> None:
    """Refuses whoever may not designate a table."""
    if not at_least(role, MANAGER):
        raise Refusal(chapter(game).at(".2.4"), f"this needs the {MANAGER.replace('-', ' ')}")


def no_cash_game(game: Rules, t: Table) -> None:
    """Refuses a table at which people play for cash."""
    if round_runs(t) or t.seats:
        raise Refusal(chapter(game).at(".2.5"), "people play here for cash")


def designation(game: Rules, t: Table, table: str = "") -> TableDesignated:
    """Returns the deed by which a table becomes a tournament's."""
    return TableDesignated(table, game.name, t.options.typed.seats, extras(game, dict(t.options)), bet_sizes(t))


def extras(game: Rules, chosen: dict[str, str]) -> tuple[str, ...]:
    """Returns which of these options a tournament cannot have, and are set to something."""
    plain = options.defaults(game.options)
    return tuple(name for name, text in chosen.items() if is_extra(name) and text != plain.get(name))


def is_extra(option: str) -> bool:
    """Tells whether an option is about something that no tournament has.

    >>> is_extra("rake"), is_extra("jackpot-cost"), is_extra("seats")
    (True, True, False)
    """
    return option in EXTRAS or option.startswith("jackpot")
