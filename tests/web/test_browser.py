"""The pages in a real browser: what people see in each state, and that an old amount is never shown as live."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.table.facts import DeviceLost, DeviceReady
from controller.table.state import Notice
from tests.web.browser import BINARY, Page, browser
from tests.web.conftest import SEED, House, opened

pytestmark = [
    pytest.mark.skipif(BINARY is None, reason="no chromium on this machine (Debian: apt install chromium)"),
    pytest.mark.timeout(180),
]

TEXT = "(at => document.querySelector(at).innerText.trim().split(/\\s+/).join(' '))"
POKER = {
    "rake": "5%",
    "cap": "10",
    "buy_in": "1000",
    "act_time": "30s",
    "extra_time": "1m",
    "extra_times": "2",
    "extra_fee": "5",
    "bonus": "royal-flush:1000,straight-flush:200,four-of-a-kind:50",
}
INSIDE = """[...document.querySelectorAll("h1, h2, p, dt, dd, li, b")].filter(e => e.checkVisibility()).every(e => {
  const box = e.getBoundingClientRect();
  return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight * 0.97
    && e.scrollWidth <= e.clientWidth + (e.tagName === "B" ? innerWidth : 0);
})"""


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    async with browser(tmp_path / "browser") as there:
        yield there


async def scene(page: Page, name: str) -> None:
    await page.until(f"document.body?.dataset.scene === {name!r}")


async def reads(page: Page, name: str, text: str) -> None:
    await page.until(f"document.getElementById({name!r})?.ariaLabel === {text!r}")


async def test_the_jackpot_through_all_its_states(house: House, page: Page) -> None:
    await page.open(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    await reads(page, "amount", "$100,000.00")

    seen = "const a = document.getElementById('amount'); window.seen = [];"
    await page.value(f"{seen} new MutationObserver(() => seen.push(a.ariaLabel)).observe(a, {{attributes: true}})")
    await house.meter(SEED + 12_345_000)
    await reads(page, "amount", "$101,234.50")
    amounts = [float(text.strip("$").replace(",", "")) for text in await page.value("window.seen")]
    assert amounts == sorted(amounts)  # it rolls upwards, and never past what is stored
    assert max(amounts) == 101_234.5

    house.hit()
    await scene(page, "winner")
    words = "document.querySelector('.winner').innerText.split(/\\s+/).join(' ')"
    await page.until(f"{words} === 'WE HAVE A WINNER AREA ROYAL FLUSH'")
    await reads(page, "area", "3")
    await scene(page, "won")
    await reads(page, "won", "$124,998.00")
    await page.until("document.getElementById('confirm').checkVisibility()")
    await scene(page, "base")
    await reads(page, "amount", "$100,000.00")
    await scene(page, "winner")  # and again

    house.service.outputs.displays.face = house.service.outputs.displays.face.__class__()
    table = house.service.engine.table
    table.round, table.jackpot.pending = None, []
    await house.service.engine.submit(DeviceLost("meter", "link.silent"))
    await scene(page, "fault")
    await scene(page, "pending")
    await house.service.engine.submit(DeviceReady("meter"))
    await scene(page, "amount")
    assert page.complaints == []  # the policy blocks nothing that the page needs


async def test_without_the_daemon_no_amount_stands_there_and_it_comes_back_by_itself(house: House, page: Page) -> None:
    await page.open(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    await house.pages.stop()
    await scene(page, "offline")
    assert await page.value("document.getElementById('amount').childElementCount") == 0
    assert "$" not in await page.value("document.body.innerText")
    await page.until("document.body.innerText.includes('No connection')")
    await house.meter(SEED + 10_000)
    await house.restart_pages()
    await scene(page, "amount")
    await reads(page, "amount", "$100,001.00")


async def test_a_daemon_that_falls_silent_is_noticed_though_the_line_stands(
    house: House, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.open(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    monkeypatch.setattr("controller.web.server.BEAT", 3600.0)
    await scene(page, "offline")


async def test_whoever_wants_no_motion_gets_none(house: House, page: Page) -> None:
    await page.open(f"{house.at}/display/jackpot", still=True)
    await scene(page, "amount")
    seen = "const a = document.getElementById('amount'); window.seen = [];"
    await page.value(f"{seen} new MutationObserver(() => seen.push(a.ariaLabel)).observe(a, {{attributes: true}})")
    await house.meter(SEED + 12_345_000)
    await reads(page, "amount", "$101,234.50")
    assert await page.value("window.seen") == ["$101,234.50"]
    assert await page.value("document.getAnimations().length") == 0


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (800, 480), (480, 800)])
async def test_it_fits_every_screen(house: House, page: Page, width: int, height: int) -> None:
    await house.meter(123_456_789_000_000)  # twelve thousand millions: more than any meter holds
    await page.open(f"{house.at}/display/jackpot", width, height)
    await scene(page, "amount")
    box = await page.value("JSON.stringify(document.getElementById('amount').getBoundingClientRect())")
    edges = dict(item.split(":") for item in box.strip("{}").replace('"', "").split(","))
    assert float(edges["left"]) >= 0
    assert float(edges["right"]) <= width
    assert float(edges["bottom"]) <= height
    parts = await page.value(
        "Math.max(...[...document.getElementById('amount').children].map(e => e.getBoundingClientRect().right))"
    )
    assert parts <= width


async def test_the_limit_sign_counts_down(house: House, page: Page) -> None:
    house.service.engine.table.notices = [Notice({"min": "25"}, 0, 0)]
    house.now = 60_000_000
    await page.open(f"{house.at}/display/limits")
    await page.until("document.querySelector('li b')?.textContent === 'in 19:00'")
    house.now += 1_000_000
    await page.until("document.querySelector('li b')?.textContent === 'in 18:59'")
    assert await page.value(f"{TEXT}('#large')") == "MINIMUM $10 MAXIMUM $500"
    await house.pages.stop()
    await scene(page, "offline")
    assert await page.value("document.querySelectorAll('li').length") == 0


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (800, 480), (480, 800)])
async def test_the_sign_of_a_poker_table(page: Page, width: int, height: int) -> None:
    async with opened("holdem", **POKER) as house:
        house.service.engine.table.notices = [
            Notice({"min": "10"}, 0, 0),
            Notice({"limit": "pot", "buy-in": "2000"}, 0, 0),
        ]
        await page.open(f"{house.at}/display/limits", width, height)
        await scene(page, "open")
        assert await page.value(f"{TEXT}('h1')") == "Holdem"
        assert await page.value(f"{TEXT}('#large')") == "NO LIMIT from $10 2 BLINDS $5 / $10"
        small = await page.value(f"{TEXT}('#small')")
        assert "COMMISSION 5% of the pot, cap $10" in small
        assert "MORE TIME 1 minute for $5, twice a hand" in small
        assert "four of a kind $50" in small
        notices = await page.value("[...document.querySelectorAll('li b')].map(b => b.textContent).join('; ')")
        assert notices == "in 20:00; in 3 hands"
        assert await page.value(INSIDE)
        assert page.complaints == []


@pytest.mark.parametrize(
    ("game", "options", "large"),
    [
        ("omaha-hi-lo", {"limit": "fixed"}, "FIXED LIMIT $10 / $20 2 BLINDS $5 / $10"),
        ("holdem", {"limit": "spread", "bets": "1000,25000", "blinds": "500,1000,2000,4000"}, "SPREAD LIMIT $1,000 to"),
    ],
)
async def test_long_amounts_give_way(page: Page, game: str, options: dict[str, str], large: str) -> None:
    async with opened(game, **options) as house:
        await page.open(f"{house.at}/display/limits")
        await scene(page, "open")
        assert (await page.value(f"{TEXT}('#large')")).startswith(large)
        assert await page.value(INSIDE)
        house.service.engine.table.open = False
        await scene(page, "closed")
        assert "$" not in await page.value("document.body.innerText")


async def test_what_a_change_still_waits_for(page: Page) -> None:
    both = {"buy-in": "200", "min": "10"}
    async with opened("holdem") as house:
        await page.open(f"{house.at}/display/limits")
        for what, hands, seconds, words in (
            (both, 0, 0, "in 3 hands, in 20:00"),
            (both, 3, 0, "in 20:00"),
            (both, 2, 1200, "after the next hand"),
            (both, 3, 1200, "now"),
            ({"rake": "4%"}, 3, 1200, "from the next hand"),
        ):
            house.service.engine.table.notices = [Notice(what, 0, 0)]
            house.service.engine.table.number, house.now = hands, seconds * 1_000_000
            await page.until(f"document.querySelector('li b')?.textContent === {words!r}")
