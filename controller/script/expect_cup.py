"""Expectations of tournaments: banks, players, places, prizes, refunds, the pool, levels, secret wagers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.money import dollars
from controller.rules import by
from controller.script import model
from controller.script.cited import fits
from controller.script.expect_crown import Check
from controller.script.record import RunRecord
from controller.table.state import Table
from controller.tournament.play import play_in
from controller.tournament.record import Tournament
from controller.tournament.standing import Stands, everybody, pool

NO_TOURNAMENT: Final = "there is no tournament here"
NOBODY: Final = "nobody of this name has entered"


def _cup(record: RunRecord, line: model.ExpectLine) -> Tournament | None:
    desk = record.desks.at(line.table) if record.desks is not None else None
    return None if desk is None else desk.cup


def _of_cup(check: Callable[[Any, Tournament], str]) -> Check:
    """Returns a check of the tournament that the line is about."""

    def look(line: model.ExpectLine, record: RunRecord, table: Table) -> str:
        cup = _cup(record, line)
        return NO_TOURNAMENT if cup is None else check(line, cup)

    return look


def _of_person(check: Callable[[Any, Stands], str]) -> Check:
    """Returns a check of how one person stands."""

    def look(line: Any, cup: Tournament) -> str:
        stands = next((one for one in everybody(cup) if one.name == line.person), None)
        return NOBODY if stands is None else check(line, stands)

    return _of_cup(look)


def _amount(wanted: int, amount: int) -> str:
    return "" if amount == wanted else dollars(amount)


def _bank(line: model.ExpectBank, one: Stands) -> str:
    return _amount(line.cents, one.bank)


def _player(line: model.ExpectPlayer, one: Stands) -> str:
    sits = one.seat is not None and (one.seat.table, one.seat.place) == (line.at, line.seat)
    if one.state == line.state and (sits or not line.at) and fits(one.rule, line.by):
        return ""
    where = f" at {one.seat.table} {one.seat.place}" if one.seat is not None else ""
    return f"{one.state}{where}{by(one.rule)}"


def _placing(line: model.ExpectPlacing, one: Stands) -> str:
    return "" if one.place == line.place else str(one.place or "none")


def _prize(line: model.ExpectPrize, one: Stands) -> str:
    return _amount(line.cents, one.refund if line.refund else one.prize)


def _pool(line: model.ExpectPool, cup: Tournament) -> str:
    return _amount(line.cents, pool(cup))


def _level(line: model.ExpectLevel, record: RunRecord, table: Table) -> str:
    cup = _cup(record, line)
    if cup is None:
        return NO_TOURNAMENT
    at = cup.tables.get(line.table)
    level = cup.level if at is None else at.level
    return "" if level == line.level else f"level {level}"


def _tournament(line: model.ExpectTournament, cup: Tournament) -> str:
    return "" if cup.stage == line.stage else cup.stage


def _secret(line: model.ExpectSecret, record: RunRecord, table: Table) -> str:
    own = play_in(table)
    covered = own.covered.get(str(line.place)) if own is not None else None
    lies = covered is not None and any(spot.spot == line.spot and spot.amount for spot in covered.spots)
    return "" if lies else "no secret wager lies there"


CUP_CHECKS: Final[dict[type[model.ExpectLine], Check]] = {
    model.ExpectBank: _of_person(_bank),
    model.ExpectPlayer: _of_person(_player),
    model.ExpectPlacing: _of_person(_placing),
    model.ExpectPrize: _of_person(_prize),
    model.ExpectPool: _of_cup(_pool),
    model.ExpectLevel: _level,
    model.ExpectTournament: _of_cup(_tournament),
    model.ExpectSecret: _secret,
}
