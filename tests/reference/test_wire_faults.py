"""Rounds with devices of the reference firmware in every kind of trouble: always the same settlement."""

from __future__ import annotations

from contextlib import AsyncExitStack
from itertools import product
from pathlib import Path

import pytest

from hw_sim import loop
from tests.reference.conftest import LONG, Started
from tests.reference.stand_in import StandIn
from tests.reference.stepped import Stepped
from tests.system.a_round import DEEDS, POKER_DEEDS, Deed
from tests.system.bench import KEYS, Bench, bench
from tests.system.test_wires import FAULTS, LASTING, trouble

# Which of them is in trouble; and at its table those that have the firmware too.
NAMES = {"bet-sensor": "sensor.1", "console": "console", "lamps": "lamps", "reader": "reader.2"}
AT_A_GAME, IN_POKER = ("sensor.1", "console", "lamps"), ("reader.1", "reader.2", "reader.3")
OURS = tuple(fault for fault in FAULTS if fault != "wrong-device")  # that one is about who is there, not about firmware
LINKS = ("plain", "sealed")
IN_TURN = [(list(NAMES)[n % len(NAMES)], fault, LINKS[n // 2 % 2]) for n, fault in enumerate(OURS)]
CASES = list(product(NAMES, OURS, LINKS)) if LONG else IN_TURN


def deeds_of(family: str) -> tuple[str, tuple[str, ...], list[Deed]]:
    """Returns how cards are dealt, who has the firmware, and the round; our sensors tell of each spot by itself."""
    if family == "reader":
        return "readers", IN_POKER, POKER_DEEDS
    first, *rest = DEEDS
    assert first == ("sensor.1", "bet", ({"war": 1000, "tie": 500},))
    return "hand", AT_A_GAME, [("sensor.1", "bet", ({"war": 1000},)), ("sensor.1", "bet", ({"tie": 500},)), *rest]


@pytest.mark.parametrize(("family", "fault", "link"), CASES, ids=lambda value: str(value))
def test_the_settlement_is_always_the_same(
    checked: list[str], started: Started[Stepped], family: str, fault: str, link: str, tmp_path: Path
) -> None:
    name, (dealing, ours, deeds) = NAMES[family], deeds_of(family)
    moment = (7 * CASES.index((family, fault, link))) % len(deeds)  # in every case another one
    devices: dict[str, Stepped] = {}
    for one in ours:
        serial = f"SIM-{one}"
        options = {"serial": serial} | ({"key": KEYS[serial].hex()} if link == "sealed" else {})
        devices[one] = started(Stepped(checked, families()[one], tmp_path, **options))

    def prepare(table: Bench) -> None:
        for one, device in devices.items():
            StandIn(table.sim.device(one), device)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            for device in devices.values():
                await stack.enter_async_context(device.running())
            table = await stack.enter_async_context(
                bench("memory", tmp_path, dealing, encrypted=link == "sealed", prepare=prepare)
            )
            if fault in LASTING:
                table.sim.device(name).fault(*LASTING[fault])
            for n, deed in enumerate(deeds):
                if n == moment:
                    await trouble(table, name, fault, deed)
                else:
                    table.do(deed)
                await table.rest()
            table.sim.device(name).clear()
            await table.rest()
            assert table.tampering_cleared() == (link == "sealed" and fault in ("duplicate", "reorder"))
            await table.rest()
            table.check(deeds)

    loop.run(story())


def families() -> dict[str, str]:
    return {name: family for family, name in NAMES.items()} | dict.fromkeys(IN_POKER, "reader")
