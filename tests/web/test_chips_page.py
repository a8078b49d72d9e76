"""The page of the float in a real browser: two people count it, fill and credit; what cannot be is refused with why."""

from __future__ import annotations

import re
from pathlib import Path

from aiohttp import ClientSession
from playwright.async_api import Page, expect

from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.table.facts import FloatMoved
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import NewPage
from tests.web.desk import DEALER, PIN, SUPERVISOR, staff, table_at
from tests.web.test_decks_page import SMALL
from tests.web.test_report_page import sign_in

MANAGER = "3003"


def people() -> Roster:
    """The staff of other pages, and an area manager."""
    return Roster((*staff().people, Employee("Pit Two", MANAGER, ("area-manager",), hashed(PIN, 8, 1))))


async def looks_right(page: Page) -> None:
    for screen in (TABLET, WALL, DESK):
        await size(page, screen)
        assert await page.evaluate(SMALL) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(page)


async def form_looks_right(page: Page) -> None:
    """The same of a form; what lies below it is taken away, as axe takes it for the ground of longer lines."""
    await page.evaluate("document.querySelector('main').style.visibility = 'hidden'")
    await looks_right(page)
    await page.evaluate("document.querySelector('main').style.visibility = ''")


async def signs_in(page: Page, badge: str) -> None:
    leave = page.locator("#person").get_by_role("button", name="Sign out")
    if await leave.count():
        await leave.click()
    await sign_in(page, badge)
    await expect(leave).to_be_visible()


async def tell(page: Page, deed: str, amount: str, **words: str) -> None:
    await page.locator(f".key[data-deed='{deed}']").click()
    await page.locator("#deed [name=amount]").fill(amount)
    for name, text in words.items():
        await page.locator(f"#deed [name={name}]").fill(text)
    await page.locator("#deed .strong").click()


async def confirmed(page: Page, badge: str) -> None:
    """Somebody else signs in, by the button, and confirms what waits."""
    await page.locator(".pending button").first.click()
    for digits, enter in ((badge, "Next"), (PIN, "Sign in")):
        for digit in digits:
            await page.locator("#sheet").get_by_role("button", name=digit, exact=True).click()
        await page.locator("#sheet .pad").get_by_role("button", name=enter, exact=True).click()
    await page.locator(".pending").get_by_role("button", name="Confirm as").first.click()
    await expect(page.locator("#done")).to_contain_text("on record, witness")


async def test_a_shift_by_two_people(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, people=people()) as t:
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/chips")
        await scene(page, "closed")
        await expect(page.locator("#deeds")).to_contain_text("signs in and tells it here")
        await expect(page.locator(".key")).to_have_count(0)
        await looks_right(page)

        await signs_in(page, SUPERVISOR)
        await expect(page.locator(".key[data-deed='fill']")).to_contain_text("Not now: the float was not counted yet")
        await tell(page, "opening", "1000")
        await expect(page.locator(".pending")).to_contain_text("Opening $1000 by Floor Eight waits for a witness")
        assert t.facts(FloatMoved) == []
        await looks_right(page)
        await confirmed(page, DEALER)
        await scene(page, "open")
        await expect(page.locator(".pending")).to_have_count(0)
        await expect(page.locator("#shift")).to_contain_text("for supervisors, those above, and inspectors")

        await expect(page.locator(".key[data-deed='fill']")).to_contain_text("Not now: this needs the supervisor")
        await tell(page, "buy-in", "500")
        await expect(page.locator("#done")).to_contain_text("Buy-in $500.00: on record (fact")
        await signs_in(page, SUPERVISOR)
        await tell(page, "fill", "300", slip="F17")
        await confirmed(page, DEALER)
        await signs_in(page, SUPERVISOR)
        await expect(page.locator("#shift li").first).to_contain_text("Floor Eight, witness Bay Six, slip F17")
        await looks_right(page)
        await tell(page, "closing", "1300")
        await confirmed(page, DEALER)
        await scene(page, "closed")

        await signs_in(page, MANAGER)
        await page.locator(".key[data-deed='drop']").click()
        await expect(page.locator("#deed [name=about] option")).to_have_count(2)
        await form_looks_right(page)
        await page.get_by_role("button", name="Cancel").click()
        await tell(page, "drop", "480")
        await confirmed(page, SUPERVISOR)
        await expect(page.locator("#shift")).to_contain_text("Drop box held more or less than was noted".lower())
        told = [(fact.deed, fact.amount, fact.person, fact.witness, fact.slip) for fact in t.facts(FloatMoved)]
        assert told == [
            ("opening", 100_000, "Floor Eight", "Bay Six", ""),
            ("buy-in", 50_000, "Bay Six", "", ""),
            ("fill", 30_000, "Floor Eight", "Bay Six", "F17"),
            ("closing", 130_000, "Floor Eight", "Bay Six", ""),
            ("drop", 48_000, "Pit Two", "Floor Eight", ""),
        ]
        assert {fact.place for fact in t.facts(FloatMoved)} == {"page 127.0.0.1"}


async def test_what_is_refused_says_why(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        await t.engine.submit(FloatMoved("opening", 1000_00, "Floor Eight", "supervisor", "socket"))
        page, other = await new_page(), await new_page()
        for each, badge in ((page, SUPERVISOR), (other, DEALER)):
            await no_motion(each)
            await each.goto(f"{t.daemon.pages}/chips")
            await signs_in(each, badge)
        refused = page.locator("#refused")
        await tell(page, "buy-in", "ten")
        await expect(page.locator("#deed [name=amount]:invalid")).to_be_visible()  # the browser itself says why
        for amount, why in (("0", "An amount is missing."), ("-5", "A counter-entry needs a note that says why.")):
            await page.locator("#deed [name=amount]").fill(amount)
            await page.locator("#deed .strong").click()
            await expect(refused).to_contain_text(why)
        await form_looks_right(page)
        await page.get_by_role("button", name="Cancel").click()
        await page.locator(".key[data-deed='opening']").evaluate("(key) => key.click()")
        await expect(page.locator("#done")).to_contain_text("Opening: the float was counted by fact")
        await tell(page, "fill", "100")
        code = await page.locator(".pending code").inner_text()
        await page.get_by_role("button", name="Confirm a code").click()
        await page.locator("#deed [name=code]").fill(code)
        await page.locator("#deed .strong").click()
        await expect(refused).to_contain_text("somebody else confirms it")
        assert "fill" not in {fact.deed for fact in t.facts(FloatMoved)}

        await other.get_by_role("button", name="Confirm a code").click()
        await other.locator("#deed [name=code]").fill(code.lower())
        await other.locator("#deed .strong").click()
        await expect(other.locator("#done")).to_contain_text("Fill $100.00: on record, witness Bay Six")
        await expect(page.locator("#shift li").first).to_contain_text("Fill")  # live, also where somebody else did it
        t.daemon.service.doorkeeper.stop()
        await expect(page.locator("#shift")).to_contain_text("Its numbers are for")


async def test_a_stream_of_nobody_has_no_names(tmp_path: Path) -> None:
    async with table_at(tmp_path) as t, ClientSession() as session:
        await t.engine.submit(FloatMoved("opening", 1234_00, "Floor Eight", "supervisor", "socket"))
        async with session.get(f"{t.daemon.pages}/chips/events") as answer:
            told = b""
            while not re.search(rb"event: picture\ndata: .*\n\n", told):
                told += await answer.content.readany()
        assert b'"open":true' in told
        assert not any(secret in told for secret in (b"Floor Eight", b"1234", b"fill"))
