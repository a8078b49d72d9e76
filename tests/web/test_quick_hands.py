"""Quick hands and slow answers on the console's page: nothing is pressed twice, for others, by others, or lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from controller.table.facts import Hold, Key
from tests.service.clocks import PATIENCE, until
from tests.web.browser import check_accessible, scene
from tests.web.desk import DEALER, PIN, SUPERVISOR, Desk, cut_connections, poker_at, table_at


async def stop_time(page: Page) -> None:
    """From now on time passes on the page only as the test says; its clock must be installed."""
    await page.clock.pause_at(await page.evaluate("Date.now() / 1000 + 1"))


@pytest.mark.parametrize("heard", [True, False])
async def test_touches_come_in_their_order_once_each_and_none_behind_a_refusal(
    page: Page, tmp_path: Path, heard: bool
) -> None:
    answer = asyncio.Event()

    async def later(route: Route) -> None:
        await answer.wait()
        await (route.continue_() if heard else route.abort())

    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        for area in (1, 2):
            await t.do(f"sensor.{area}", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        for card in ("9h", "9d", "9c"):
            await t.do("shoe", "draw", card)
        await page.route("**/keys", later)
        for place in ("1", "1", "2"):
            await desk.touch_word(place, "Surrender")
        status = page.get_by_role("status")
        await expect(status).to_have_text("Surrender 1, Surrender 2: not taken yet.")  # nobody deals on that
        await check_accessible(page)
        answer.set()
        await desk.answered()
        no = "Surrender 1: the table is not heard. Not pressed: Surrender 2."
        await expect(status).to_have_text("Surrender 2: done." if heard else no)
        pressed = [(fact.key, fact.args) for fact in t.facts(Key)][1:]
        assert pressed == ([("surrender", ("1",)), ("surrender", ("2",))] if heard else [])


async def test_a_hand_that_touches_twice_decides_for_nobody_else(page: Page, tmp_path: Path) -> None:
    async with poker_at(tmp_path) as t:
        desk = Desk(page, t)
        await page.clock.install()  # no time passes on the page by itself, later on
        await desk.open()
        await desk.sign_in(DEALER)
        await t.dealt()
        fold = page.locator(".decision .answer", has_text="Fold")
        await expect(page.locator(".decision[data-place='3']")).to_be_visible()
        await page.clock.run_for(500)
        await stop_time(page)
        box = await fold.bounding_box()
        assert box is not None
        for _ in range(2):
            await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            await desk.answered()
            await expect(page.locator(".decision[data-place='1']")).to_be_visible()
            await expect(page.get_by_role("status")).to_have_text("Act 3 fold: done.")
        await page.clock.run_for(500)
        await fold.click()
        await expect(page.get_by_role("status")).to_have_text("Act 1 fold: done.")
        assert [fact.args for fact in t.facts(Key)][-2:] == [("3", "fold"), ("1", "fold")]


async def test_who_touches_twice_has_not_said_yes(page: Page, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await page.clock.install()
        await desk.open()
        await desk.sign_in(SUPERVISOR)
        await t.do("sensor.1", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        await t.engine.submit(Hold("journal.behind", "its memory is ahead of the journal", "shoe"))
        void = desk.matter("The table is held").get_by_role("button", name="Void")
        await expect(void).to_be_visible()
        await page.clock.run_for(500)
        await stop_time(page)
        await void.click()
        yes = desk.sheet.get_by_role("button", name="Yes: Void")
        await expect(yes).to_have_css("pointer-events", "none")
        await page.clock.run_for(500)
        await yes.click()
        await until(lambda: t.engine.table.round is not None and t.engine.table.round.outcome == "void")


async def test_what_somebody_touched_is_pressed_by_nobody_who_signs_in_after_them(page: Page, tmp_path: Path) -> None:
    answer = asyncio.Event()

    async def told_late(route: Route) -> None:
        response = await route.fetch()
        await answer.wait()
        await route.fulfill(response=response)

    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        for area in (1, 2):
            await t.do(f"sensor.{area}", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        for card in ("9h", "9d", "9c"):
            await t.do("shoe", "draw", card)
        await page.route("**/keys", told_late)
        row = page.locator(".decision[data-place='2']")
        await desk.touch_word("2", "Surrender")
        await desk.touch_word("1", "Surrender")
        await expect(row).to_have_count(0)  # it is taken, and the answer is on its way
        await page.locator("#person button").click()
        await expect(page.locator("#person button")).to_have_text("Sign in")
        await desk.sign_in(SUPERVISOR)
        await expect(page.locator("#person")).to_contain_text("Floor Eight")
        answer.set()
        await desk.answered()
        await expect(page.get_by_role("status")).to_have_text("Surrender 1: who touched it is not signed in any more.")
        assert [(fact.args, fact.person) for fact in t.facts(Key)][1:] == [(("2",), "Bay Six")]


async def test_an_answer_from_before_a_sign_in_signs_nobody_out(page: Page, tmp_path: Path) -> None:
    asked, signed_in = asyncio.Event(), asyncio.Event()

    async def told_late(route: Route) -> None:
        response = await route.fetch()
        asked.set()
        await signed_in.wait()
        await route.fulfill(response=response)

    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await page.route("**/me", told_late)
        await desk.open()
        await asyncio.wait_for(asked.wait(), PATIENCE)
        await desk.sign_in(DEALER)
        await expect(page.locator("#person")).to_contain_text("Bay Six")
        async with page.expect_response("**/me") as told:
            signed_in.set()
        await (await told.value).finished()
        await t.do("sensor.1", "bet", {"war": 1000})
        await desk.press("no-more-bets")
        assert t.facts(Key)[-1].person == "Bay Six"


async def test_a_page_that_stood_still_reads_what_came_meanwhile_before_it_says_that_it_is_cut_off(
    page: Page, tmp_path: Path
) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await page.clock.install()
        await desk.open()
        await stop_time(page)
        await page.clock.fast_forward(5000)  # its timers ring late, as on a busy computer
        assert await page.locator("body").get_attribute("data-scene") == "between-rounds"
        await t.do("sensor.1", "bet", {"war": 1000})
        await expect(page.locator("#told")).to_contain_text("Round 1 opens")
        await page.clock.run_for(1500)
        assert await page.locator("body").get_attribute("data-scene") != "offline"
        await page.route("**/events*", lambda route: route.abort())
        cut_connections(t)
        await page.clock.run_for(2500)
        await scene(page, "offline")


async def test_who_was_entering_a_pin_when_the_table_was_not_heard_goes_on_by_keyboard(
    page: Page, tmp_path: Path
) -> None:
    async with table_at(tmp_path) as t:
        desk = Desk(page, t)
        await desk.open()
        await page.locator("#person button").click()
        await page.keyboard.type(DEALER)
        await page.keyboard.press("Enter")
        await page.keyboard.type(PIN[:2])
        await page.route("**/events*", lambda route: route.abort())
        cut_connections(t)
        await scene(page, "offline")
        field = page.get_by_label("PIN of badge")
        await expect(field).not_to_be_focused()
        await page.unroute("**/events*")
        await expect(field).to_be_focused()
        await page.keyboard.type(PIN[2:])
        await page.keyboard.press("Enter")
        await expect(page.locator("#person")).to_contain_text("Bay Six")
