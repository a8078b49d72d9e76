"""A table with a Jackpot and its pages, and a browser to look at them.

A browser takes a second or two to start, so there is one for all tests of a worker.  It belongs to the loop in which it
was started: the tests of this folder share that loop, and their fixtures name it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, ClientTimeout
from playwright.async_api import Browser, Page

from controller.games import defaults
from controller.house.state import HouseRound
from controller.jackpot.rules import Award, Prize
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.table import TableService
from controller.table.facts import MeterIs, Started
from controller.table.play import Play
from controller.table.state import Round, Waiting
from controller.views.meter_face import MeterStyle
from controller.web.server import Pages
from tests.web.browser import BINARY, MISSING, opened_page, started

SEED = 1_000_000_000
STYLE = MeterStyle(roll=600, hit=60_000, turn=2_000)
PRIZES = (Prize("3.2", "royal flush", 12_499_800, "12.5.1"),)
NewPage = Callable[[], Awaitable[Page]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.timeout(180))  # two loaded cores start a browser slowly


class House:
    """What happens at the table, and the way to its pages."""

    def __init__(self, service: TableService, pages: Pages, at: str) -> None:
        self.service = service
        self.pages = pages
        self.at = at
        self.now = 0  # table time, microseconds

    @property
    def port(self) -> int:
        return int(self.at.rpartition(":")[2])

    async def meter(self, value: int) -> None:
        await self.service.engine.submit(MeterIs(value))

    def hit(self, prizes: tuple[Prize, ...] = PRIZES) -> None:
        """The prizes of a round are recorded."""
        table = self.service.engine.table
        table.round = Round(7, 1, award=Award(SEED, 100_000, prizes, 0, SEED), play=Play(HouseRound()))
        table.jackpot.meter = SEED
        table.jackpot.pending = [Waiting(7, 1, 500, prizes)]
        self.service.outputs.displays.follow(table, trouble=False)

    async def restart_pages(self) -> None:
        self.pages = Pages(self.service)
        await self.pages.start("127.0.0.1", self.port)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The browser of this worker; without one the test is skipped."""
    if BINARY is None:
        pytest.skip(MISSING)
    async with started() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def new_page(browser: Browser) -> AsyncIterator[NewPage]:
    """Opens pages, each as if in a browser of its own.  An error that one of them logs fails the test."""
    complaints: list[str] = []
    pages: list[Page] = []

    async def opened_one() -> Page:
        pages.append(await opened_page(browser, complaints))
        return pages[-1]

    yield opened_one
    for page in pages:
        await page.context.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(new_page: NewPage) -> Page:
    """An empty page, 1280 x 720."""
    return await new_page()


@pytest_asyncio.fixture(loop_scope="session")
async def house() -> AsyncIterator[House]:
    async with opened("caribbean-stud", jackpot="nsw") as house:
        yield house


@asynccontextmanager
async def opened(game: str, **options: str) -> AsyncIterator[House]:
    """A table of this game; buy_in is buy-in."""
    journal = Journal.open(None, table="T1")
    begin = Started(game, {**defaults(game), **{name.replace("_", "-"): value for name, value in options.items()}})
    there: list[House] = []
    service = TableService(begin, journal, InlineWriter(journal), {}, lambda: there[0].now if there else 0, STYLE)
    await service.start()
    pages = Pages(service)
    there.append(House(service, pages, await pages.start("127.0.0.1", 0)))
    try:
        yield there[0]
    finally:
        await there[0].pages.stop()
        await service.stop()
        journal.close()


class Stream:
    """Server-sent events as they come."""

    def __init__(self, lines: AsyncIterable[bytes]) -> None:
        self._lines = lines

    async def event(self) -> tuple[str, str]:
        name, data = "", ""
        async with asyncio.timeout(20):
            async for raw in self._lines:
                line = raw.decode().rstrip("\n")
                if not line:
                    return name, data
                key, _, value = line.partition(": ")
                name, data = (value, data) if key == "event" else (name, value) if key == "data" else (name, data)
        return "end", ""

    async def picture(self) -> dict[str, Any]:
        """The next one that differs."""
        while True:
            name, data = await self.event()
            assert name != "end", "the stream has ended"
            if name == "picture":
                return dict(json.loads(data))


@asynccontextmanager
async def stream(house: House, page: str) -> AsyncIterator[Stream]:
    async with (
        ClientSession(timeout=ClientTimeout(total=None)) as session,
        session.get(f"{house.at}/display/{page}/events") as answer,
    ):
        assert answer.status == 200
        assert answer.content_type == "text/event-stream"
        yield Stream(answer.content)
