"""Disputes in a journal: whoever tells it again finds them with their rounds, also those that came later."""

from __future__ import annotations

from controller.service.retelling import rounds
from controller.sim.floor import SimFloor, SimulatedTable
from hw_sim.loop import run


async def press(floor: SimFloor, table: SimulatedTable, words: str) -> None:
    table.sim.device("console").do("press", *words.split())
    await floor.rest()


def test_a_dispute_of_an_earlier_round_is_found_with_it() -> None:
    async def play() -> list[tuple[int, list[tuple[str, str]], bool]]:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", "casino-war", {})
        for _ in range(5):
            table.sim.device("sensor.1").do("bet", {("war", 1): 1000}, [])
            await floor.rest()
            if table.state.number == 2:
                await press(floor, table, "dispute 1 payment last")
            table.sim.device("shoe").do("draw", "Kh")
            table.sim.device("shoe").do("draw", "Qd")
            await floor.rest()
            await press(floor, table, "settle")
        told = {record.number: record for record in rounds(table.journal)}
        await floor.close()
        return [
            (number, [(each.what, each.decision) for each in record.disputes], record.unfinished)
            for number, record in sorted(told.items())
        ]

    told = run(play())
    assert told[0] == (1, [("payment", "")], True)
    assert [disputes for _, disputes, _ in told[1:]] == [[], [], [], []]
