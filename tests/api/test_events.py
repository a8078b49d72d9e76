"""Facts as they happen, and a client that was away for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.service.engine import SNAPSHOT_AT_LAST
from tests.api.conftest import Floor
from tests.daemon.house import table_toml


async def take(facts: Iterator[dict[str, Any]], count: int) -> list[int]:
    return await asyncio.to_thread(lambda: [next(facts)["seq"] for _ in range(count)])


async def test_facts_arrive_as_they_happen(floor: Floor) -> None:
    facts = floor.client.events(floor.engine.seq)
    first = asyncio.create_task(take(facts, 2))
    await asyncio.sleep(0)
    await floor.bet(1, 1000)
    last = await floor.press("no-more-bets")
    assert await first == [last - 1, last]
    await asyncio.to_thread(facts.close)  # type: ignore[attr-defined]


async def test_a_client_resumes_where_it_was(floor: Floor) -> None:
    for amount in range(1000, 6000, 1000):
        await floor.bet(1, amount)
    facts = floor.client.events(0)
    assert await take(facts, 3) == [1, 2, 3]
    await asyncio.to_thread(facts.close)  # type: ignore[attr-defined]
    again = floor.client.events(3)
    assert await take(again, 3) == [4, 5, 6]
    await floor.bet(2, 1000)
    assert await take(again, 1) == [7]
    await asyncio.to_thread(again.close)  # type: ignore[attr-defined]


async def test_what_was_refused_before_the_last_snapshot_is_told(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        wish = await floor.press("settle")
        [before] = (await floor.get("/journal/tail", after=wish - 1, n=1))["facts"]
        floor.engine.steps = SNAPSHOT_AT_LAST
        await floor.bet(1, 1000)
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        assert floor.engine.refusals.of(wish) is None
        tail = (await floor.get("/journal/tail", n=1000))["facts"]
        assert [fact for fact in tail if "refused" in fact] == [before] and "-> refused: " in before["text"]
        assert (await floor.get("/journal/tail", after=wish - 1, n=1))["facts"] == [before]  # once more, from behind it
        facts = floor.client.events(wish - 1)
        assert await asyncio.to_thread(next, facts) == before
        await asyncio.to_thread(facts.close)  # type: ignore[attr-defined]


async def test_many_facts_at_once_stay_in_order(floor: Floor) -> None:
    for _ in range(250):
        floor.sim.device("console").do("press", "seat", "1")
    last = await floor.press("seat", "2")
    facts = floor.client.events(0)
    assert await take(facts, last) == list(range(1, last + 1))
    await asyncio.to_thread(facts.close)  # type: ignore[attr-defined]


async def test_a_client_that_follows_does_not_keep_the_table_from_stopping(tmp_path: Path) -> None:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        facts = floor.client.events(0)
        assert await take(facts, 1) == [1]
        rest = asyncio.create_task(asyncio.to_thread(lambda: list(facts)))
    assert await rest == []
