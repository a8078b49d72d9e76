"""A door that opens while a round runs calls for a supervisor, until one has cleared it with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.errors import FeltError
from tests.api.conftest import Floor
from tests.daemon.house import table_toml


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def alerts(floor: Floor) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in floor.engine.table.protection.waiting.values()]


def open_doors(floor: Floor) -> bool:
    return "shoe.door" in floor.engine.table.faults.get("shoe", {})


async def test_between_rounds_a_door_is_a_fault_while_it_is_open(floor: Floor) -> None:
    floor.sim.device("shoe").fault("door")
    await until(lambda: open_doors(floor))
    floor.sim.device("shoe").clear()
    await until(lambda: not open_doors(floor))
    await floor.rest()
    assert alerts(floor) == []


async def test_in_a_round_it_stays_until_a_supervisor_clears_it_with_a_reason(floor: Floor) -> None:
    await floor.bet(1, 1000)
    number = floor.engine.table.number
    floor.sim.device("shoe").fault("door")
    await until(lambda: open_doors(floor))
    floor.sim.device("shoe").clear()
    await until(lambda: not open_doors(floor))  # shut again: the alert stays
    text = f"The door of shoe was opened in round {number}."
    await until(lambda: alerts(floor) == [("door", text)])
    (alert,) = (await floor.get("/protection"))["alerts"]
    assert alert["title"] == "Door opened in a round" and "second person" in alert["step"]
    floor.as_person("dealer")
    with pytest.raises(FeltError, match="supervisor"):
        await floor.post("/protection/clear", {"alert": alert["alert"], "reason": "looked"})
    floor.as_person("supervisor")
    with pytest.raises(FeltError, match=r"why|reason"):
        await floor.post("/protection/clear", {"alert": alert["alert"], "reason": " "})
    await floor.post("/protection/clear", {"alert": alert["alert"], "reason": "a card stood out of the slot"})
    assert alerts(floor) == []
