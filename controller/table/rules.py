"""The protocol between the table and what is played on it.

The table runs people, cards, signs, roles, jackpots and time.  A game declares itself and answers what the table asks;
the table knows no game by name, and how a game keeps its own state is the game's own matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from controller.rules import Cited
from controller.table.declare import Key
from controller.table.documents import Document
from controller.table.facts import AnyFact
from controller.table.lamps import Lamp, Lit
from controller.table.options import Options
from controller.table.requests import Gate, GateName, Open
from controller.table.state import Prompt, Round, Table
from controller.table.telling import Called, Hands, InWords, Lying, Settlement

if TYPE_CHECKING:
    from controller.table.step import Step


class Edge(NamedTuple):
    """How the house's edge of a wager is computed, and what it takes in.

    The computation is named, not imported: it may need what a table does not have.  It is a function that is given
    `controller.odds.rounds.Rounds` and a `Progress`, and returns what the player wins of each unit in the long run.
    """

    computed_by: str  # "module:function"
    covers: str  # for people
    takes_in: tuple[str, ...] = ()  # other spots whose lines are part of it
    by: tuple[str, ...] = ()  # the options that change it
    units: int = 12  # the most that can be staked for each unit of it, in all
    reduced: Callable[[Any], Mapping[str, str]] | None = None  # these options as far as they change it; None: wholly
    staked: Callable[[Any], int] | None = None  # what `units` is by the options, where they change it

    def units_by(self, options: Options) -> int:
        """Returns the most that can be staked for each unit of it, by these options."""
        return self.units if self.staked is None else self.staked(options)


class Rules(Protocol):
    """One approved game: pure rules."""

    # ---- what it declares

    @property
    def name(self) -> str:
        """Its name in files, scripts and commands."""

    @property
    def title(self) -> str:
        """Its name as players know it."""

    @property
    def called(self) -> Called:
        """What people call its places and its rounds."""

    @property
    def options(self) -> type[Options]:
        """What a table of this game can be set to, with defaults and bounds."""

    @property
    def spots(self) -> tuple[str, ...]:
        """What wagers may lie on, and what else is settled on a line of its own."""

    @property
    def opening(self) -> tuple[str, ...]:
        """The spots for wagers before the deal."""

    @property
    def required(self) -> tuple[str, ...]:
        """Those of them without which nobody is dealt to."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """Its keys beyond those of every table."""

    @property
    def shared(self) -> tuple[str, ...]:
        """Where cards lie that are nobody's: the dealer's hand, the board, and the parts of it that people name."""

    @property
    def unused(self) -> tuple[str, ...]:
        """The names of keys that mean nothing in this game, at no moment: screens do not show them."""

    @property
    def lights(self) -> tuple[Lamp, ...]:
        """The lamps that only this game lights, beyond those of every table."""

    @property
    def without_chips(self) -> tuple[str, ...]:
        """Those of its spots where no chips lie: a line of its own is settled there, on the stake of another wager."""

    @property
    def document(self) -> Document:
        """What its rule document says: citations, policy, powers."""

    @property
    def odds(self) -> Mapping[str, Edge]:
        """How the house's edge is computed, by opening wager; nothing for games without the house."""

    # ---- what a fact means

    def open(self, t: Table) -> None:
        """Gives a table that starts the game's own state."""

    def begin(self, t: Table, seq: int, before: Table) -> Step:
        """Returns the step that will follow a fact: `t` is the copy to write, `before` the table as it was."""

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Does what a fact means in this game; False when it means the same at all tables."""

    def finish(self, s: Step) -> None:
        """Does what has come due by a fact that was followed: a round whose end is reached is over.

        It may keep what it found out with the table (`Table.derived`), for those who look at it next.
        """

    def leaves(self, s: Step, place: str) -> None:
        """Gives back what somebody who leaves has in play between rounds."""

    def declare_void(self, s: Step, r: Round, rule: str, text: str, *, bare: bool) -> None:
        """Declares a held round void: everything goes back; `bare`: without asking what lies there."""

    def resumed(self, s: Step) -> None:
        """Does what is due when a held table goes on."""

    # ---- what it shows

    def waiting(self, t: Table) -> Open:
        """Returns what the table waits for; nothing when no round is running."""

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips (`bets`), cards (`deal`) or Jackpot wagers (`jackpot`) may come now."""

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what is due now, the most urgent first; `cards`: what must be done with the cards before the deal."""

    def lamps(self, t: Table) -> Lit:
        """Returns which of its own lamps are lit, and where."""

    def sign(self, t: Table) -> list[str]:
        """Returns the lines of the limit sign."""

    def cards(self, t: Table) -> Lying:
        """Returns the cards of the round that runs or of the last one, and which of them the rules have turned."""

    def settled(self, t: Table, r: Round) -> Settlement:
        """Returns how every wager of a round stands."""

    def in_words(self, t: Table, r: Round, seen: Hands) -> InWords:
        """Returns a round in words; `seen`: the cards that whoever is told may see, "??" for others."""

    def phase(self, t: Table) -> object:
        """Returns what changes when the game has moved on within a round."""

    def stands(self, t: Table, p: Prompt, word: str) -> bool | None:
        """Tells whether a prompt is still of use; None where the game has no say in it: only what happens ends it.

        That is so while `word`, a key that it offers, is due; without a word, while its cause stands.
        """

    def moments(self, t: Table) -> Iterable[int]:
        """Returns the table's times at which time alone may make a difference."""

    def belongings(self, t: Table) -> dict[str, object]:
        """Returns what people have in their hands by this game, by name: stakes, cards."""

    def left_on_table(self, t: Table) -> str:
        """Returns, in words, the chips that another configuration would forget; "" when there are none."""


class Games(Protocol):
    """Games by name: a register, or a dictionary."""

    def __getitem__(self, name: str, /) -> Rules: ...

    def __contains__(self, name: object, /) -> bool: ...
