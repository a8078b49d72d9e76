"""The public listener: pages, and streams that tell what may stand on a wall and nothing else."""

from __future__ import annotations

import asyncio
import re

import pytest
from aiohttp import ClientSession

from controller.errors import FeltError
from controller.games import find
from controller.table.facts import CardOut, DeviceLost, DeviceReady
from controller.table.options import Chosen, demanded
from controller.table.state import Notice, Round
from controller.views import pages
from controller.web import server
from controller.web.server import Pages
from tests.table.telling import Telling
from tests.web.conftest import SEED, House, stream

MINUTE = 60_000_000


async def test_a_page_and_all_that_it_names_are_served_under_a_strict_policy(house: House) -> None:
    async with ClientSession() as session:
        for page in ("display/jackpot", "display/limits", "table", "devices"):
            async with session.get(f"{house.at}/{page}") as answer:
                html = await answer.text()
                assert answer.status == 200
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "http:" not in html.replace("http://www.w3.org", "")  # it works without any other computer
            assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=", html)
            named = re.findall(r'(?:href|src)="(/[^"]+)"', html)
            assert len(named) >= 3
            for address in named:
                async with session.get(house.at + address) as answer:
                    assert answer.status == 200, address
                    kind = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
                    assert answer.content_type == kind[address.rpartition(".")[2]]
                    content = await answer.text()
                    for wanted in re.findall(r'from "\./([a-z]+\.js)"', content):
                        async with session.get(f"{house.at}/display/static/{wanted}") as module:
                            assert module.status == 200


async def test_nothing_else_is_reached_here(house: House) -> None:
    async with ClientSession() as session:
        for path in ("/status", "/events", "/journal/tail", "/display/floor", "/display/floor/events", "/metrics"):
            async with session.get(house.at + path) as answer:
                assert answer.status == 404
                assert answer.headers["Server"] == "feltd"
        for name in ("server.py", "..%2fserver.py", "%2e%2e/server.py"):
            async with session.get(f"{house.at}/display/static/{name}") as answer:
                assert answer.status == 404
        async with session.post(f"{house.at}/display/jackpot") as answer:
            assert answer.status == 403  # no page of ours asks that
        async with session.post(f"{house.at}/display/jackpot", headers={"Origin": house.at}) as answer:
            assert answer.status == 405


async def test_the_entrance_lists_what_there_is(house: House) -> None:
    async with ClientSession(headers={"Accept": "text/html"}) as session:
        async with session.get(house.at + "/") as answer:
            links = re.findall(r'href="(/[^"]*)"', await answer.text())
            assert answer.content_type == "text/html" and "/display/jackpot" in links
        for link in links:
            async with session.get(house.at + link) as answer:
                assert answer.status == 200, link
        table = house.service.engine.table
        table.options = Chosen(demanded(table.options.typed, {"jackpot": "none"}))
        house.service.outputs.displays.follow(house.service.engine.table, trouble=False)
        async with session.get(house.at + "/") as answer:
            text = await answer.text()
            assert "/display/limits" in text and "/display/jackpot" not in text
            assert "Gives the limit sign." in text and "`" not in text
        async with session.get(f"{house.at}/floor", headers={"Accept": "text/html"}) as answer:
            assert answer.status == 404 and "[floor]" in await answer.text()


async def test_who_reads_is_refused_with_a_page_and_a_program_in_json(house: House) -> None:
    async with ClientSession() as session:
        async with session.get(f"{house.at}/<b>", headers={"Accept": "text/html,*/*"}) as answer:
            assert (answer.status, answer.content_type) == (404, "text/html")
            assert "<h1>404 Not Found</h1>" in await answer.text()
        async with session.get(f"{house.at}/nothing") as answer:
            assert (answer.status, (await answer.json())["error"]["code"]) == (404, "web.request")


async def test_the_stream_tells_amount_hit_and_fault(house: House) -> None:
    async with stream(house, "jackpot") as heard:
        assert (await heard.event())[0] == "version"
        first = await heard.picture()
        assert first == {
            "offer": "running",
            "cents": SEED // 100,
            "wins": [],
            "confirmed": True,
            "fault": False,
            "roll": 600,
            "turn": 2_000,
        }
        await house.meter(SEED + 28_699)
        assert (await heard.picture())["cents"] == SEED // 100 + 286  # what is stored, at once; the page rolls
        house.hit()
        hit = await heard.picture()
        assert hit["wins"] == [{"table": "", "area": 3, "hand": "royal flush", "cents": 12_499_800}]
        assert hit["confirmed"] is False
        assert hit["cents"] == SEED // 100
        await house.service.engine.submit(DeviceLost("meter", "link.silent", "secret words"))
        broken = await heard.picture()
        assert broken["fault"] is True
        assert "secret" not in str(broken)
        await house.service.engine.submit(DeviceReady("meter"))
        assert (await heard.picture())["fault"] is False


async def test_it_has_a_pulse_and_keeps_quiet_about_what_does_not_concern_it(house: House) -> None:
    async with stream(house, "jackpot") as heard:
        await heard.picture()
        for _ in range(3):
            await house.service.engine.submit(CardOut("Kh"))
        assert [(await heard.event())[0] for _ in range(2)] == ["beat", "beat"]


async def test_the_end_of_a_hit_is_told_though_nothing_happens(house: House) -> None:
    house.service.outputs.displays.style = house.service.outputs.displays.style.__class__(roll=0, hit=50, turn=2_000)
    async with stream(house, "jackpot") as heard:
        await heard.picture()
        house.hit()
        assert (await heard.picture())["wins"]
        assert not (await heard.picture())["wins"]


async def test_limits_and_what_is_announced(house: House) -> None:
    table = house.service.engine.table
    table.notices = [Notice({"min": "25"}, 0, 0), Notice({}, 0, 0, "table")]
    house.now = 19 * MINUTE + 30_500_000
    async with stream(house, "limits") as heard:
        assert await heard.picture() == {
            "game": "Caribbean Stud",
            "open": True,
            "large": [["Minimum", "$10"], ["Maximum", "$500"]],
            "small": [
                [
                    "Jackpot $5",
                    "royal flush 100%, straight flush 10%, four of a kind $1,500, full house $400, flush $250",
                ],
                ["Jackpot, method A", "a folded hand loses it"],
            ],
            "notices": [{"text": "Minimum $25", "seconds": 30}, {"text": "Table closes", "rounds": 3}],
        }
        house.now += 40_000_000
        assert (await heard.picture())["notices"][0]["seconds"] == 0
        table.open = False
        assert (await heard.picture())["open"] is False


@pytest.mark.parametrize(("over", "running", "left"), [(0, False, 3), (2, False, 1), (2, True, 2), (9, False, 0)])
def test_rounds_that_are_left(over: int, running: bool, left: int) -> None:
    t = Telling("caribbean-stud").table
    t.notices, t.number = [Notice({}, 0, 0, "table")], over
    t.round = Round(over, 1, outcome="" if running else "settled")
    assert pages.limits(t, find(t.game), 0)["notices"] == [{"text": "Table closes", "rounds": left}]


def test_a_poker_table_says_all_that_its_document_asks_for() -> None:
    t = Telling("holdem", rake="5%", cap="10", buy_in="1000").table
    t.notices = [Notice({"min": "10"}, 0, 0), Notice({"limit": "pot"}, 0, 0), Notice({"rake": "4%"}, 0, 0)]
    assert pages.limits(t, find(t.game), 500_000) == {
        "game": "Holdem",
        "open": True,
        "large": [("No limit", "from $10"), ("2 blinds", "$5 / $10")],
        "small": [
            ("Buy-in", "from $1,000"),
            ("Commission", "5% of the pot, cap $10"),
            ("Flop Chase", "$5 to $500, pays 7 to 1"),
        ],
        "notices": [
            {"text": "Minimum $10", "seconds": 1200},
            {"text": "Pot limit from $10", "hands": 3},
            {"text": "Commission 4% of the pot, cap $10"},
        ],
    }


async def test_streams_end_with_the_daemon_and_can_be_had_again(house: House) -> None:
    async with stream(house, "jackpot") as heard:
        await heard.picture()
        await house.pages.stop()
        await house.pages.stop()
        assert (await heard.event())[0] == "end"
    await house.restart_pages()
    async with stream(house, "jackpot") as heard:
        assert (await heard.picture())["offer"] == "running"


async def test_there_is_an_end_to_how_many_may_look(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_STREAMS", 1)
    async with stream(house, "jackpot") as heard, ClientSession() as session:
        await heard.picture()
        async with session.get(f"{house.at}/display/jackpot/events") as answer:
            assert answer.status == 503
    async with asyncio.timeout(20):
        while True:  # when the first one has gone, there is room again
            async with ClientSession() as session, session.get(f"{house.at}/display/jackpot/events") as answer:
                if answer.status == 200:
                    break


async def test_a_port_that_somebody_has(house: House) -> None:
    with pytest.raises(FeltError) as caught:
        await Pages(house.service).start("127.0.0.1", house.port)
    assert caught.value.code == "web.listen"
    assert "[web] listen" in caught.value.next_step


async def test_a_mistake_of_ours_says_nothing_to_strangers(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.pages, "_files", None)
    async with ClientSession() as session, session.get(f"{house.at}/display/jackpot") as answer:
        assert answer.status == 500
        assert "Traceback" not in await answer.text()


def test_titles() -> None:
    assert find("wsop-bonus-holdem").title == "WSOP Bonus Texas Hold'em"
    assert find("casino-war").title == "Casino War"
