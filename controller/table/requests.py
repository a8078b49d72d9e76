"""What a table waits for, what it lets happen now, and what is due: the words in which a game answers."""

from __future__ import annotations

from typing import Literal, NamedTuple, NewType, TypeAlias

import msgspec

from controller.places import Place
from controller.rules import Cited, Rank
from controller.table.state import Line

GateName = Literal["bets", "deal", "jackpot"]  # what may come: chips, cards, Jackpot wagers


class Gate(NamedTuple):
    """Whether something may happen now, and which rule says no."""

    open: bool
    rule: str = ""
    why: str = ""  # in words, where no rule says it


class Request(msgspec.Struct, frozen=True):
    """Something the table waits for, by this rule."""

    rule: str


class Wagers(Request, frozen=True):
    """Chips on these spots, until betting closes."""

    spots: tuple[str, ...]


class Cards(Request, frozen=True):
    """The next card of this deal goes to this place."""

    deal: str
    place: str


class Order(Request, frozen=True):
    """The order in which these cards left, which nobody knows yet."""

    group: int


class Press(Request, frozen=True):
    """A key by a role, without which nothing goes on."""

    key: str
    role: Rank


class Handling(Request, frozen=True):
    """Something that the dealer does with the cards before the next one is dealt, and tells by this key."""

    key: str


Window = NewType("Window", str)  # which of a game's decisions it is, such as before or after the flop


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody decides: by a key with its arguments after the place, or by chips on a spot."""

    key: str = ""
    args: tuple[str, ...] = ()
    spot: str = ""

    @property
    def text(self) -> str:
        """It in words, for people."""
        return " ".join((self.key or self.spot, *self.args))


class Choice(Request, frozen=True):
    """A decision of one bettor: by a key, or by chips on a spot."""

    place: str
    words: tuple[Decision, ...]  # those by a key
    spot: str = ""
    amount: int = 0
    duty: Cited | None = None  # what the dealer does when it is taken by chips
    amounts: tuple[int, ...] = ()  # what else the wager may be
    window: Window = Window("")

    @property
    def at(self) -> tuple[Window, Place]:
        """Where the round keeps the answer."""
        return self.window, self.place


class Turn(Request, frozen=True):
    """A player's turn at a game between players: to act, to post, to discard."""

    place: str
    what: str


class Settle(Request, frozen=True):
    """The dealer may settle these lines now."""

    lines: tuple[Line, ...]


Open: TypeAlias = tuple[Request, ...]
