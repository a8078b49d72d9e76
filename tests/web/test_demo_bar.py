"""The bar of the demo above the felt, in a real browser: its buttons do what they say, and axe finds nothing."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page, expect

from tests.cli.test_demo_show import visited
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, size

BAR = "#demo"  # the felt below it plays on by itself; test_table_page.py looks at that at rest


async def test_the_bar_of_a_table_that_does_not_play_itself(page: Page, tmp_path: Path) -> None:
    async with visited(tmp_path, "casino-war", rounds=0) as visitor:
        await page.goto(f"{visitor.at}/table")
        bar = page.get_by_role("navigation", name="Demo")
        await expect(bar).to_contain_text("nobody deals at this table")
        await expect(bar.get_by_role("button")).to_have_text(["Jam the shoe", "Pull its cable"])
        await check_accessible(page, BAR)


async def test_the_bar_of_the_demo(page: Page, tmp_path: Path) -> None:
    async with visited(tmp_path, "casino-war") as visitor:
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{visitor.at}/table")
        bar = page.get_by_role("navigation", name="Demo")
        await expect(bar).to_contain_text("this table plays itself")
        pause = bar.get_by_role("button", name="Pause")
        await pause.click()
        go_on = bar.get_by_role("button", name="Go on")
        await expect(go_on).to_have_attribute("aria-pressed", "true")
        await check_accessible(page, BAR)
        await bar.get_by_role("button", name="Jam the shoe").click()
        await expect(bar.get_by_role("button", name="Clear the jam")).to_be_visible()
        await expect(page.locator("#troubles")).to_contain_text("jam")
        for screen in (TABLET, WALL, DESK):
            await size(page, screen)
            await check_accessible(page, BAR)
        await bar.get_by_role("button", name="Clear the jam").focus()
        await page.keyboard.press("Enter")
        await expect(bar.get_by_role("button", name="Jam the shoe")).to_be_visible()
        await go_on.click()
        await expect(pause).to_be_visible()
