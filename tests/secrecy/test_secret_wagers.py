"""A secret wager of a tournament: nothing that leaves the table tells how much it is, until betting closes.

The same is played twice, with another amount under the cover; everything must be the same to the last byte.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final, TypeAlias

from controller.service.round_store import FILE
from controller.table.facts import Hold, Released, TournamentSeat, TournamentTold
from hw_sim.loop import run
from tests.secrecy.sessions import do_to
from tests.secrecy.watched import Outputs, Watched, determined, masked, watched

SEATS: Final = tuple(
    TournamentSeat(place, name, 100_000, left={"secret": 1}) for place, name in (("1", "Ann"), ("2", "Bob"))
)
CUP: Final = TournamentTold("CUP", 1, 1, 1000, 50_000, seats=SEATS)
UNDER_THE_COVER: Final = ("screen sensor.1",)  # the simulated device itself


async def look(table: Watched) -> Outputs:
    await table.rest()
    outputs = await table.all()
    return {where: masked(text, table.hashes()) for where, text in outputs.items() if where not in UNDER_THE_COVER}


Tale: TypeAlias = Callable[[Watched, int], AsyncIterator[None]]  # looks at the table wherever it yields


def seen(tmp_path: Path, tale: Tale) -> tuple[list[Outputs], list[Outputs]]:
    """Tells the same with two amounts under the cover, and returns what was seen."""

    def played(cents: int) -> list[Outputs]:
        async def story() -> list[Outputs]:
            looks = []
            async with watched("casino-war", {"seats": "3"}, tmp_path, log, console=False) as table:
                table.table.service.engine.submit(CUP)
                await table.rest()
                async for _ in tale(table, cents):
                    looks.append(await look(table))
            return looks

        with determined() as log:
            looks = run(story())
        (tmp_path / FILE).unlink(missing_ok=True)
        return looks

    return played(7_700), played(31_300)


def told_apart(one: Outputs, other: Outputs) -> list[str]:
    return [where for where in one if one[where] != other[where]]


def secret(table: Watched, cents: int) -> None:
    do_to(table, "sensor.1", "bet", ({("war", 1): cents}, False, False, True))


def test_nothing_tells_a_secret_wager_before_betting_closes(tmp_path: Path) -> None:
    async def tale(table: Watched, cents: int) -> AsyncIterator[None]:
        secret(table, cents)
        yield
        do_to(table, "sensor.2", "bet", ({("war", 1): 2000},))
        yield
        do_to(table, "console", "press", ("no-more-bets",))
        yield

    first, second = seen(tmp_path, tale)
    assert "a secret wager" in first[0]["socket /journal/tail"]
    for one, other in zip(first[:2], second[:2], strict=True):
        assert told_apart(one, other) == []
    assert first[2] != second[2]  # then everybody sees it


def test_a_table_that_is_held_does_not_lift_the_cover(tmp_path: Path) -> None:
    async def tale(table: Watched, cents: int) -> AsyncIterator[None]:
        do_to(table, "sensor.2", "bet", ({("war", 1): 2000},))
        table.table.service.engine.submit(Hold("camera.lost", "somebody looks"))
        await table.rest()
        do_to(table, "sensor.1", "bet", ({("tie", 1): 500},))
        secret(table, cents)
        yield
        table.table.service.engine.submit(Released("camera.lost"))
        yield
        do_to(table, "console", "press", ("no-more-bets",))
        yield

    first, second = seen(tmp_path, tale)
    for one, other in zip(first[:2], second[:2], strict=True):
        assert told_apart(one, other) == []
    assert "313" in second[2]["socket /status"] + second[2]["socket /rounds/{number}"]


def test_a_sensor_that_was_dark_tells_of_the_cover_when_it_sees_again(tmp_path: Path) -> None:
    async def tale(table: Watched, cents: int) -> AsyncIterator[None]:
        do_to(table, "sensor.2", "bet", ({("war", 1): 2000},))
        do_to(table, "sensor.1", "fault", ("dark",))
        secret(table, cents)
        do_to(table, "sensor.1", "clear", ())
        yield

    (one,), (other,) = seen(tmp_path, tale)
    assert "a secret wager" in one["socket /journal/tail"]
    assert told_apart(one, other) == []
