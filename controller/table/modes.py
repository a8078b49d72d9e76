"""Modes around a game: a tournament plays Casino War by the rules of Casino War, and adds its own.

A mode wraps the rules of whatever is played; the game does not know of it.  What it keeps is `Table.mode`, and the kind
of that says which mode a table is in.  It begins with a fact of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

import msgspec

from controller.rules import Cited
from controller.table.facts import AnyFact
from controller.table.requests import Gate, GateName
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.step import Step


class Mode(Protocol):
    """What a mode has a say in, as `Rules` declares it: what a fact means, what may come now, what is due.

    The game answers by itself; a mode around it asks the game, and adds what it has to say.
    """

    def begin(self, t: Table, seq: int, before: Table) -> Step: ...

    def follow(self, s: Step, fact: AnyFact) -> bool: ...

    def finish(self, s: Step) -> None: ...

    def gate(self, t: Table, what: GateName, place: str) -> Gate: ...

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]: ...


Wraps = Callable[[Rules], Mode]
W = TypeVar("W", bound=Wraps)
Asks = Callable[[AnyFact | None], bool]
_BY_STATE: Final[dict[str, Wraps]] = {}
_BY_FACT: Final[dict[type, Wraps]] = {}
_BY_WISH: Final[list[tuple[Asks, Wraps]]] = []


def mode(state: type[msgspec.Struct], begins_with: type, asked_for: Asks) -> Callable[[W], W]:
    """Registers the decorated mode: a table that keeps such a state is in it, and this fact puts a table into it.

    `asked_for` tells whether a fact asks for the mode, which answers it before the table is in it.
    """

    def register(wraps: W) -> W:
        _BY_STATE[state.__name__] = wraps
        _BY_FACT[begins_with] = wraps
        _BY_WISH.append((asked_for, wraps))
        return wraps

    return register


def around(game: Rules, t: Table, fact: AnyFact | None = None) -> Mode:
    """Returns by what a table is played: the game's own rules, or the mode around them."""
    wraps = _BY_STATE.get(t.mode.kind) or _BY_FACT.get(type(fact)) or _wished(fact)
    return game if wraps is None else wraps(game)


def _wished(fact: AnyFact | None) -> Wraps | None:
    for asks, wraps in _BY_WISH:
        if asks(fact):
            return wraps
    return None
