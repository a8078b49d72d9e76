"""What came of a table, as typed data: the JSON of a run (docs/scripts.md), with money as Decimal in dollars."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from controller.rules import Outcome, Standing


class PlayedWager(msgspec.Struct, frozen=True):
    """What became of one wager; `net` is the change of the player's chips because of it."""

    area: int
    player: int
    spot: str
    stake: Decimal
    result: Standing
    net: Decimal
    rule: str | None = None
    surplus: Decimal = Decimal(0)
    token: str = ""


class WonPrize(msgspec.Struct, frozen=True):
    """A prize of the Jackpot."""

    area: int
    hand: str
    prize: Decimal
    rule: str


class PlayedJackpot(msgspec.Struct, frozen=True):
    """The prize meter in a round."""

    before: Decimal
    at_settlement: Decimal
    rounded: Decimal
    prizes: tuple[WonPrize, ...]
    house: Decimal
    after: Decimal


class PlayedPot(msgspec.Struct, frozen=True):
    """A pot of Crown Poker: `amount` before commission, `won` after it, by seat."""

    amount: Decimal
    eligible: tuple[str, ...]
    won: dict[str, Decimal]


class DealerHand(msgspec.Struct, frozen=True):
    """The dealer's hand."""

    hand: str
    qualifies: bool


class PlayedRound(msgspec.Struct, frozen=True):
    """A round as far as it got; hands are there when it is over, and what stayed face down is `??`."""

    number: int
    outcome: Outcome | str
    wagers: tuple[PlayedWager, ...]
    rule: str | None = None
    hands: dict[str, tuple[str, ...]] = {}
    dealer: DealerHand | None = None
    jackpot: PlayedJackpot | None = None
    pots: tuple[PlayedPot, ...] = ()
    rake: Decimal = Decimal(0)
    returned: dict[str, Decimal] = {}
    net: dict[str, Decimal] = {}
    held: int = 0

    def wager(self, area: int, spot: str, player: int = 1) -> PlayedWager:
        """Returns what became of this wager; LookupError when there was none."""
        for wager in self.wagers:
            if (wager.area, wager.spot, wager.player) == (area, spot, player):
                return wager
        raise LookupError(f"no wager on {spot} of area {area} in round {self.number}")


class ShownGate(msgspec.Struct, frozen=True):
    """Whether something may happen now; when not, by which rule."""

    open: bool
    rule: str | None = None


class ShownTable(msgspec.Struct, frozen=True):
    """What a table shows now: lamps (on, off, or the places), gates, sign, prize meter."""

    open: bool
    lamps: dict[str, str | tuple[str, ...]] = {}
    gates: dict[str, ShownGate] = {}
    sign: dict[str, str] = {}
    notices: tuple[dict[str, Any], ...] = ()
    meter: Decimal | None = None
    slide: Decimal | None = None
    drop: Decimal | None = None
    list: tuple[str, ...] = ()


class ToldRefusal(msgspec.Struct, frozen=True):
    """What a table refused, and why."""

    what: str
    why: str
    rule: str | None = None


class ToldPrompt(msgspec.Struct, frozen=True):
    """What a table told somebody."""

    role: str
    text: str
    rule: str | None = None
    place: str = ""
    offers: tuple[str, ...] = ()


class LineAnswer(msgspec.Struct, frozen=True):
    """How a table answered one deed."""

    refusals: tuple[ToldRefusal, ...] = ()
    prompts: tuple[ToldPrompt, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether nothing was refused."""
        return not self.refusals
