"""The pages of a whole daemon: there when they are wanted, at the address that the demo tells."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiohttp import ClientSession

from controller.api import views
from controller.cli.demo import DealPlan, dealt_table, demo, demo_config
from controller.cli.demo_telling import StoryTelling
from controller.config.load import load_config
from tests.daemon.house import table_toml

JACKPOT = '\n[device.display]\nfamily = "display"\naddress = "sim://display"\n[web]\nlisten = "127.0.0.1:0"\n'


async def test_a_daemon_with_a_display_and_a_page(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    text = path.read_text().replace('"casino-war"', '"caribbean-stud"').replace("[options]", '[options]\njackpot="nsw"')
    path.write_text(text + JACKPOT)
    async with dealt_table(load_config(path)) as (daemon, sim, _), ClientSession() as session:
        assert daemon.pages.startswith("http://127.0.0.1:")
        async with session.get(daemon.pages, headers={"Accept": "text/html"}) as answer:  # as a browser asks
            assert answer.status == 200
            assert 'href="/display/jackpot"' in await answer.text()
        assert sim.device("display").model.view()["shown"] == "100000.0000"
        busy = path.read_text().replace("127.0.0.1:0", daemon.pages.removeprefix("http://"))
        other = tmp_path / "other"
        other.mkdir()
        second = table_toml(other)
        second.write_text(second.read_text() + "[web]" + busy.partition("[web]")[2])
        another = dealt_table(load_config(second))
        table, _, _ = await another.__aenter__()
    try:
        assert table.service.closed_doors["pages"].code == "web.listen"  # it opened all the same
        assert [trouble["code"] for trouble in views.trouble(table.service)] == ["web.listen"]
        async with asyncio.timeout(20):
            while table.service.closed_doors:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        async with ClientSession() as session, session.get(f"{daemon.pages}/display/limits") as answer:
            assert answer.status == 200
    finally:
        await another.__aexit__(None, None, None)


async def test_the_demo_says_where_its_page_is(tmp_path: Path) -> None:
    said: list[str] = []
    assert await demo(demo_config(tmp_path), DealPlan(rounds=1), StoryTelling(said.append))
    (line,) = [line for line in said if "in a browser" in line]
    assert "http://127.0.0.1:" in line


async def test_without_an_address_nobody_listens(tmp_path: Path) -> None:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, _, _):
        assert daemon.pages == ""
