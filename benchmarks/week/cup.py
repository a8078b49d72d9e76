"""The tournament of the week: a table is designated, people play ten hands with equal banks, and it is freed again."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.week.around import Around
from benchmarks.week.chips import Chips
from benchmarks.week.dealer import WeekDealer
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.requests import Press
from controller.tournament.deeds import DeskKey, PeopleEntered

PEOPLE = ("Ann", "Bob", "Cid", "Dot")
HANDS = 10
NAME = "CUP"
WAGER = 20_00  # cents of tournament chips


@dataclass
class Cup:
    """What a tournament came to."""

    rounds: range = range(0)  # of the table
    banks: int = 0  # of everybody at the end, beyond what they began with; cents
    won: int = 0  # what the tray of tournament chips has won
    refused: list[str] = field(default_factory=list)
    over: bool = False


class CupDealer(WeekDealer):
    """Deals hands of a tournament; everybody wagers the same."""

    def wagers(self, place: str) -> Mapping[str, int]:
        return dict.fromkeys(self._game.required, WAGER)


async def play_cup(
    floor: SimFloor,
    table: SimulatedTable,
    seed: int,
    rest: Callable[[], Awaitable[None]],
    free: Callable[[], Awaitable[None]],
) -> Cup:
    """Plays it with chips of its own; `free` signs somebody in who may free the table afterwards."""
    desks, told = floor.desks, Cup()
    desks.on_refusal = lambda where, refusal: told.refused.append(f"{where}: {refusal.why}")
    desks.open(NAME, table.state.game, {"hands": str(HANDS)}, (), None)
    at = desks.by_name[NAME]
    desks.do(at, PeopleEntered(PEOPLE), NAME)
    desks.designate(NAME, table)
    desks.do(at, DeskKey("start"), NAME)
    await rest()
    chips = Chips(table.sim, random.Random(seed))
    around = Around(table.sim, table.service.engine, rest, chips, _Nobody(), lambda seconds: None, random.Random(seed))
    dealer = CupDealer(around, seed)
    first = table.state.number + 1
    while at.cup is not None and at.cup.stage == "running":
        await dealer.round([str(one.seat.place) for one in at.cup.playing(table.name) if one.seat is not None])
    told.rounds = range(first, table.state.number + 1)
    desks.do(at, DeskKey("award"), NAME)
    cup = at.cup
    assert cup is not None
    told.over = cup.stage == "over"
    told.banks = sum(player.bank for player in cup.people.values()) - len(PEOPLE) * cup.terms.bank
    told.won = chips.won_by_racks
    await free()
    table.sim.device("console").do("press", "set", "tournament=none")
    await rest()
    return told


class _Nobody:
    """The floor of a tournament: whoever plays has paid the fee, all cards are right, and there is no Jackpot."""

    async def bought(self, place: str, cents: int) -> None:
        """Takes no money."""

    async def prized(self, cents: int) -> None:
        """Pays none."""

    async def rule(self, wanted: Press) -> None:
        """Rules nothing."""

    async def confirm(self) -> None:
        """Confirms nothing."""

    async def clear_alerts(self) -> None:
        """Sees none."""
