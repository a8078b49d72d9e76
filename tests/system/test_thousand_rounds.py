"""Hundreds of rounds on mixed wires, with trouble on all of them: every settlement is as it would be without.

A thousand and more with FELT_FUZZ=4.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.cards import DECK, rank
from controller.table.effects import AnyEffect, LinesSettled
from controller.table.facts import AnyFact
from controller.table.state import Table
from tests.firmware_bridge.listener import nothing_leaks
from tests.searches import times
from tests.system.a_round import Deed
from tests.system.bench import Bench, bench

ROUNDS, TABLES = times(30), 10  # several tables, so that none takes long on a busy machine
TROUBLE = 0.04  # of all deeds
WIRES = {"shoe": "usb", "sensor.1": "pty", "sensor.2": "tcp", "sensor.3": "can", "console": "slcan", "lamps": "pty"}
MESSAGES = (("split",), ("drop", "2"), ("corrupt", "2"), ("duplicate", "2"), ("reorder", "2"))
FAULTS = (*MESSAGES, ("power",), ("unplug",), ("hang",))

Line = tuple[str, int, str]


def a_round(chance: random.Random) -> tuple[list[Deed], Line]:
    """Deeds at devices, and the settlement that they must come to; ties are left out."""
    area, amount = chance.randint(1, 3), chance.choice([500, 1000, 2500])
    mine, dealers = chance.sample(DECK, 2)
    while rank(mine) == rank(dealers):
        mine, dealers = chance.sample(DECK, 2)
    deeds: list[Deed] = [
        (f"sensor.{area}", "bet", ({"war": amount},)),
        ("console", "press", ("no-more-bets",)),
        ("shoe", "draw", (mine,)),
        ("shoe", "draw", (dealers,)),
        ("console", "press", ("settle",)),
    ]
    return deeds, (str(area), amount if rank(mine) > rank(dealers) else -amount, "war")


async def tell(table: Bench, deed: Deed, chance: random.Random, wires: Mapping[str, str] = WIRES) -> None:
    """Now and then something is wrong with a wire while a deed is on its way."""
    if chance.random() >= TROUBLE:
        table.do(deed)
        await table.rest()
        return
    device = table.sim.device(chance.choice(list(wires)))
    fault = chance.choice(FAULTS)
    device.fault(*fault)
    table.do(deed)
    await asyncio.sleep(chance.random() * 0.05)
    device.clear()
    await table.rest()


@pytest.mark.parametrize("seed", range(TABLES))
def test_trouble_on_every_wire_changes_no_settlement(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    expected: list[Line] = []
    settled: list[Line] = []

    def heard(seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        for effect in effects:
            if isinstance(effect, LinesSettled):
                settled.extend((line.place, line.net, line.spot) for line in effect.lines)

    async def story() -> None:
        async with bench("memory", tmp_path, wires=WIRES) as table:
            table.service.engine.listeners.append(heard)
            for _ in range(ROUNDS):
                deeds, line = a_round(chance)
                expected.append(line)
                for deed in deeds:
                    await tell(table, deed, chance)
            assert len(table.happened) == 5 * ROUNDS
            assert not table.service.engine.table.faults

    with nothing_leaks():
        asyncio.run(story())
    assert settled == expected
