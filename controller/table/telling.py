"""What a game tells of its rounds, as plain data: the cards as they lie, the settlement, and how people say it.

A game says here what its rules have turned; whether anybody may see a card is decided in `controller.views` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

import msgspec

from controller.money import Odds, short
from controller.table.options import Chosen
from controller.table.state import Burn, Line

COMMUNITY: Final = "community"  # where the cards lie that belong to everybody
BURN: Final = "burn"  # where burned cards lie

Hands: TypeAlias = dict[str, list[str]]  # cards by place


class Called(NamedTuple):
    """What people call things at a table of this game."""

    place: str = "area"
    round: str = "round"
    bets: str = "bets"  # what is placed at the gate of this name


class Verdict(msgspec.Struct, frozen=True):
    """What the dealer's hand is, and whether it qualifies, by which rule."""

    hand: str
    qualifies: bool
    rule: str


class Lying(msgspec.Struct, frozen=True):
    """The cards of a round as they lie there, seen or unseen."""

    hands: Hands = {}
    hidden: frozenset[tuple[str, int]] = frozenset()  # place and number of each card that the rules have not turned
    aside: tuple[str, ...] = ()  # cards face down in nobody's hand
    burns: tuple[Burn, ...] = ()
    held: int = 0  # cards that are out and will be used as the next ones
    handed_in: frozenset[str] = frozenset()  # places whose cards went back unseen
    verdict: Verdict | None = None  # on the dealer's hand, where that is a question
    left: tuple[tuple[str, bool], ...] = ()  # as the cards left the shoe, and whether everybody sees each; (): by name
    open_by: Mapping[tuple[str, int], str] = {}  # the rule by which a card lies open or was turned, by place and number
    left_by: tuple[str, ...] = ()  # the same for each of `left`; "" for one that is hidden


class Pot(msgspec.Struct, frozen=True):
    """Chips that the same players contested: `amount` is before commission, `won` after."""

    amount: int
    eligible: tuple[str, ...]
    won: Mapping[str, int]


class Shared(msgspec.Struct, frozen=True):
    """How chips were divided that players wagered against each other."""

    pots: tuple[Pot, ...]
    rake: int
    returned: Mapping[str, int]  # to whom nobody had called, or whom a ruling gave it back
    net: Mapping[str, int]  # the change of each player's chips; nothing before the end
    began: Mapping[str, int] = {}  # the stake of each when cards were dealt, what was posted with it
    button: str = ""
    dead: int = 0  # chips in the pot that were no live bet


class Settlement(msgspec.Struct, frozen=True):
    """How a round stands: lines of wagers against the house, pots of players against each other."""

    lines: list[Line]  # in the order in which the dealer settles; "open": at stake
    shared: Shared | None = None


class InWords(msgspec.Struct, frozen=True):
    """A round in the words of its game."""

    names: Mapping[str, str] = {}  # of the hands by place, of those that are seen whole
    decisions: Mapping[str, list[str]] = {}  # by place, in the order in which they were made
    pays: tuple[str, ...] = ()  # how each line of the settlement was paid; "" where there is nothing to tell


def in_odds(line: Line, odds: Odds, options: Chosen, hand: str = "", table: str = "") -> str:
    """Returns how a won wager is paid, such as "straight pays 4 to 1, table 1".

    `hand`: what it was paid for; `table`: the pay table, as its document calls it.
    Options may have changed since: odds that did not give this payment are not told.
    """
    due = odds.pay(line.stake, options.typed.chip)
    capped = due > line.net == options.typed.payout_limit
    if due != line.net and not capped:
        return ""
    limit = f", at most {short(line.net)}" if capped else ""
    where = f", table {table}" if table else ""
    return f"{hand} pays {odds.to} to {odds.one}{where}{limit}".lstrip()


def won_by_odds(line: Line) -> bool:
    """Tells whether a wager was won and paid by odds, not by a prize."""
    return line.result == "win" and bool(line.stake) and not line.prize
