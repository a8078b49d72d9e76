"""A tournament at a simulated table with its pages, and people who run it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.service.tournament_door import head_of
from controller.service.tournaments import Tournaments
from controller.table.facts import CardOut, Chips, Key, Spot
from tests.daemon.test_tournament import ONE_TABLE
from tests.service.clocks import Table
from tests.web.desk import PIN, table_at

DIRECTOR, DEPUTY, MANAGER = "3001", "3002", "3003"
CUP = "Spring Cup"


def people() -> Roster:
    """Who runs a tournament, with badges that a pad of digits can enter."""
    pin = hashed(PIN, 8, 1)
    return Roster(
        (
            Employee("Desk One", DIRECTOR, ("tournament-director",), pin),
            Employee("Desk Two", DEPUTY, ("deputy",), pin),
            Employee("Floor Nine", MANAGER, ("area-manager",), pin),
        )
    )


@asynccontextmanager
async def cup_at(directory: Path, seats: int = 7) -> AsyncIterator[Table]:
    """A table that is designated for a tournament, which is open."""
    async with table_at(directory, seats=seats, people=people()) as t:
        cups = cups_of(t)
        await cups.open(head_of(ONE_TABLE.replace('"60%", "30%", "10%"', '"60%", "40%"'), "Desk One", cups.now()))
        await cups.designate(CUP)
        yield t


def cups_of(t: Table) -> Tournaments:
    cups = t.daemon.service.tournaments
    assert cups is not None
    return cups


async def play(t: Table) -> None:
    """A round of all who are in; the one in the lowest place wins."""
    engine, cup = t.daemon.service.engine, (await cups_of(t).record(CUP)).cup
    areas = sorted(one.seat.place for one in cup.playing() if one.seat is not None)
    for area in areas:
        await engine.submit(Chips(area, (Spot("war", 1, 100_00),)))
    await engine.submit(Key("no-more-bets"))
    for card in (*("Kh", "9d", "2s", "4c")[: len(areas)], "Qs"):
        await engine.submit(CardOut(card))
    await engine.submit(Key("settle"))
    for area in areas:
        await engine.submit(Chips(area, (Spot("war", 1, 0),)))
