"""Logbooks: one order for all who tell, each line once, in both stores."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from controller.jackpot.stores.logbooks import PAGE
from controller.jackpot.stores.store import LogbookStore, MeterStore, StoreError
from tests.jackpot.stores.conftest import Make

CUP = "CUP"


@pytest.fixture
def log(store: MeterStore) -> LogbookStore:
    return cast(LogbookStore, store)


async def told(store: LogbookStore, name: str, line: str) -> int:
    """Tells a line as everybody does: reads on when others were first."""
    last = 0
    while True:
        done = await store.append(CUP, last, name, line)
        if done.seq:
            return done.seq
        last = done.last


async def test_lines_come_in_the_order_in_which_they_were_told(log: LogbookStore) -> None:
    opened = await log.open_logbook(CUP, "{}")
    assert (opened.name, opened.head, opened.last) == (CUP, "{}", 0)
    assert (await log.append(CUP, 0, "a", "1")).seq == 1
    assert (await log.append(CUP, 1, "b", "2")).seq == 2
    assert [(line.seq, line.name, line.line) for line in await log.lines(CUP)] == [(1, "a", "1"), (2, "b", "2")]
    assert [line.seq for line in await log.lines(CUP, 1)] == [2]
    assert [(book.name, book.last) for book in await log.logbooks()] == [(CUP, 2)]


async def test_who_does_not_know_the_newest_line_writes_nothing(log: LogbookStore) -> None:
    await log.open_logbook(CUP, "{}")
    await log.append(CUP, 0, "a", "1")
    late = await log.append(CUP, 0, "b", "2")
    assert (late.last, late.seq) == (1, 0)
    assert len(await log.lines(CUP)) == 1


async def test_the_same_name_is_the_same_line(log: LogbookStore) -> None:
    await log.open_logbook(CUP, "{}")
    await log.append(CUP, 0, "a", "1")
    await log.append(CUP, 1, "b", "2")
    again = await log.append(CUP, 0, "a", "1")
    assert (again.last, again.seq) == (2, 1)
    assert len(await log.lines(CUP)) == 2


async def test_one_name_is_one_logbook(log: LogbookStore) -> None:
    await log.open_logbook(CUP, "{}")
    await log.append(CUP, 0, "a", "1")
    assert (await log.open_logbook(CUP, "{}")).last == 1
    with pytest.raises(StoreError) as conflict:
        await log.open_logbook(CUP, '{"other": 1}')
    assert conflict.value.code == "logbook.conflict"


async def test_nobody_writes_where_there_is_no_logbook(log: LogbookStore) -> None:
    with pytest.raises(StoreError) as unknown:
        await log.append("LEAGUE", 0, "a", "1")
    assert unknown.value.code == "logbook.unknown"
    assert await log.lines("LEAGUE") == []


async def test_long_ones_come_in_pages(log: LogbookStore) -> None:
    await log.open_logbook(CUP, "{}")
    for number in range(PAGE + 2):
        await log.append(CUP, number, str(number), "")
    assert len(first := await log.lines(CUP)) == PAGE
    assert [line.seq for line in await log.lines(CUP, first[-1].seq)] == [PAGE + 1, PAGE + 2]


async def test_many_who_tell_at_once_lose_nothing_and_tell_nothing_twice(make: Make) -> None:
    clients = [cast(LogbookStore, make()) for _ in range(3)]
    await asyncio.gather(*(client.open() for client in clients))
    try:
        await asyncio.gather(*(client.open_logbook(CUP, "{}") for client in clients))

        async def tell(nth: int) -> None:
            for number in range(15):
                await told(clients[nth], f"{nth}.{number}", f"{nth}.{number}")
                await told(clients[nth], f"{nth}.{number}", f"{nth}.{number}")

        await asyncio.gather(*(tell(nth) for nth in range(3)))
        seen = [await client.lines(CUP) for client in clients]
    finally:
        await asyncio.gather(*(client.close() for client in clients))
    assert seen[0] == seen[1] == seen[2]
    assert [line.seq for line in seen[0]] == list(range(1, 46))
    for nth in range(3):
        own = [line.name for line in seen[0] if line.name.startswith(f"{nth}.")]
        assert own == [f"{nth}.{number}" for number in range(15)]


async def test_a_logbook_outlives_its_client(make: Make) -> None:
    first = cast(LogbookStore, make())
    await first.open()
    await first.open_logbook(CUP, "{}")
    await first.append(CUP, 0, "a", "1")
    await first.close()
    second = cast(LogbookStore, make())
    await second.open()
    try:
        assert [line.line for line in await second.lines(CUP)] == ["1"]
    finally:
        await second.close()
