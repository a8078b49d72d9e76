"""The options of Crown Poker (document 000)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Final, Literal

import msgspec

from controller.hands import Category
from controller.money import cents, short
from controller.poker.words import STRUCTURED, Limit
from controller.rules import Cited, Objection
from controller.table.options import Options
from controller.table.state import Table
from controller.table.values import (
    MOST_CENTS,
    Amounts,
    Bound,
    Count,
    Duration,
    Form,
    Money,
    Switch,
    TwoAmounts,
    Unwritable,
    matched,
    millionths,
    percent,
    within,
)

RATES: Final = range(20_000, 100_001)  # 7.2.1: 2 % to 10 %, in millionths
_OUTCOMES: Final = frozenset(category.name.lower().replace("_", "-") for category in Category)
_OTHER_NAMES: Final = {"one-pair": "pair", "no-pair": "high-card"}  # as the document names them (3.2.2)

RakeMethod = Literal["percent", "per-hand", "per-person", "time"]
FROM_THE_POT: Final[tuple[RakeMethod, ...]] = ("percent", "per-hand")


# ---- commission


class Rake(msgspec.Struct, frozen=True):
    """The commission of the house: a share of the pot, or amounts by number of players."""

    share: int | None = None  # millionths
    steps: tuple[tuple[int, int], ...] = ()  # from so many players on (0: from any number), so many cents

    @property
    def nothing(self) -> bool:
        """Whether no commission is charged (7.4), however that is written."""
        return not self.share if self.share is not None else self.steps == ((0, 0),)

    def fee(self, players: int) -> int:
        """Returns the amount for so many players (7.2.3(b)).

        >>> [read_rake("2:3,5:5").fee(players) for players in (1, 4, 5)], read_rake("0%").fee(5)
        ([0, 300, 500], 0)
        """
        steps = sorted(self.steps, reverse=True)
        return next((amount for least, amount in steps if players >= least), 0)


def read_rake(text: str) -> Rake:
    """Returns the rake of a text: a percentage, an amount, or amounts by number of players."""
    if text.endswith("%"):
        return Rake(share=millionths(text))
    if ":" not in text:
        return Rake(steps=((0, _fee(text)),))
    pairs = [part.partition(":") for part in text.split(",")]
    return Rake(steps=tuple((_players(players), _fee(amount)) for players, _, amount in pairs))


def _players(text: str) -> int:
    return int(matched("[1-9][0-9]{0,8}", text))


def _fee(text: str) -> int:
    amount = cents(matched(r"[0-9]{1,15}(\.[0-9]{1,2})?", text))
    if amount > MOST_CENTS:
        raise Unwritable(text)
    return amount


def _written_rake(rake: Rake) -> str:
    if rake.share is not None:
        return percent(rake.share)
    return ",".join(f"{least}:{short(fee)}" if least else short(fee) for least, fee in rake.steps)


# ---- bonus prizes


class Bonus(msgspec.Struct, frozen=True):
    """Prizes by qualifying hand (rule 11), in cents."""

    prizes: tuple[tuple[str, int], ...] = ()
    twice: tuple[str, ...] = ()  # what was written again, by whichever name

    def prize(self, outcome: str) -> int:
        """Returns what the sign promises for this hand; 0: nothing."""
        return next((prize for hand, prize in self.prizes if _outcome(hand) == outcome), 0)


def _outcome(hand: str) -> str:
    return _OTHER_NAMES.get(hand, hand)


def _read_bonus(text: str) -> Bonus:
    pairs = [part.partition(":") for part in text.split(",")]
    prizes = {matched("[a-z][a-z-]*", hand): _fee(amount) for hand, _, amount in pairs}
    named = [_outcome(hand) for hand, _, _ in pairs]
    twice = tuple(hand for n, (hand, _, _) in enumerate(pairs) if _outcome(hand) in named[:n])
    return Bonus(tuple(prizes.items()), twice)


def _written_bonus(bonus: Bonus) -> str:
    return ",".join(f"{hand}:{short(prize)}" for hand, prize in bonus.prizes)


def _promised(bonus: Bonus | None) -> str:
    """Returns what is wrong with the bonus prizes; "" for nothing: only hands that exist qualify (11.2)."""
    unknown = [hand for hand, _ in bonus.prizes if _outcome(hand) not in _OUTCOMES] if bonus is not None else []
    return f"no hand is a {unknown[0]}: name one such as royal-flush" if unknown else ""


def _worth_something(bonus: Bonus) -> str:
    return "" if all(prize for _, prize in bonus.prizes) else "must be more than nothing"


_RAKE: Final = Form(
    'a percentage "5%", an amount "3", or amounts by number of players "2:3,5:5"', read_rake, _written_rake
)
_BONUS: Final = Form('prizes by hand, such as "royal-flush:500"', _read_bonus, _written_bonus)


# ---- the options


class CrownOptions(Options, frozen=True, kw_only=True):
    """A table where people play against each other."""

    seats: Annotated[Count, within(2, 11, "this game has two to 11 players", "4.1")] = 11
    limit: Annotated[Limit, "how much may be bet"] = "no-limit"
    bets: Annotated[TwoAmounts, "`fixed`: the two bet sizes; `spread`: the least and the most"] = (10_00, 20_00)
    blinds: Annotated[Amounts, "the compulsory blinds, in the order of posting"] = (5_00, 10_00)
    button: Annotated[Count | None, "the seat of the first button; `none`: the one at the dealer's right"] = None
    straddle: Annotated[Switch, "whether a straddle is permitted"] = False
    over_blinds: Annotated[Switch, "whether over-blinds are permitted"] = False
    buy_in: Annotated[Money | None, "the least to sit down with"] = None
    rake_method: Annotated[RakeMethod, "from what the commission is taken"] = "percent"
    rake: Annotated[Rake, _RAKE, "`5%`; a fixed amount `3`; `2:3,5:5`: 3 from two players on, 5 from five on"] = Rake(0)
    cap: Annotated[Money | None, "the most that is taken from a hand"] = None
    act_time: Annotated[Duration | None, "the time to act, such as `30s`"] = None
    extra_time: Annotated[Duration | None, "how much more time may be bought"] = None
    extra_times: Annotated[Count | None, "how often, in a hand"] = None
    extra_fee: Annotated[Money | None, "for what; the fee comes off the stake when the hand is over"] = None
    bonus: Annotated[
        Annotated[Bonus, _BONUS, Bound(_worth_something)] | None,
        Bound(_promised, "11.2"),  # 11.1: in cash
        "prizes by hand, such as `royal-flush:500,four-of-a-kind:50`; only hands that exist (3.2.2)",
    ] = None

    @property
    def last_blind(self) -> int:
        """The largest blind."""
        return self.blinds[-1]

    @property
    def least(self) -> Mapping[str, int]:
        """The minimum on the sign, the last compulsory blind, and in fixed and spread games the lower bet.

        s66(2), AMB-CP-04, AMB-CP-33.
        """
        bets = {"bets": self.bets[0]} if self.limit in STRUCTURED else {}
        return {"min": self.min, "blinds": self.last_blind, **bets}

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together."""
        small, large = self.bets
        by_bets = self.limit in STRUCTURED
        if self.last_blind < (small if by_bets else self.min):
            text = "the last blind is at least the table minimum of the first betting round"
            yield Objection(("blinds", "bets" if by_bets else "min", "limit"), Cited("6.4", text))
        if small > large:
            rule = "6.8" if self.limit == "spread" else "6.1.1"
            yield Objection(("bets", "limit"), Cited(rule, "the smaller of two bets comes first"))
        if any(low > high for low, high in pairwise(self.blinds)):
            yield Objection(("blinds",), Cited("8.9.2", "the last blind is the largest"))
        if len(self.blinds) > self.seats:
            yield Objection(("blinds", "seats"), Cited("8.9.2", "there are more blinds than seats"))
        if self.button is not None and self.button > self.seats:
            yield Objection(("button", "seats"), Cited("4.1", "the button lies at a seat of the table"))
        if (commission := self.commission_forbidden()) is not None:
            yield Objection(("rake", "rake-method"), commission)

    def slips(self) -> Iterator[Objection]:
        """Yields what no rule forbids and yet nobody means."""
        yield from super().slips()
        for hand in self.bonus.twice if self.bonus is not None else ():
            yield Objection(("bonus",), Cited("", f"{hand} stands twice: name each hand once"))

    def commission_forbidden(self) -> Cited | None:
        """Returns what the rules have against this rake by this method; None when nothing."""
        if self.rake.nothing:
            return None  # 7.4, by whichever method
        share = self.rake.share
        if self.rake_method != "percent":
            rules = {"per-hand": "7.2.3", "per-person": "7.2.4", "time": "7.2.2"}
            return None if share is None else Cited(rules[self.rake_method], f"the fee {self.rake_method} is an amount")
        if share is None:
            return Cited("7.2.1", "a percentage is written as 5%")
        return None if share in RATES else Cited("7.2.1", "the commission is 2 % to 10 %")


class OmahaOptions(CrownOptions, frozen=True, kw_only=True):
    """A table with four cards to a hand: it has a seat less."""

    seats: Annotated[Count, within(2, 10, "this game has two to 10 players", "4.1")] = 10


def crown(t: Table) -> CrownOptions:
    """Returns the options of a poker table."""
    return t.options.of(CrownOptions)
