"""The options that games against the house have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, Self

import msgspec
from msgspec import UNSET, UnsetType

from controller.jackpot import linking
from controller.jackpot.rules import Jurisdiction, Terms
from controller.rules import Cited, Objection, first_of
from controller.table.options import OfJackpot, Options, Shoe, fields
from controller.table.takes import TakesOption
from controller.table.values import Colours, Count, Money, MoneyOrNothing, Name, Share


class House(Options, frozen=True, kw_only=True):
    """A table where people play against the house."""

    max_payout: Annotated[Money | UnsetType | None, "the most that a line marked so is paid"] = UNSET
    unit: Annotated[
        Money | UnsetType | None, "the unit in which wagers are made above the minimum; unset or `none`: any amount"
    ] = UNSET
    shoe: Annotated[Shoe, "how cards are shuffled"] = "hand"
    announce: Annotated[
        Literal["last-card", "key"],
        '"after the announcement" and "after looking" begin with the last card, or only with the key',
    ] = "last-card"
    takes: Annotated[
        TakesOption | UnsetType,
        "takes and pays are compared with the sensors: `watch` tells a supervisor, `hold` also holds the next bets",
    ] = UNSET
    backs: Annotated[Colours, "backs of the two decks of a machine"] = ("red", "blue")

    @property
    def payout_limit(self) -> int | None:
        """Returns the most that a line marked so is paid; None when there is no such limit."""
        return None if self.max_payout is UNSET else self.max_payout

    @property
    def deck_backs(self) -> tuple[str, ...]:
        """The backs of every deck that is here at one time: a machine for one deck has two, one of them in use."""
        return self.backs if self.shoe != "hand" and self.decks == 1 else ("",) * self.decks

    @property
    def unit_of_wagers(self) -> int:
        """Returns the unit in which wagers are made above the minimum; 0 when the sign states none."""
        return 0 if self.unit is UNSET or self.unit is None else self.unit

    @property
    def same_backs(self) -> bool:
        """Tells whether the two decks of a machine look alike."""
        first, second = self.backs
        return first == second

    def one_colour(self, rule: str) -> Objection:
        """Returns the objection to decks of a machine that look alike."""
        return Objection(("backs", "shoe"), Cited(rule, "the two decks have backs of different colours"))

    def slips(self) -> Iterator[Objection]:
        """Yields what no rule forbids and yet nobody means."""
        yield from super().slips()
        if self.same_backs:
            yield self.one_colour("")


class JackpotHouse(House, frozen=True, kw_only=True):
    """A table that may offer a Jackpot; each document has its own `kind`."""

    kind: ClassVar[Jurisdiction]

    jackpot: Annotated[Jurisdiction | None, OfJackpot, "a Jackpot is offered, by the rules of Sydney or Melbourne"] = (
        None
    )
    jackpot_option: Annotated[Count, OfJackpot, "number of the printed pay table"] = 1
    jackpot_reset: Annotated[Money, OfJackpot, "what the meter starts from, for a wager of 1"] = 20_000_00
    jackpot_cost: Annotated[MoneyOrNothing, OfJackpot, "what a Jackpot wager costs"] = 5_00
    jackpot_rate: Annotated[Share | UnsetType, OfJackpot, "the rate printed for this option and reset; checked"] = UNSET
    # One table or a group of them, and never two groups (002 11.2.1(a), 11.2.1(c); 003 9.1.1(a), 9.1.1(c)).
    jackpot_group: Annotated[
        Name | UnsetType | None,
        OfJackpot,
        "the prize meter system, which tables of the same name share; `none`: no system",
    ] = UNSET

    @property
    def terms(self) -> Terms | None:
        """Returns what the Jackpot is played by; None when none is offered, or the table is in no system."""
        if self.jackpot is None or self.jackpot_group is None:
            return None
        return Terms(self.jackpot, self.jackpot_option, self.jackpot_reset // 100, self.jackpot_cost)

    @property
    def group(self) -> str:
        """Returns the prize meter system that the table shares; "" for one of its own, or none."""
        return self.jackpot_group or ""

    def jackpot_objections(self, game: str, systems: Mapping[str, linking.System]) -> Iterator[Objection]:
        """Yields what the rules have against this Jackpot, beside these systems of other tables."""
        return linking.objections(game, self.kind, self, systems)

    def slips(self) -> Iterator[Objection]:
        """Yields what no rule forbids and yet nobody means: also what is said of a Jackpot that is not offered."""
        yield from super().slips()
        if self.jackpot is not None:
            return
        usual, text = type(self)(), f'no Jackpot is offered here: add jackpot = "{self.kind}", or remove this'
        for field in fields(type(self)).values():
            differs = getattr(self, field.attribute) != getattr(usual, field.attribute)
            if field.of_jackpot and differs:
                yield Objection((field.name, "jackpot"), Cited("", text))

    def misprinted(self) -> str:
        """Returns why the document does not print the Jackpot's option and reset together; "" when it does."""
        kind = self.jackpot or self.kind
        wrong = first_of(linking.misprinted(kind, self.jackpot_option, self.jackpot_reset, None))
        return "" if wrong is None else wrong.text

    def reprinted(self) -> Self:
        """Returns the same, with the rate that the document prints for the Jackpot's option and reset."""
        terms = self.terms
        if terms is None or self.misprinted():
            return self
        return msgspec.structs.replace(self, jackpot_rate=100 * terms.rate)
