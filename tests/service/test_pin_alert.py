"""Who tries one PIN after the other calls for a supervisor, wherever that is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.sim.people import PIN, badge_of
from controller.table.facts import SignInFailed
from tests.api.conftest import Floor
from tests.daemon.house import table_toml

WRONG = "0000"
PAGE = "page 192.0.2.7"


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def tries(floor: Floor, badge: str, pin: str, times: int = 1) -> None:
    for _ in range(times):
        await floor.do("console", "badge", badge)
        await floor.do("console", "pin", pin)


async def fails(floor: Floor, times: int, badge: str, person: str = "", why: str = "wrong") -> None:
    for _ in range(times):
        await floor.engine.submit(SignInFailed(badge, PAGE, why, person))


async def alerts(floor: Floor) -> list[str]:
    await asyncio.sleep(0)
    await floor.rest()
    return [each.text for each in floor.engine.table.protection.waiting.values() if each.kind == "pins"]


async def test_the_fifth_wrong_pin_at_the_console_is_told(floor: Floor) -> None:
    await tries(floor, badge_of("supervisor"), WRONG, 4)
    assert await alerts(floor) == []
    await tries(floor, badge_of("supervisor"), WRONG)
    told = "5 PINs for the badge of simulated supervisor were wrong, the last one at the console."
    assert await alerts(floor) == [told]
    (alert,) = (await floor.get("/protection"))["alerts"]
    assert (alert["title"], "felt people pin NAME" in alert["step"]) == ("Wrong PINs", True)


async def test_a_right_pin_begins_anew(floor: Floor) -> None:
    for _ in range(3):
        await tries(floor, badge_of("dealer"), WRONG, 3)
        await tries(floor, badge_of("dealer"), PIN)
    assert await alerts(floor) == []


async def test_who_goes_on_is_told_again_and_who_tries_badge_after_badge_by_the_place(floor: Floor) -> None:
    await fails(floor, 10, "0417", "Sue")
    of_badge = "{} PINs for the badge of Sue were wrong, the last one at the page 192.0.2.7."
    assert await alerts(floor) == [of_badge.format(5), of_badge.format(10)]
    for number in range(5):
        await fails(floor, 1, f"made up {number}")
    assert (await alerts(floor))[2:] == ["15 PINs at the page 192.0.2.7 were wrong."]
    await fails(floor, 20, "0417", "Sue", "locked")  # no PIN was looked at
    assert len(await alerts(floor)) == 3
