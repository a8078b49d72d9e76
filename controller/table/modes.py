"""Modes around a game: a tournament plays Casino War by the rules of Casino War, and adds its own.

A mode wraps the rules of whatever is played; the game does not know of it.  What it keeps is `Table.mode`, and the kind
of that says which mode a table is in.  It begins with a fact of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from controller.rules import Cited
from controller.table.declare import Key
from controller.table.documents import Document
from controller.table.facts import AnyFact
from controller.table.lamps import Lamp, Lit
from controller.table.options import Options
from controller.table.requests import Gate, GateName, Open
from controller.table.rules import Edge, Rules
from controller.table.state import Prompt, Round, Table
from controller.table.step import Step
from controller.table.telling import Called, Hands, InWords, Lying, Settlement


class Mode:
    """Rules that answer as the game's own do; a mode overrides what it changes."""

    def __init__(self, game: Rules) -> None:
        self.game = game

    # ---- what it declares

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def title(self) -> str:
        """The game's name as players know it."""
        return self.game.title

    @property
    def called(self) -> Called:
        """What people call its places and its rounds."""
        return self.game.called

    @property
    def options(self) -> type[Options]:
        """What a table of this game can be set to."""
        return self.game.options

    @property
    def spots(self) -> tuple[str, ...]:
        """What wagers may lie on."""
        return self.game.spots

    @property
    def opening(self) -> tuple[str, ...]:
        """The spots for wagers before the deal."""
        return self.game.opening

    @property
    def required(self) -> tuple[str, ...]:
        """Those of them without which nobody is dealt to."""
        return self.game.required

    @property
    def keys(self) -> tuple[Key, ...]:
        """The game's keys beyond those of every table."""
        return self.game.keys

    @property
    def shared(self) -> tuple[str, ...]:
        """Where cards lie that are nobody's."""
        return self.game.shared

    @property
    def unused(self) -> tuple[str, ...]:
        """The names of keys that mean nothing in this game."""
        return self.game.unused

    @property
    def lights(self) -> tuple[Lamp, ...]:
        """The lamps that only this game lights."""
        return self.game.lights

    @property
    def without_chips(self) -> tuple[str, ...]:
        """Those of its spots where no chips lie."""
        return self.game.without_chips

    @property
    def document(self) -> Document:
        """What the game's rule document says."""
        return self.game.document

    @property
    def odds(self) -> Mapping[str, Edge]:
        """How the house's edge is computed."""
        return self.game.odds

    # ---- what a fact means

    def open(self, t: Table) -> None:
        """Gives a table that starts the game's own state."""
        self.game.open(t)

    def begin(self, t: Table, seq: int, before: Table) -> Step:
        """Returns the step that will follow a fact: the game's own."""
        return self.game.begin(t, seq, before)

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Does what a fact means in the game."""
        return self.game.follow(s, fact)

    def finish(self, s: Step) -> None:
        """Does what has come due by a fact that was followed."""
        self.game.finish(s)

    def leaves(self, s: Step, place: str) -> None:
        """Gives back what somebody who leaves has in play between rounds."""
        self.game.leaves(s, place)

    def declare_void(self, s: Step, r: Round, rule: str, text: str, *, bare: bool) -> None:
        """Declares a held round void."""
        self.game.declare_void(s, r, rule, text, bare=bare)

    def resumed(self, s: Step) -> None:
        """Does what is due when a held table goes on."""
        self.game.resumed(s)

    # ---- what it shows

    def waiting(self, t: Table) -> Open:
        """Returns what the table waits for."""
        return self.game.waiting(t)

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips, cards or Jackpot wagers may come now."""
        return self.game.gate(t, what, place)

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what is due now, the most urgent first."""
        return self.game.duties(t, cards)

    def lamps(self, t: Table) -> Lit:
        """Returns which of the game's lamps are lit, and where."""
        return self.game.lamps(t)

    def sign(self, t: Table) -> list[str]:
        """Returns the lines of the limit sign."""
        return self.game.sign(t)

    def cards(self, t: Table) -> Lying:
        """Returns the cards of the round that runs or of the last one."""
        return self.game.cards(t)

    def settled(self, t: Table, r: Round) -> Settlement:
        """Returns how every wager of a round stands."""
        return self.game.settled(t, r)

    def in_words(self, t: Table, r: Round, seen: Hands) -> InWords:
        """Returns a round in words."""
        return self.game.in_words(t, r, seen)

    def phase(self, t: Table) -> object:
        """Returns what changes when the game has moved on within a round."""
        return self.game.phase(t)

    def stands(self, t: Table, p: Prompt, word: str) -> bool | None:
        """Tells whether a prompt is still of use."""
        return self.game.stands(t, p, word)

    def moments(self, t: Table) -> Iterable[int]:
        """Returns the table's times at which time alone may make a difference."""
        return self.game.moments(t)

    def belongings(self, t: Table) -> dict[str, object]:
        """Returns what people have in their hands by this game."""
        return self.game.belongings(t)

    def left_on_table(self, t: Table) -> str:
        """Returns, in words, the chips that another configuration would forget."""
        return self.game.left_on_table(t)


Wraps = Callable[[Rules], Mode]
M = TypeVar("M", bound=Wraps)
_BY_STATE: Final[dict[str, Wraps]] = {}
_BY_FACT: Final[dict[type, Wraps]] = {}


def mode(state: type[msgspec.Struct], begins_with: type) -> Callable[[M], M]:
    """Registers the decorated mode: a table that keeps such a state is in it, and this fact puts a table into it."""

    def register(wraps: M) -> M:
        _BY_STATE[state.__name__] = wraps
        _BY_FACT[begins_with] = wraps
        return wraps

    return register


def around(game: Rules, t: Table, fact: AnyFact | None = None) -> Rules:
    """Returns the rules by which a table is played: the game's own, or those of the mode around them."""
    wraps = _BY_STATE.get(t.mode.kind) or _BY_FACT.get(type(fact))
    return game if wraps is None else wraps(game)
