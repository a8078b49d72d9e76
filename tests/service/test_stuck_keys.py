"""A key that is stuck does nothing: its presses are on record, the dealer is told, all other keys work."""

from __future__ import annotations

import asyncio

from controller.sim.floor import SimFloor, SimulatedTable
from controller.table import facts
from controller.table.facts import Key, Noted
from hw_sim.loop import run
from tests.table.telling import outcome


async def dealt(floor: SimFloor) -> SimulatedTable:
    table = await floor.open("", "casino-war", {"seats": "2"})
    table.sim.device("sensor.1").do("bet", {"war": 1000})
    await floor.rest()
    table.sim.device("console").do("press", "no-more-bets")
    await floor.rest()
    for card in ("Kh", "9d"):
        table.sim.cards_from.do("draw", card)
        await floor.rest()
    return table


def test_a_stuck_key_settles_nothing_until_it_is_free() -> None:
    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await dealt(floor)
        console = table.sim.device("console")
        console.fault("stuck-key", "settle")
        await asyncio.sleep(3)
        await floor.rest()
        assert table.state.round is not None and not table.state.round.outcome and not table.state.round.lines
        told = "the key settle of the console is stuck: it does nothing until it is free; call the technician"
        assert [line for line in console.state()["view"]["prompts"] if told in line] == [told]
        recorded = [facts.decode(record.payload) for record in table.journal]
        assert recorded.count(Noted("console", "the key settle is stuck: ignored")) >= 3
        assert Key("settle") not in recorded
        console.do("press", "seat", "2")
        await floor.rest()
        assert "2" in table.state.seats
        console.clear()
        await floor.rest()
        assert not [p for p in table.state.live if "stuck" in p.text]
        console.do("press", "settle")
        await floor.rest()
        assert outcome(table.state) == "settled"
        await floor.close()

    run(story())
