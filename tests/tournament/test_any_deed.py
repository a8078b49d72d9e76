"""Any deed at any moment: nothing raises, a refusal changes nothing, and the record always adds up."""

from __future__ import annotations

from random import Random

import pytest

from controller.rules import ROLES
from controller.tournament.deeds import (
    AnyDeed,
    DeskKey,
    GotUp,
    MarkerUsed,
    PeopleEntered,
    PlaceDrawn,
    Substituted,
    TableDesignated,
    TableFreed,
    TableReported,
    TimePassed,
    Withdrew,
)
from controller.tournament.keys import DESK_KEYS
from controller.tournament.news import news
from controller.tournament.record import Tournament
from controller.tournament.reports import BeganReport, EndedReport
from controller.tournament.standing import everybody, pool
from tests.searches import times
from tests.table.any_facts import JUNK
from tests.tournament.desks import Desk

NAMES = ("Ann", "Bob", "Cy", "Dan", "Eve")
TABLES = ("T1", "T2", "T9")
TERMS: tuple[dict[str, str], ...] = (
    {},
    {"hands": "2", "sessions": "3", "progress": "2", "rebuys": "2", "rebuy_until": "2", "levels": "10-50/20-60"},
    {"hands": "10m", "level_every": "2m", "levels": "10-50/20-60/30-90", "add_ons": "1", "substitute": "always"},
    {"re_buy": "1", "gates": "manual", "chips_after": "cash", "shares": "50%,30%,20%", "charity": "on"},
)


def words(r: Random) -> tuple[str, ...]:
    known = (*NAMES, *TABLES, "1", "2", "7", "warning", "agreed", "5m", "5000", *JUNK)
    return tuple(r.choice(known) for _ in range(r.randint(0, 3)))


def key(r: Random) -> DeskKey:
    """A key of the desk: mostly as it is written, by the director."""
    role = "tournament-director" if r.random() < 0.9 else r.choice((*ROLES, ""))
    likely = ("start", "start", "publish", "advise", "briefed", "present", f"rebuy {r.choice(NAMES)}", "level 2")
    sensible = (*likely, f"retire {r.choice(NAMES)}", f"penalty {r.choice(NAMES)} 30", f"move {r.choice(NAMES)} T2")
    if r.random() < 0.7:
        name, *args = r.choice(sensible).split()
        return DeskKey(name, tuple(args), role)
    return DeskKey(r.choice((*(key.name for key in DESK_KEYS), "jump")), words(r), role)


def report(r: Random, desk: Desk) -> TableReported:
    table = r.choice(TABLES)
    number = desk.number(table) if r.random() < 0.9 else r.choice((0, -1, 5))
    if r.random() < 0.4:
        desk.rounds[table] = number
        return TableReported(table, BeganReport(number, number))
    nets = {name: 100 * r.randint(-80, 80) for name in (*NAMES, "Zoe") if r.random() < 0.7}
    used: dict[str, tuple[str, ...]] = {r.choice(NAMES): (r.choice(("secret", "pass", "all-in", "x")),)}
    rounds = r.choice((1, 1, 0, -1))
    last = desk.rounds.get(table, 1)
    return TableReported(table, EndedReport(number, last, nets, used, r.random() < 0.1, rounds, r.random() < 0.3))


def deed(r: Random, desk: Desk) -> AnyDeed:
    choice = r.random()
    if choice < 0.5:
        return key(r)
    if choice < 0.75:
        return report(r, desk)
    one, other, place = r.choice((*NAMES, "Zoe")), r.choice((*NAMES, "Zoe")), r.choice((1, 2, 7, 0, -1, 99))
    return r.choice(
        (
            PeopleEntered((one, other), r.random() < 0.2),
            Withdrew(one),
            Substituted(one, other),
            TableDesignated(r.choice(TABLES), r.choice(("casino-war", "holdem")), r.choice((1, 3, 7)), ()),
            TableFreed(r.choice(TABLES)),
            PlaceDrawn(r.choice(TABLES), place, one),
            MarkerUsed(r.choice(TABLES), place),
            GotUp(r.choice(TABLES), place),
            TimePassed(),
        )
    )


def adds_up(cup: Tournament) -> None:
    stands = everybody(cup)
    assert all(one.bank >= 0 for one in stands)
    paid = sum(one.prize for one in stands)
    cash = sum(one.bank for one in stands) if cup.terms.chips_after == "cash" else 0
    assert paid <= pool(cup) + cash
    assert [one.place for one in stands if one.state in ("disqualified", "withdrawn")].count(None) == sum(
        one.state in ("disqualified", "withdrawn") for one in stands
    )
    seats = [(one.seat.table, one.seat.place) for one in stands if one.seat is not None]
    assert len(seats) == len(set(seats)), "two people at one place"
    assert cup.stage != "running" or all(one.seat is not None for one in stands if one.state == "in")
    for table in (*cup.tables, "T9"):
        seated = [seat.place for seat in news(cup, table).seats]
        assert len(seated) == len(set(seated))


@pytest.mark.parametrize("terms", range(len(TERMS)))
def test_any_deed_is_done_or_refused(terms: int) -> None:
    stages = set()
    for seed in range(times(6)):
        r = Random(1000 * terms + seed)
        desk = Desk(tables=2, people="" if terms == 3 else "Ann Bob Cy Dan", **{"bank": "100", **TERMS[terms]})
        for _ in range(150):
            desk.at += r.choice((0, 0, 30_000, 120_000))
            made = deed(r, desk)
            before = desk.cup
            if desk.do(made):
                assert desk.cup.people == before.people or desk.cup.now > before.now
            adds_up(desk.cup)
            stages.add(desk.stage())
    assert "running" in stages
