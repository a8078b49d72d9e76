"""The pages in a real browser: what people see in each state, and that an old amount is never shown as live."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page, expect

from controller.table.facts import DeviceLost, DeviceReady
from controller.table.state import Notice
from tests.web.browser import no_motion, scene, size
from tests.web.conftest import SEED, House, opened

SCREENS = [(1920, 1080), (1024, 600), (800, 480), (480, 800)]
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
# Whether all words are on the screen, and none is cut off by its own box.
INSIDE = """[...document.querySelectorAll("h1, h2, p, dt, dd, li, b")].filter(e => e.checkVisibility()).every(e => {
  const box = e.getBoundingClientRect();
  return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight * 0.97
    && e.scrollWidth <= e.clientWidth + (e.tagName === "B" ? innerWidth : 0);
})"""
# Keeps what the amount reads, each time that it changes.
WATCH = """() => {
  const amount = document.getElementById("amount");
  window.seen = [];
  new MutationObserver(() => seen.push(amount.ariaLabel)).observe(amount, {attributes: true});
}"""


async def reads(page: Page, name: str, text: str) -> None:
    """Waits until the tubes read so: they are a picture, with its words beside it."""
    await expect(page.locator(f"#{name}")).to_have_attribute("aria-label", text)


async def shows(place: Locator, text: str) -> None:
    """Waits until the words stand there as a person sees them, capitals and all."""
    await expect(place).to_have_text(text, use_inner_text=True)


async def test_the_jackpot_through_all_its_states(house: House, page: Page) -> None:
    await page.goto(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    await reads(page, "amount", "$100,000.00")

    await page.evaluate(WATCH)
    await house.meter(SEED + 12_345_000)
    await reads(page, "amount", "$101,234.50")
    amounts = [float(text.strip("$").replace(",", "")) for text in await page.evaluate("window.seen")]
    assert amounts == sorted(amounts)  # it rolls upwards, and never past what is stored
    assert max(amounts) == 101_234.5

    house.hit()
    await scene(page, "winner")
    await shows(page.locator(".winner"), "WE HAVE A WINNER AREA ROYAL FLUSH")
    await reads(page, "area", "3")
    await scene(page, "won")
    await reads(page, "won", "$124,998.00")
    await expect(page.get_by_text("to be confirmed")).to_be_visible()
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


async def test_without_the_daemon_no_amount_stands_there_and_it_comes_back_by_itself(house: House, page: Page) -> None:
    await page.goto(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    await house.pages.stop()
    await scene(page, "offline")
    await expect(page.locator("#amount > *")).to_have_count(0)
    assert "$" not in await page.locator("body").inner_text()
    await expect(page.get_by_text("No connection")).to_be_visible()
    await house.meter(SEED + 10_000)
    await house.restart_pages()
    await scene(page, "amount")
    await reads(page, "amount", "$100,001.00")


async def test_a_daemon_that_falls_silent_is_noticed_though_the_line_stands(
    house: House, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.goto(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    monkeypatch.setattr("controller.web.server.BEAT", 3600.0)
    await scene(page, "offline")


async def test_whoever_wants_no_motion_gets_none(house: House, page: Page) -> None:
    await no_motion(page)
    await page.goto(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    await page.evaluate(WATCH)
    await house.meter(SEED + 12_345_000)
    await reads(page, "amount", "$101,234.50")
    assert await page.evaluate("window.seen") == ["$101,234.50"]
    assert await page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("screen", SCREENS)
async def test_it_fits_every_screen(house: House, page: Page, screen: tuple[int, int]) -> None:
    await house.meter(123_456_789_000_000)  # twelve thousand millions: more than any meter holds
    await size(page, screen)
    await page.goto(f"{house.at}/display/jackpot")
    await scene(page, "amount")
    for part in ("#amount", "#amount > :first-child", "#amount > :last-child"):
        box = await page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= screen[0]
        assert box["y"] + box["height"] <= screen[1]


async def test_the_limit_sign_counts_down(house: House, page: Page) -> None:
    house.service.engine.table.notices = [Notice({"min": "25"}, 0, 0)]
    house.now = 60_000_000
    await page.goto(f"{house.at}/display/limits")
    await expect(page.locator("li b")).to_have_text("in 19:00")
    house.now += 1_000_000
    await expect(page.locator("li b")).to_have_text("in 18:59")
    await shows(page.locator("#large"), "MINIMUM $10 MAXIMUM $500")
    await house.pages.stop()
    await scene(page, "offline")
    await expect(page.locator("li")).to_have_count(0)


@pytest.mark.parametrize("screen", SCREENS)
async def test_the_sign_of_a_poker_table(page: Page, screen: tuple[int, int]) -> None:
    await size(page, screen)
    async with opened("holdem", **POKER) as house:
        house.service.engine.table.notices = [
            Notice({"min": "10"}, 0, 0),
            Notice({"limit": "pot", "buy-in": "2000"}, 0, 0),
        ]
        await page.goto(f"{house.at}/display/limits")
        await scene(page, "open")
        await shows(page.locator("h1"), "Holdem")
        await shows(page.locator("#large"), "NO LIMIT from $10 2 BLINDS $5 / $10")
        small = page.locator("#small")
        await expect(small).to_contain_text("COMMISSION 5% of the pot, cap $10", use_inner_text=True)
        await expect(small).to_contain_text("MORE TIME 1 minute for $5, twice a hand", use_inner_text=True)
        await expect(small).to_contain_text("four of a kind $50", use_inner_text=True)
        await expect(page.locator("li b")).to_have_text(["in 20:00", "in 3 hands"])
        assert await page.evaluate(INSIDE)


@pytest.mark.parametrize("screen", (SCREENS[0], SCREENS[-1]))
@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("three-card-poker", {"unit": "5"}, "PAIR PLUS A Straight flush 40 to 1, three of a kind 30 to 1"),
        ("caribbean-stud", {"jackpot": "nsw", "max-payout": "50000"}, "JACKPOT, METHOD A A folded hand loses it"),
        ("casino-war", {"limits-per": "player"}, "MAXIMUM For each player"),
    ],
)
async def test_the_sign_of_a_game_against_the_house(
    page: Page, screen: tuple[int, int], game: str, options: dict[str, str], words: str
) -> None:
    await size(page, screen)
    async with opened(game, **options) as house:
        house.service.engine.table.notices = [Notice({"min": "25"}, 0, 0), Notice({"max": "1000"}, 0, 0)]
        await page.goto(f"{house.at}/display/limits")
        await scene(page, "open")
        await expect(page.locator("#small")).to_contain_text(words, use_inner_text=True)
        await expect(page.locator("li b")).to_have_text(["in 20:00", "from the next round"])
        assert await page.evaluate(INSIDE)


@pytest.mark.parametrize(
    ("game", "options", "large"),
    [
        ("omaha-hi-lo", {"limit": "fixed"}, "FIXED LIMIT $10 / $20 2 BLINDS $5 / $10"),
        ("holdem", {"limit": "spread", "bets": "1000,25000", "blinds": "500,1000,2000,4000"}, "SPREAD LIMIT $1,000 to"),
    ],
)
async def test_long_amounts_give_way(page: Page, game: str, options: dict[str, str], large: str) -> None:
    async with opened(game, **options) as house:
        await page.goto(f"{house.at}/display/limits")
        await scene(page, "open")
        await expect(page.locator("#large")).to_contain_text(large, use_inner_text=True)
        assert await page.evaluate(INSIDE)
        house.service.engine.table.open = False
        await scene(page, "closed")
        assert "$" not in await page.locator("body").inner_text()


async def test_what_a_change_still_waits_for(page: Page) -> None:
    both = {"buy-in": "200", "min": "10"}
    async with opened("holdem") as house:
        await page.goto(f"{house.at}/display/limits")
        for what, hands, seconds, words in (
            (both, 0, 0, "in 3 hands, in 20:00"),
            (both, 3, 0, "in 20:00"),
            (both, 2, 1200, "after the next hand"),
            (both, 3, 1200, "now"),
            ({"rake": "4%"}, 3, 1200, "from the next hand"),
        ):
            house.service.engine.table.notices = [Notice(what, 0, 0)]
            house.service.engine.table.number, house.now = hands, seconds * 1_000_000
            await expect(page.locator("li b")).to_have_text(words)
