"""The report page in a real browser: nothing for whoever is not signed in, numbers and plots for a supervisor."""

from __future__ import annotations

from pathlib import Path

from aiohttp import ClientSession, CookieJar
from playwright.async_api import Page, expect

from controller.table.facts import CardOut, Chips, FloatMoved, Key, Spot
from tests.service.clocks import Table
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.desk import DEALER, PIN, SUPERVISOR, table_at

SMALL = """() => [...document.querySelectorAll("button, input")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent || each.id, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""
SHIFTS = '[report]\ntime-zone = "Australia/Sydney"\nday-starts = "06:00"\nshifts = ["14:00", "22:00"]\n'


async def looks_right(page: Page) -> None:
    """Axe finds nothing, nothing stands beside the screen, and what is touched is large enough."""
    for screen in (TABLET, WALL, DESK):
        await size(page, screen)
        assert await page.evaluate(SMALL) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(page)


async def sign_in(page: Page, badge: str) -> None:
    await page.locator("#person").get_by_role("button", name="Sign in").click()
    for digits, enter in ((badge, "Next"), (PIN, "Sign in")):
        for digit in digits:
            await page.locator("#sheet").get_by_role("button", name=digit, exact=True).click()
        await page.locator("#sheet .pad").get_by_role("button", name=enter, exact=True).click()


async def deal(t: Table, *cards: str) -> None:
    """Rounds of ten on war in area 1: the player's card, then the dealer's."""
    for players, dealers in zip(cards[::2], cards[1::2], strict=True):
        number = t.engine.table.number
        await t.do("sensor.1", "bet", {"war": 1000})
        await t.do("console", "press", "no-more-bets")
        await t.do("shoe", "draw", players)
        await t.do("shoe", "draw", dealers)
        await t.do("console", "press", "settle")
        await t.do("sensor.1", "bet", {})
        assert t.engine.table.number == number + 1


async def test_the_numbers_of_a_day(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, more=SHIFTS) as t:
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/report")
        await scene(page, "closed")
        await expect(page.locator("#figures")).to_contain_text("for supervisors, those above, and inspectors")
        await looks_right(page)
        await sign_in(page, DEALER)
        await expect(page.locator("#figures")).to_contain_text("Bay Six is signed in as dealer.")
        await page.locator("#person").get_by_role("button", name="Sign out").click()
        await sign_in(page, SUPERVISOR)
        await scene(page, "empty")
        await expect(page.locator("#figures")).to_contain_text("No round was played on this day.")
        await t.engine.submit(FloatMoved("opening", 1000_00, "Floor Eight", "supervisor", "socket"))
        await deal(t, "2h", "Kd", "3h", "Kc", "Kh", "2d", "4h", "Qc")
        await t.engine.submit(FloatMoved("closing", 1015_00, "Floor Eight", "supervisor", "socket"))
        await page.get_by_role("button", name="Game", exact=True).click()
        await scene(page, "shown")
        cells = page.locator("tbody tr").first.locator("th, td")
        assert (await cells.all_inner_texts())[0] == "casino-war"
        assert (await cells.all_inner_texts())[3:6] == ["40", "+20", "+0.93"]
        await expect(page.locator("#plots svg").first).to_have_attribute(
            "aria-label", "Win along the day: +20 after round 4; theory +0.93"
        )
        await expect(page.locator("#figures")).to_contain_text("war 2.3301 % = 23138/993023")
        await expect(page.locator("#figures")).to_contain_text("Counted +15, rounds +20 difference \N{MINUS SIGN}5.")
        await looks_right(page)
        for by in ("Shift", "Dealer", "Wager", "Spot", "Round"):
            await page.get_by_role("button", name=by, exact=True).click()
            await expect(page.locator("thead th").first).to_have_text(by, ignore_case=True)
        assert await page.locator("tbody tr").count() == 4
        await looks_right(page)
        await page.get_by_role("button", name="The day before").click()
        await scene(page, "empty")
        await page.get_by_role("button", name="The day after").click()
        await scene(page, "shown")
        await expect(page.get_by_role("button", name="The day after")).to_be_disabled()


async def test_chips_and_tokens_for_vouchers(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, "caribbean-stud") as t:
        await t.engine.submit(Key("voucher", ("1", "chips", "62.50")))
        await t.engine.submit(Key("voucher", ("1", "tokens", "20")))
        await t.engine.submit(Chips(1, (Spot("ante", 1, 1000),)))
        for card in ("As", "2c", "Kd", "3c", "7h", "8c", "9d", "Jc", "2d", "4s"):
            await t.engine.submit(CardOut(card))
        for key in (Key("fold", ("1",)), Key("settle")):
            await t.engine.submit(key)
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/report")
        await sign_in(page, SUPERVISOR)
        await scene(page, "shown")
        await expect(page.locator("#figures")).to_contain_text("62.50 in chips given for vouchers: not in win")
        await expect(page.locator("#figures")).to_contain_text("20 in promotional tokens given for vouchers")
        await looks_right(page)


async def test_who_may_ask(tmp_path: Path) -> None:
    async with table_at(tmp_path) as t, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        at, path = t.daemon.pages, "/report/numbers"

        async def status(query: str = "") -> tuple[int, str]:
            async with session.get(f"{at}{path}{query}") as answer:
                body = await answer.json()
                return answer.status, body.get("error", {}).get("code", "")

        async def sign(badge: str) -> None:
            body = {"badge": badge, "pin": PIN}
            async with session.post(f"{at}/sign-in", json=body, headers={"Origin": at}) as answer:
                assert answer.status == 200

        assert await status() == (401, "sign-in.needed")
        await sign(DEALER)
        assert await status() == (403, "sign-in.role")
        await sign(SUPERVISOR)
        assert await status() == (200, "")
        assert await status("?by=mood") == (400, "report.request")
        assert await status("?day=soon") == (400, "report.request")
        assert await status("?by=round&day=2001-02-03") == (200, "")
