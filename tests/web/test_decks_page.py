"""The page of the decks in a real browser: everybody sees what is in play; who is signed in does something with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import ClientSession
from playwright.async_api import Page, expect

from controller.table.facts import DeckDeed
from tests.service.clocks import Table
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.desk import PIN, SUPERVISOR, table_at

SMALL = """() => [...document.querySelectorAll("button, a, input, select")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""


async def looks_right(page: Page) -> None:
    for screen in (DESK, TABLET, WALL):
        await size(page, screen)
        assert await page.evaluate(SMALL) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(page)


async def sign_in(page: Page, badge: str) -> None:
    await page.get_by_role("button", name="Sign in").click()
    for digits, enter in ((badge, "Next"), (PIN, "Sign in")):
        for digit in digits:
            await page.locator("#sheet").get_by_role("button", name=digit, exact=True).click()
        await page.locator("#sheet .pad").get_by_role("button", name=enter, exact=True).click()
    await expect(page.locator("#person")).to_contain_text("Sign out")


async def fill(page: Page, deed: str, **words: str) -> None:
    await page.get_by_role("button", name=deed, exact=True).click()
    for label, text in words.items():
        await page.locator(f"#deed [name={label}]").fill(text)
    await page.locator("#deed .strong").click()


async def bring(t: Table) -> None:
    fact = DeckDeed("bring", "Eve", "dealer", "socket", serial="B-2", colour="red")
    await t.engine.submit(fact)


async def test_a_supervisor_brings_names_and_checks_decks(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/cards")
        await scene(page, "well")
        await bring(t)
        await expect(page.locator(".deck.reserve")).to_contain_text("without a name")
        await expect(page.get_by_text("B-2")).to_have_count(0)
        await expect(page.get_by_role("button", name="Bring a deck")).to_have_count(0)
        await looks_right(page)

        await sign_in(page, SUPERVISOR)
        await expect(page.locator(".deck.reserve")).to_contain_text("B-2")
        number = (await page.locator(".deck.reserve").get_attribute("data-number")) or ""
        await fill(page, f"Checked: deck {number}", count="52")
        await expect(page.locator("#done")).to_contain_text("Checked: recorded.")
        await expect(page.locator("#inspections")).to_contain_text("52 cards, complete, before it comes into play")
        await fill(page, "Name: deck 1", serial="B-2")
        await expect(page.locator("#refused")).to_contain_text(f"B-2 is here already, as deck {number} (rule 3.2).")
        await page.locator("#deed [name=serial]").fill("A-1")
        await page.locator("#deed .strong").click()
        await expect(page.locator(".deck[data-number='1']")).to_contain_text("A-1")
        await fill(page, "Have them counted")
        await expect(page.locator("#duties")).to_contain_text("wants it rule 3.2")
        await scene(page, "to-do")
        await looks_right(page)
        await page.get_by_role("button", name="Name: deck 2", exact=True).click()
        await check_accessible(page)
        await page.get_by_role("button", name="Cancel").click()

        fact = t.facts(DeckDeed)[1]
        assert (fact.deed, fact.count, fact.role) == ("check", 52, "supervisor")
        receipt = await page.get_by_role("link", name="Receipt of inspection 1").get_attribute("href")
        answer = await page.context.request.get(f"{t.daemon.pages}{receipt}")
        assert "style-src 'sha256-" in answer.headers["content-security-policy"]
        assert "<h1>Inspection 1 of cards at table T1</h1>" in await answer.text()


async def test_nobody_reads_names_without_signing_in(tmp_path: Path) -> None:
    async with table_at(tmp_path) as t, ClientSession() as session:
        await bring(t)
        for path in ("/decks", "/decks/inspections/1", "/decks/inspections/1/receipt"):
            async with session.get(f"{t.daemon.pages}{path}") as answer:
                assert answer.status == 401
        async with session.post(
            f"{t.daemon.pages}/decks", json={"deed": "bring"}, headers={"Origin": t.daemon.pages}
        ) as answer:
            assert answer.status == 401


async def test_the_page_says_that_it_is_cut_off(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        await page.goto(f"{t.daemon.pages}/cards")
        await scene(page, "well")
    await scene(page, "offline")
    await expect(page.locator("#cut")).to_contain_text("No connection")


@pytest.mark.parametrize("path", ["/cards/events", "/console/events"])
async def test_a_browser_that_a_name_of_others_led_here_is_told_what_everybody_is(path: str, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t, ClientSession() as session:
        await bring(t)
        async with session.get(f"{t.daemon.pages}{path}", headers={"Host": "here.example"}) as answer:
            assert answer.status == 200
            told = b""
            while b"event: picture" not in told:
                told += await answer.content.readany()
        assert b"B-2" not in told
