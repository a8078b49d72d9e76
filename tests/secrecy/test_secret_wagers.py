"""A secret wager of a tournament: nothing that leaves the table tells how much it is, until betting closes.

The same is played twice, with another amount under the cover; everything must be the same to the last byte.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from controller.service.round_keeper import FILE
from controller.table.facts import TournamentSeat, TournamentTold
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


def test_nothing_tells_a_secret_wager_before_betting_closes(tmp_path: Path) -> None:
    def played(cents: int) -> list[Outputs]:
        async def story() -> list[Outputs]:
            seen = []
            async with watched("casino-war", {"seats": "3"}, tmp_path, log, console=False) as table:
                table.table.service.engine.submit(CUP)
                await table.rest()
                do_to(table, "sensor.1", "bet", ({("war", 1): cents}, False, False, True))
                seen.append(await look(table))
                do_to(table, "sensor.2", "bet", ({("war", 1): 2000},))
                seen.append(await look(table))
                do_to(table, "console", "press", ("no-more-bets",))
                seen.append(await look(table))
            return seen

        with determined() as log:
            looks = run(story())
        (tmp_path / FILE).unlink()
        return looks

    first, second = played(7_700), played(31_300)
    assert "a secret wager" in first[0]["socket /journal/tail"]
    for one, other in zip(first[:2], second[:2], strict=True):
        assert [where for where in one if one[where] != other[where]] == []
    assert first[2] != second[2]  # then everybody sees it
