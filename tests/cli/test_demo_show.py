"""The demo in a living room: its buttons break the shoe and mend it, deal a royal flush, and bring another game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from controller.cli.demo import DealPlan, demo, demo_config
from controller.cli.demo_show import SHOWN
from controller.cli.demo_telling import StoryTelling
from controller.cli.sim import _another
from controller.games import GAMES

PATIENCE = 40.0


class Visitor:
    """Somebody in front of the demo's page, and what the terminal says meanwhile."""

    def __init__(self, session: ClientSession, said: list[str]) -> None:
        self.session = session
        self.said = said

    @property
    def at(self) -> str:
        return next(word for line in self.said for word in line.split() if word.startswith("http://")).removesuffix(
            "/table"
        )

    async def press(self, deed: str, origin: str | None = None) -> int:
        async with self.session.post(f"{self.at}/demo/{deed}", headers={"Origin": origin or self.at}) as answer:
            return answer.status

    async def labels(self) -> dict[str, str]:
        async with self.session.get(f"{self.at}/demo") as answer:
            state: dict[str, Any] = await answer.json()
        return {button["name"]: button["label"] for button in state["buttons"]}

    async def picture(self) -> str:
        async with self.session.get(f"{self.at}/table/events") as answer:
            async for line in answer.content:
                if line.startswith(b"data: {") and b'"areas"' in line:
                    return line.decode()
        return ""

    async def until(self, so: Callable[[], Awaitable[bool]]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not await so():  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def hears(self, words: str) -> None:
        async def so() -> bool:
            return any(words in line for line in self.said)

        await self.until(so)

    async def sees(self, words: str) -> None:
        async def so() -> bool:
            return words in await self.picture()

        await self.until(so)

    async def rounds(self, more: int = 1) -> None:
        """Waits for the end of further rounds."""
        before = self._settled

        async def so() -> bool:
            return self._settled >= before + more

        await self.until(so)

    @property
    def _settled(self) -> int:
        return sum(": settled" in line for line in self.said)


@asynccontextmanager
async def visited(tmp_path: Path, game: str, rounds: int | None = None) -> AsyncIterator[Visitor]:
    """A demo that runs until the end of the block; after so many `rounds` nobody deals any more."""
    said: list[str] = []
    plan = DealPlan(rounds=rounds, seed=4, pace=0.02, serve=rounds is not None)
    dealing = asyncio.create_task(
        demo(
            demo_config(tmp_path, game=game), plan, StoryTelling(said.append), another=partial(_another, tmp_path, None)
        )
    )
    try:
        async with ClientSession() as session:
            visitor = Visitor(session, said)
            await visitor.hears("devices can be played at")
            yield visitor
            assert not dealing.done(), dealing
    finally:
        dealing.cancel()
        await asyncio.wait([dealing])


@pytest.mark.timeout(120)
@pytest.mark.parametrize("game", ["casino-war", "caribbean-stud", "holdem"])
async def test_what_a_visitor_breaks_is_told_and_mended(game: str, tmp_path: Path) -> None:
    async with visited(tmp_path, game) as visitor:
        await visitor.rounds()
        device = "The card reader of the board" if game == "holdem" else "The shoe"
        assert await visitor.press("cable") == 200
        await visitor.sees(f"{device} cannot be reached")
        assert (await visitor.labels())["cable"] == "Plug it in"
        await visitor.press("cable")
        await visitor.rounds()
        await visitor.press("jam")
        await visitor.sees("the reader sees nothing" if game == "holdem" else "A card is jammed in the shoe")
        await visitor.press("jam")
        await visitor.rounds(2)
        assert '"severity":"fault"' not in await visitor.picture()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("game", ["caribbean-stud", "ultimate-texas-holdem-vic", "holdem", "omaha", "pineapple"])
async def test_a_royal_flush(game: str, tmp_path: Path) -> None:
    async with visited(tmp_path, game) as visitor:
        await visitor.press("royal")
        await visitor.hears("royal flush")


@pytest.mark.timeout(120)
async def test_a_table_that_does_not_play_itself_has_only_what_breaks_a_device(tmp_path: Path) -> None:
    async with visited(tmp_path, "casino-war", rounds=0) as visitor:

        async def over() -> bool:
            return set(await visitor.labels()) == {"jam", "cable"}

        await visitor.until(over)
        assert await visitor.press("royal") == 404
        assert await visitor.press("jam") == 200
        await visitor.sees("A card is jammed in the shoe")
        assert await visitor.press("jam") == 200


@pytest.mark.timeout(120)
async def test_the_next_game_is_on_the_same_page(tmp_path: Path) -> None:
    async with visited(tmp_path, "wsop-bonus-holdem") as visitor:
        await visitor.press("next")
        await visitor.hears("table demo: holdem on ")
        await visitor.rounds()
        await visitor.press("next")
        await visitor.hears("table demo: omaha on ")
        await visitor.rounds()
        assert '"severity":"held"' not in await visitor.picture()


@pytest.mark.timeout(120)
async def test_pause_step_and_pace(tmp_path: Path) -> None:
    async with visited(tmp_path, "casino-war") as visitor:
        await visitor.press("pause")
        assert (await visitor.labels())["pause"] == "Go on"
        await asyncio.sleep(0.3)
        before = await visitor.picture()
        await asyncio.sleep(0.3)
        assert await visitor.picture() == before
        await visitor.press("step")

        async def stepped() -> bool:
            return await visitor.picture() != before

        await visitor.until(stepped)
        await visitor.press("slower")
        await visitor.press("faster")
        await visitor.press("pause")
        await visitor.rounds()


@pytest.mark.timeout(60)
async def test_only_our_own_page_presses_a_button(tmp_path: Path) -> None:
    async with visited(tmp_path, "casino-war") as visitor:
        assert await visitor.press("pause", origin="http://elsewhere.example") == 403
        assert await visitor.press("pause", origin="null") == 403
        async with visitor.session.post(f"{visitor.at}/demo/pause") as answer:
            assert answer.status == 403
        port = visitor.at.rpartition(":")[2]
        named = {"Host": f"here.example:{port}", "Origin": f"http://here.example:{port}"}
        async with visitor.session.post(f"{visitor.at}/demo/pause", headers=named) as answer:
            assert answer.status == 403  # a name that somebody made to lead here
        assert await visitor.press("everything") == 404
        assert (await visitor.labels())["pause"] == "Pause"


def test_the_games_of_the_show_are_ours() -> None:
    assert set(SHOWN) <= set(GAMES)
