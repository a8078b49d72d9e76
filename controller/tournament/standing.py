"""How a tournament stands: places, prizes, refunds, the pool.  Reads only."""

from __future__ import annotations

import msgspec

from controller.rules import Rule
from controller.tournament import prizes as division
from controller.tournament import ranking
from controller.tournament.draw import TableSeat
from controller.tournament.ranking import State
from controller.tournament.record import Entrant, Tournament


class Stands(msgspec.Struct, frozen=True):
    """How one person stands; amounts in cents."""

    name: str
    state: State
    rule: Rule
    seat: TableSeat | None
    bank: int
    place: int | None
    prize: int
    refund: int


def pool(cup: Tournament) -> int:
    """Returns the prize pool as it stands."""
    terms = cup.terms
    return division.pool(
        terms.pool,
        [
            division.Payments(terms.buy_in, one.rebuys * terms.rebuy, one.add_ons * terms.add_on, one.from_pool)
            for one in _counted(cup)
        ],
    )


def _counted(cup: Tournament) -> list[Entrant]:
    return [one for one in cup.people.values() if not one.substitute]


def places(cup: Tournament) -> dict[str, int]:
    """Returns everybody's place as it stands."""
    return ranking.places(
        ranking.Contestant(one.name, one.state, one.bank, one.out_at, one.bank_before) for one in _counted(cup)
    )


def prizes(cup: Tournament) -> dict[str, int]:
    """Returns what everybody gets, as it stands."""
    winners = [_winner(cup, cup.people[name], place) for name, place in places(cup).items()]
    cash = cup.terms.chips_after == "cash"
    return division.prizes(pool(cup), cup.terms.shares, winners, cash).won


def _winner(cup: Tournament, one: Entrant, place: int) -> division.Prizewinner:
    passed_over = one.employee and not cup.rules.employees_win
    return division.Prizewinner(one.name, place, one.entered, passed_over, one.bank)


def everybody(cup: Tournament) -> list[Stands]:
    """Returns how everybody stands, in the order of entry."""
    placed, won = places(cup), prizes(cup)
    return [
        Stands(
            one.name, one.state, one.rule, one.seat, one.bank, placed.get(one.name), won.get(one.name, 0), one.refund
        )
        for one in cup.people.values()
    ]
