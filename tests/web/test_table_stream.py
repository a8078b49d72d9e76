"""The stream behind the felt page: a page that was cut off is told all it missed, once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, ClientTimeout

from controller.errors import FeltError
from controller.web import felt
from tests.web.conftest import House, Stream, opened
from tests.web.playing import play

ROUND = ("bet 1 war=10", "no-more-bets", "draw Kh 9d", "settle")


class Heard(Stream):
    """Events with their ids."""

    async def next(self) -> tuple[str, int, Any]:
        name, number, data = "", -1, None
        async for raw in self._lines:
            line = raw.decode().rstrip("\n")
            if not line:
                return name, number, data
            key, _, value = line.partition(": ")
            match key:
                case "event":
                    name = value
                case "id":
                    number = int(value)
                case "data":
                    data = json.loads(value) if value[:1] in "{[n" else value
        return "end", -1, None

    async def until_picture(self) -> tuple[list[tuple[int, str]], dict[str, Any], int]:
        """Everything that is told before the next picture, the picture, and its number."""
        told: list[tuple[int, str]] = []
        while True:
            name, number, data = await self.next()
            assert name != "end"
            if name == "told":
                told += [(number, said["text"]) for said in data["sentences"]]
            elif name in ("gap", "anew"):
                told.append((number, name))
            elif name == "picture":
                return told, data, number


@asynccontextmanager
async def listening(house: House, after: str = "", header: str = "") -> AsyncIterator[Heard]:
    headers = {"Last-Event-ID": header} if header else {}
    address = f"{house.at}/table/events{f'?after={after}' if after else ''}"
    async with (
        ClientSession(timeout=ClientTimeout(total=None)) as session,
        session.get(address, headers=headers) as answer,
    ):
        assert answer.status == 200
        yield Heard(answer.content)


@asynccontextmanager
async def war() -> AsyncIterator[House]:
    async with opened("casino-war") as house:
        await play(house, "checked", "shuffled", "cut")
        yield house


async def test_what_happened_comes_before_the_picture_that_it_led_to() -> None:
    async with war() as house, listening(house) as heard:
        _, first, number = await heard.until_picture()
        assert first["phase"] == "between rounds"
        assert number == house.service.engine.seq
        await play(house, "bet 1 war=10")
        told, picture, number = await heard.until_picture()
        assert told == [(number, "Round 1 opens.")]
        assert picture["areas"][0]["bettors"][0]["wagers"][0]["amount"] == "$10"


@pytest.mark.parametrize("way", ["query", "header"])
async def test_a_page_that_was_cut_off_catches_up_without_a_gap_and_hears_nothing_twice(way: str) -> None:
    async with war() as house:
        async with listening(house) as heard:
            await heard.until_picture()
            await play(house, *ROUND)
            everything, last = [], 0
            while last < house.service.engine.seq:
                told, _, last = await heard.until_picture()
                everything += told
        for _ in range(3):  # while it is not connected
            await play(house, *ROUND)
        last_heard = str(last)
        async with listening(house, **{"after" if way == "query" else "header": last_heard}) as heard:
            told, picture, _ = await heard.until_picture()
        assert all(number > last for number, _ in told)
        assert [text for _, text in told if "opens" in text] == [f"Round {n} opens." for n in (2, 3, 4)]
        assert sum("wins $10" in text for _, text in told) == 3
        assert picture["number"] == 4
        async with listening(house, after="0") as heard:  # one that hears all at once hears the same
            whole, _, _ = await heard.until_picture()
        start = next(n for n, (number, _) in enumerate(whole) if number > everything[0][0] - 1)
        assert whole[start:] == everything + told


async def test_a_new_page_is_told_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(felt, "AT_FIRST", 2)
    async with war() as house:
        await play(house, *ROUND)
        async with listening(house) as heard:
            told, _, _ = await heard.until_picture()
        assert next(text for _, text in told) == "No more bets."
        assert len({number for number, _ in told}) == 2


async def test_what_is_not_kept_any_more_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(felt, "KEPT", 3)
    async with war() as house:
        async with listening(house) as heard:
            _, _, number = await heard.until_picture()
        for _ in range(4):
            await play(house, *ROUND)
        async with listening(house, after=str(number)) as heard:
            told, _, _ = await heard.until_picture()
        assert told[0][1] == "gap"
        assert len({seq for seq, text in told if text != "gap"}) == 3


async def test_after_a_restart_of_the_pages_a_page_knows_whether_it_missed_something() -> None:
    async with war() as house:
        async with listening(house) as heard:
            _, _, number = await heard.until_picture()
        await house.pages.stop()
        await house.restart_pages()
        async with listening(house, after=str(number)) as heard:
            assert (await heard.until_picture())[0] == []
        await house.pages.stop()
        await play(house, "bet 1 war=10")
        await house.restart_pages()
        async with listening(house, after=str(number)) as heard:
            assert [text for _, text in (await heard.until_picture())[0]] == ["gap"]


@pytest.mark.parametrize("after", ["999999999", "-1", "x", "9" * 400])
async def test_a_number_of_another_journal_or_none_at_all(after: str) -> None:
    async with war() as house:
        async with listening(house, after=after) as heard:
            told, picture, _ = await heard.until_picture()
        assert picture["game"] == "casino-war"
        assert ("anew" in [text for _, text in told]) == (after == "999999999")


async def test_out_of_service_is_shown_though_nothing_happens() -> None:
    async with war() as house, listening(house) as heard:
        await heard.until_picture()
        house.service.engine.defect = FeltError("table.defect", "secret words", "")
        house.pages._wake()
        _, picture, _ = await heard.until_picture()
        assert picture["phase"] == "out of service"
        assert "secret" not in str(picture)


async def test_two_pages_are_shown_the_same() -> None:
    async with war() as house, listening(house) as one, listening(house) as other:
        await one.until_picture()
        await other.until_picture()
        for deed in ROUND:
            await play(house, deed)
        end = house.service.engine.seq
        pictures = []
        for heard in (one, other):
            number = 0
            while number < end:
                _, picture, number = await heard.until_picture()
            pictures.append(picture)
        assert pictures[0] == pictures[1]
