"""What the record tells a table: who plays there with which bank, by which level, and whether a round may open."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from controller.rules import Cited
from controller.table.facts import TournamentSeat, TournamentTold
from controller.tournament.draw import TableSeat
from controller.tournament.record import CupTable, Entrant, Right, Tournament
from controller.tournament.sessions import session_over_at

RIGHTS: tuple[Right, ...] = ("secret", "all-in", "pass")  # those that a table itself uses up

FREED = TournamentTold("")


def standing(latest: TournamentTold) -> TournamentTold:
    """Returns how the tournament stands, without the answer to who asked for something."""
    return replace(latest, refused="", refused_rule="", answered=0)


def news(cup: Tournament, name: str) -> TournamentTold:
    """Returns how the tournament stands, as far as this table is concerned."""
    table = cup.tables.get(name)
    if table is None:
        return FREED
    why, level = shut(cup, table), cup.terms.levels[table.level - 1]
    return TournamentTold(
        cup.name,
        session=cup.session,
        level=table.level,
        least=level.low,
        most=level.high,
        practice=not cup.started,
        shut=why is not None,
        rule=why.rule if why is not None else "",
        why=why.text if why is not None else "",
        seats=tuple(_seats(cup, name)),
        forfeits=cup.terms.absence == "forfeit",
        recorded=table.recorded,
        blinds=level.blinds,
    )


def shut(cup: Tournament, table: CupTable) -> Cited | None:
    """Returns why no new round may open at a table; None when one may."""
    if cup.final:
        return Cited(cup.rule(cup.rules.final), "the prizes were awarded")
    if cup.stage == "open":
        return _before_the_start(cup, table)
    if cup.stage != "running":
        return Cited(cup.item("hands"), "the session is over" if cup.stage == "break" else "the tournament is over")
    if session_over_at(cup, table):
        return Cited(cup.item("hands"), "the session is over at this table")
    return _absence(cup)


def _before_the_start(cup: Tournament, table: CupTable) -> Cited | None:
    if not table.practice:
        return Cited(cup.rule(".3"), "the tournament has not started")
    return _absence(cup)


def _absence(cup: Tournament) -> Cited | None:
    return None if cup.attended else Cited(cup.rule(".2.3"), "the director is not present")


def _seats(cup: Tournament, table: str) -> Iterator[TournamentSeat]:
    """Yields who plays at a table, and who has played where nobody plays now."""
    taken = set[int]()
    for one in cup.people.values():
        if one.seat is not None and one.seat.table == table:
            taken.add(one.seat.place)
            yield _seat(cup, one, one.seat)
    for one in cup.people.values():
        was = one.was if one.seat is None else None
        if was is not None and was.table == table and was.place not in taken:
            taken.add(was.place)
            yield _seat(cup, one, was)


def _seat(cup: Tournament, one: Entrant, seat: TableSeat) -> TournamentSeat:
    bank = one.bank if cup.started else cup.terms.bank  # on loan, for practice
    left: dict[str, int] = {right: cup.left(one, right) for right in RIGHTS if cup.left(one, right)}
    return TournamentSeat(str(seat.place), one.name, bank, one.rule, left)
