"""The record of a tournament: terms, people, banks, places, tables, levels, sessions, presence, as plain data.

It is what its deeds come to, one after the other (`controller.tournament.desk`): a restart tells them again.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from controller.rules import Rule
from controller.table.documents import TournamentRules
from controller.tournament.bets import BetSizes
from controller.tournament.draw import TableSeat
from controller.tournament.items import BY_NAME
from controller.tournament.ranking import State
from controller.tournament.terms import TournamentTerms

Stage: TypeAlias = Literal["open", "running", "break", "over"]
Right: TypeAlias = Literal["secret", "all-in", "pass", "re-buy"]  # what a person may use so often in a session
Beaten: TypeAlias = Literal["", "bank", "session"]  # by what somebody went out: the bank, or others went on


class Struct(msgspec.Struct, omit_defaults=True):
    """State that changes only while a deed is followed, on a copy.  Amounts are cents, times milliseconds."""


class Entrant(Struct):
    """Somebody who has entered."""

    name: str
    entered: int  # who entered first has the lowest number
    employee: bool = False
    state: State = "in"
    rule: Rule = ""  # by which they are no longer in
    bank: int = 0
    seat: TableSeat | None = None
    was: TableSeat | None = None  # where somebody sat who has no place any more
    drawn: bool = False  # the seat was drawn for the session that comes
    rebuys: int = 0
    add_ons: int = 0
    spent: dict[str, int] = {}  # rights that were used in this session
    beaten: Beaten = ""
    out_at: int = 0  # a later one has the higher number; those of one round have the same
    bank_before: int = 0
    before_round: int = 0  # the bank before the last round
    refund: int = 0  # all that went back
    from_pool: int = 0  # of it, what was part of the pool
    substitute: str = ""  # who has taken over: nothing of this person counts any more
    warnings: int = 0


class CupTable(Struct):
    """A table that is designated for the tournament."""

    name: str
    places: int
    level: int = 1
    counted: int = 0  # rounds since the director set the level last
    played: int = 0  # rounds of this session
    running: int = 0  # the round that runs; 0: none
    practice: int = 0  # practice rounds that are left
    ended: bool = False  # for this session, by the director
    broken: bool = False
    idle: bool = False  # nobody was drawn to it
    recorded: int = 0  # the number of its last report
    last: int = 0  # the last round that has begun
    earlier: int = 0  # the last one of the sessions before this one
    out_at: int = 0  # when people went out who did in the last round
    least: int = 0  # the least wager of the last round
    bets: BetSizes | None = None  # of a fixed or spread game


class Tournament(Struct):
    """One tournament."""

    name: str
    game: str
    rules: TournamentRules
    terms: TournamentTerms
    now: int = 0  # the time of the last deed
    published: bool = False
    advised: bool = False
    briefed: bool = False
    unadvised: bool = False  # of a change
    starts: int = 0  # no session before this
    stage: Stage = "open"
    session: int = 0
    began: int = 0  # when this session did
    base: int = 1  # the level that the director set last
    since: int = 0  # and when
    present: bool = True  # the director
    deputies: dict[str, bool] = {}  # who was appointed, and whether they are present
    people: dict[str, Entrant] = {}  # by name, in the order of entry
    entries: int = 0
    tables: dict[str, CupTable] = {}  # in the order in which they were designated
    outs: int = 0  # how often somebody went out, or could have: each end of a round is one
    closed: int = 0  # when people went out who did not go on from the session that is over; 0: it runs
    seed: str = ""  # of the last draw; "": by order of entry
    final: bool = False

    # ---- what many ask

    def rule(self, below: str) -> Rule:
        """Returns the number of a rule in the document's chapter on tournaments."""
        return self.rules.at(below)

    def item(self, name: str) -> Rule:
        """Returns the rule that asks for this item of the terms; the nearest one where none does."""
        return BY_NAME[name].number(self.rules) or self.rule(".4")

    @property
    def started(self) -> bool:
        """Whether the first session has begun."""
        return self.session > 0

    @property
    def attended(self) -> bool:
        """Whether the director is present, or, where the document lets one stand in, a deputy (2.3(a))."""
        return self.present or (self.rules.deputies_stand_in and any(self.deputies.values()))

    @property
    def level(self) -> int:
        """The highest level of the tables that are in play."""
        return max((table.level for table in self.tables.values() if not table.broken), default=self.base)

    def playing(self, table: str = "") -> list[Entrant]:
        """Returns who is in, at this table or everywhere."""
        return [one for one in self.people.values() if one.state == "in" and (not table or sits_at(one, table))]

    def least(self, table: CupTable) -> int:
        """Returns the least wager at a table."""
        return self.terms.levels[table.level - 1].low

    def left(self, one: Entrant, right: Right) -> int:
        """Returns how often somebody may still use a right in this session."""
        terms = self.terms
        given = {"secret": terms.secret, "all-in": terms.all_in, "pass": terms.passes, "re-buy": terms.re_buys}
        return max(0, given[right] - one.spent.get(right, 0))

    def table_of(self, one: Entrant) -> CupTable | None:
        """Returns the table at which somebody sits."""
        return None if one.seat is None else self.tables.get(one.seat.table)

    def level_of(self, one: Entrant) -> int:
        """Returns the level of the table at which somebody sits."""
        table = self.table_of(one)
        return self.level if table is None else table.level


def sits_at(one: Entrant, table: str) -> bool:
    """Tells whether somebody sits at this table."""
    return one.seat is not None and one.seat.table == table


# ---- buying back


def may_rebuy(cup: Tournament, one: Entrant) -> bool:
    """Tells whether somebody who is out may buy back for the price."""
    window = cup.level_of(one) <= cup.terms.rebuy_until
    return _beaten(cup, one) and window and one.rebuys < cup.terms.rebuys


def may_use_marker(cup: Tournament, one: Entrant) -> bool:
    """Tells whether somebody who is out may buy back with a marker."""
    return _beaten(cup, one) and cup.left(one, "re-buy") > 0


def may_buy_back(cup: Tournament, one: Entrant) -> bool:
    """Tells whether somebody who is out may come back: until then the place is theirs."""
    return may_rebuy(cup, one) or may_use_marker(cup, one)


def _beaten(cup: Tournament, one: Entrant) -> bool:
    """Tells whether somebody went out by the bank and still has the place: it is kept for who may buy back."""
    return cup.stage == "running" and one.state == "out" and one.beaten == "bank" and one.seat is not None
