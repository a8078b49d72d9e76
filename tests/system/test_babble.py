"""A device that tells far too much: it is named and heard at a walk; the others are served, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.service.quota import BABBLES, Quota
from controller.table.facts import Chips, DeviceCleared, DeviceFault, Key
from controller.table.facts import decode as fact_of
from tests.system.bench import JUMPING, bench, play, until

FLOOD = 400
QUOTA = Quota(burst=50, rate=300)


@pytest.mark.parametrize("wire", [*JUMPING, "pty"])
def test_the_others_are_served_while_one_device_babbles(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with bench(wire, tmp_path, quota=QUOTA) as table:
            sensor, console = table.sim.device("sensor.1"), table.sim.device("console")
            for n in range(FLOOD):
                sensor.do("bet", {"war": 10_00 if n % 2 else 20_00})
            await until(lambda: BABBLES in table.service.engine.table.faults.get("sensor.1", {}))
            console.do("press", "seat", "3")
            await until(lambda: "3" in table.service.engine.table.seats)
            assert sensor.pending, "the key came through before the flood was over"
            await until(lambda: not sensor.pending)
            await until(lambda: not table.service.engine.table.faults)
            facts = [fact_of(record.payload) for record in table.journal.iterate(1)]
        flood = [fact.spots[0].amount for fact in facts if isinstance(fact, Chips)]
        assert flood == [10_00 if n % 2 else 20_00 for n in range(FLOOD)], "each once, in its order"
        named = [type(fact) for fact in facts if isinstance(fact, DeviceFault | DeviceCleared) and fact.code == BABBLES]
        assert named and named == [DeviceFault, DeviceCleared] * (len(named) // 2)  # a busy machine may let it breathe
        assert sum(isinstance(fact, Key) for fact in facts) == 1

    play(wire, story())


def test_a_device_within_its_quota_is_never_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with bench("memory", tmp_path, quota=QUOTA) as table:
            for n in range(QUOTA.burst):
                table.sim.device("sensor.1").do("bet", {"war": 10_00 if n % 2 else 20_00})
            await table.rest()
            assert not table.service.engine.table.faults

    play("memory", story())
