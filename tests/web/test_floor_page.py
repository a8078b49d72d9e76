"""The floor in a real browser: two daemons and a table that is not there, an alert, its cure, who acknowledges it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.service import floor_watch, neighbour
from controller.table.facts import AlertAcknowledged, Hold, Released
from tests.service.clocks import until
from tests.service.neighbours import HELD, RICH, fake_tables
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import NewPage
from tests.web.desk import DEALER, PIN, SUPERVISOR, cut_connections, table_at

SMALL = """() => [...document.querySelectorAll("button:not(.tile), a, input")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""
CUT_OFF = """() => [...document.querySelectorAll(".alert, .known, h1, #person p, .tile")]
  .filter((each) => each.checkVisibility() && !each.closest("[data-density=many]"))
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)"""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour, "EVERY", 0.1)
    monkeypatch.setattr(neighbour, "SILENT", 0.3)
    monkeypatch.setattr(neighbour, "AGAIN", 0.1)
    monkeypatch.setattr(floor_watch, "LOOK", 0.1)


async def looks_right(page: Page, *screens: tuple[int, int]) -> None:
    """Axe finds nothing, nothing is cut off, and what is touched is large enough, on these screens."""
    for screen in screens:
        await size(page, screen)
        assert await page.evaluate(SMALL) == []
        assert await page.evaluate(CUT_OFF) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(page)


async def sign_in(page: Page, badge: str) -> None:
    """Enters badge and PIN on the pad that is open."""
    for digits, enter in ((badge, "Next"), (PIN, "Sign in")):
        for digit in digits:
            await page.locator("#sheet").get_by_role("button", name=digit, exact=True).click()
        await page.locator("#sheet .pad").get_by_role("button", name=enter, exact=True).click()


async def test_an_alert_is_loud_until_somebody_with_the_power_acknowledges_it(
    new_page: NewPage, tmp_path: Path
) -> None:
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    async with table_at(tmp_path / "there", name="T2") as t2:
        listed = f'[floor.tables]\nT2 = "{t2.daemon.pages}"\nT3 = "http://127.0.0.1:9"\n'
        async with table_at(tmp_path / "here", more=listed) as t1:
            page, second = await new_page(), await new_page()
            for each in (page, second):
                await no_motion(each)
                await each.goto(f"{t1.daemon.pages}/floor")
            lost = page.locator(".alert", has_text="T3 is not heard: connection refused")
            await expect(lost).to_be_visible()
            await expect(page.locator(".tile[data-table=T3]")).to_have_class("tile lost")
            await expect(page.locator(".tile[data-table=T2]")).to_contain_text("between rounds")

            await t2.engine.submit(Hold("device.gap", "2 events are missing", "shoe"))
            held = page.locator(".alert", has_text="2 events are missing")
            await expect(held).to_contain_text("T2 Held")
            await expect(page.locator(".tile[data-table=T2]")).to_have_class("tile stands")
            await expect(page.locator("#heard")).to_contain_text("T2: Held.")
            await scene(page, "alarm")
            await looks_right(page, TABLET, WALL, DESK)

            await scene(page, "alarm")  # what it heard last may be long ago: a button takes no focus then
            await held.get_by_role("button").focus()
            await t2.engine.submit(Released("device.gap", "shoe"))
            await expect(held.locator(".gone")).to_contain_text("Its cause is gone")
            assert await page.locator(".alert b").all_text_contents() == ["T3", "T2"]
            await expect(held.get_by_role("button")).to_be_focused()  # it has moved, and so has the focus
            await expect(page.locator(".tile[data-table=T2]")).to_have_class("tile well")

            await held.get_by_role("button").click()  # nobody is signed in
            await sign_in(page, DEALER)
            await expect(held.locator(".refusal")).to_contain_text("This needs the supervisor.")
            await expect(page.locator("#person")).to_contain_text("Bay Six")
            await page.locator("#person button").click()  # signs out
            await held.get_by_role("button").click()
            await sign_in(page, SUPERVISOR)
            await expect(held).to_have_count(0)
            await expect(second.locator(".alert", has_text="2 events are missing")).to_have_count(0)

            await lost.get_by_role("button").focus()
            await page.keyboard.press("Enter")
            await expect(page.locator(".known", has_text="T3 is not heard")).to_contain_text("acknowledged")
            await expect(page.locator("#summary")).to_contain_text("nothing to acknowledge")
            assert "Eight" not in await second.content()  # who it was is on record, not on a wall
            facts = [each for each in t1.facts(AlertAcknowledged) if each.role == "supervisor"]
            assert [(each.person, each.place, each.table) for each in facts] == [
                ("Floor Eight", "page 127.0.0.1", "T2"),
                ("Floor Eight", "page 127.0.0.1", "T3"),
            ]
            await page.locator(".tile[data-table=T2]").focus()
            await page.keyboard.press("Enter")
            closely = page.locator("#closely")
            await expect(closely).to_contain_text("Casino War, document 004")
            await expect(closely.get_by_role("link")).to_have_attribute("href", f"{t2.daemon.pages}/table")
            await looks_right(page, DESK)
            await page.keyboard.press("Escape")
            await expect(closely).to_be_hidden()


async def test_a_button_has_the_focus_again_when_the_page_was_cut_off(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path, more='[floor.tables]\nT3 = "http://127.0.0.1:9"\n') as t:
        await page.goto(f"{t.daemon.pages}/floor")
        button = page.locator(".alert").get_by_role("button")
        await button.focus()
        await expect(button).to_be_focused()
        await page.route("**/events*", lambda route: route.abort())
        cut_connections(t)
        await scene(page, "offline")
        await expect(button).not_to_be_focused()
        await page.unroute("**/events*")
        await expect(button).to_be_focused()


async def test_many_tables_fit_and_a_page_without_a_daemon_says_so(page: Page, tmp_path: Path) -> None:
    names = [f"T{n}" for n in range(2, 41)]
    async with fake_tables(*names) as tables:
        tables["T5"].change(alerts=(HELD,))
        tables["T6"].change(meter=RICH, open=False)
        listed = "".join(f'{name} = "{each.at}"\n' for name, each in tables.items())
        async with table_at(tmp_path, more=f"[floor.tables]\n{listed}") as t:
            await no_motion(page)
            await page.goto(f"{t.daemon.pages}/floor")
            await expect(page.locator(".tile")).to_have_count(40)
            await expect(page.locator(".tile.waited")).to_have_count(0)
            await expect(page.locator(".tile.closed")).to_have_count(1)
            await until(lambda: bool(t.engine.table.alerts))
            await expect(page.locator(".alert")).to_have_count(1)
            await looks_right(page, TABLET, DESK)
            last = await page.locator(".tile").last.bounding_box()
            assert last is not None and last["y"] + last["height"] <= DESK[1]  # all of them on one screen
        await scene(page, "offline")
        await expect(page.locator("#cut")).to_contain_text("nothing can be acknowledged")
        await check_accessible(page)
