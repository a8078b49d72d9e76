"""What axe finds on each page, in each of its scenes: nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, expect

from controller.table.state import Notice
from controller.views.meter_face import Offer
from tests.web.browser import DESK, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import House, opened


async def check(page: Page, name: str) -> None:
    """Checks the page in one scene, on both kinds of screens."""
    await scene(page, name, hold=True)
    for screen in (DESK, WALL):
        await size(page, screen)
        await check_accessible(page)


@pytest.mark.parametrize("name", ["winner", "won", "base"])
async def test_a_hit(house: House, page: Page, name: str) -> None:
    house.hit()
    await no_motion(page)
    await page.goto(f"{house.at}/display/jackpot")
    await check(page, name)


@pytest.mark.parametrize(
    ("offer", "fault", "name"),
    [
        ("running", False, "amount"),
        ("running", True, "fault"),
        ("running", True, "pending"),
        ("closed", False, "closed"),
        ("none", False, "none"),
    ],
)
async def test_the_jackpot(house: House, page: Page, offer: Offer, fault: bool, name: str) -> None:
    displays = house.service.outputs.displays
    displays.face = replace(displays.face, offer=offer, fault=fault)
    await no_motion(page)
    await page.goto(f"{house.at}/display/jackpot")
    await check(page, name)


@pytest.mark.parametrize("name", ["jackpot", "limits"])
async def test_a_page_that_is_cut_off(house: House, page: Page, name: str) -> None:
    await no_motion(page)
    await page.goto(f"{house.at}/display/{name}")
    await scene(page, "amount" if name == "jackpot" else "open")
    await house.pages.stop()
    await check(page, "offline")


@pytest.mark.parametrize("name", ["jackpot", "limits"])
async def test_a_page_that_never_heard_a_word(house: House, page: Page, name: str) -> None:
    await no_motion(page)
    await page.route("**/events", lambda route: route.abort())
    await page.goto(f"{house.at}/display/{name}")
    await check(page, "offline")


@pytest.mark.parametrize(
    ("game", "options"), [("caribbean-stud", {}), ("holdem", {"rake": "5%", "cap": "10", "buy_in": "1000"})]
)
async def test_the_limit_sign(page: Page, game: str, options: dict[str, str]) -> None:
    async with opened(game, **options) as house:
        table = house.service.engine.table
        table.notices = [Notice({"min": "25"}, 0, 0)]
        await no_motion(page)
        await page.goto(f"{house.at}/display/limits")
        await check(page, "open")
        table.open = False
        await check(page, "closed")
        table.game = ""  # none is chosen yet
        await expect(page.get_by_role("heading", level=1)).to_have_text("Table limits")
        await check(page, "closed")
