"""A tournament in a real browser: the director runs it by touch, and the room sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from controller.jackpot.stores.store import StoreError
from controller.service.cup_record import CupRecord
from controller.service.tournament_door import head_of
from controller.tournament.deeds import DeskKey, PeopleEntered
from tests.daemon.test_tournament import ONE_TABLE
from tests.service.clocks import Table
from tests.service.kept import until
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import NewPage
from tests.web.cup import CUP, DEPUTY, DIRECTOR, MANAGER, cup_at, cups_of, people, play
from tests.web.desk import Desk as Console
from tests.web.desk import table_at
from tests.web.test_floor_page import SMALL, sign_in

HOLDEM = (Path(__file__).parents[2] / "examples/tournaments/holdem-night.toml").read_text()
CUT_OFF = """() => [...document.querySelectorAll("h1, #person p, .key, .table, .one, #clock, #limits, dd, li span")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.scrollWidth > each.clientWidth + 1
    || (each.matches(".key, .table, .one") && each.scrollHeight > each.clientHeight + 1))
  .map((each) => each.textContent)"""


async def at_desk(page: Page, t: Table, badge: str = DIRECTOR) -> None:
    await no_motion(page)
    await page.goto(f"{t.daemon.pages}/tournament/{CUP}/desk")
    await scene(page, "nobody")
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await sign_in(page, badge)


def key(page: Page, name: str) -> Locator:
    return page.locator(f"#keys [data-key={name}]")


async def say_yes(page: Page) -> None:
    await page.locator("#sheet button[type=submit]").click()
    await expect(page.locator("#sheet")).not_to_be_visible()


async def looks_right(page: Page, *screens: tuple[int, int]) -> None:
    """Axe finds nothing, nothing is cut off, and what is touched is large enough, on these screens."""
    for screen in screens:
        await size(page, screen)
        assert await page.evaluate(SMALL) == []
        assert await page.evaluate(CUT_OFF) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(page)


async def test_the_director_runs_a_tournament_by_touch_and_the_room_sees_it(new_page: NewPage, tmp_path: Path) -> None:
    async with cup_at(tmp_path) as t:
        page, wall = await new_page(), await new_page()
        await no_motion(wall)
        await wall.goto(f"{t.daemon.pages}/tournament/{CUP}")
        await scene(wall, "open")
        await expect(wall.locator("#name")).to_have_text(CUP)
        await at_desk(page, t)
        await scene(page, "open")
        await key(page, "enter").click()
        await page.get_by_label("Names").fill("Ann Arbor, Bob, Cem, Dee")
        await page.locator("#sheet button[type=submit]").click()
        await expect(page.locator("#sheet .refusal")).to_contain_text("The terms are not available to patrons yet")
        await page.locator("#sheet").get_by_role("button", name="Cancel").click()
        for name in ("publish", "advise", "briefed"):
            await key(page, name).click()
            await say_yes(page)
            await expect(key(page, name)).to_contain_text("done")
        await key(page, "enter").click()
        await page.get_by_label("Names").fill("Ann Arbor, Bob, Cem, Dee")
        await say_yes(page)
        await expect(page.locator(".one")).to_have_count(4)
        await expect(wall.locator("#ranking li")).to_have_count(4)
        await expect(wall.locator("#ranking")).to_contain_text("Ann Arbor")
        await looks_right(page, DESK, TABLET)
        await looks_right(wall, WALL, TABLET)
        await key(page, "start").click()
        await say_yes(page)
        await scene(page, "running")
        await scene(wall, "running")
        await expect(wall.locator("#clock")).to_have_text("8")
        await play(t)
        await expect(page.locator(".one b").first).to_have_text("1")
        await expect(page.locator(".one", has_text="$1,100")).to_have_count(1)
        await page.locator(".one", has_text="Bob").get_by_role("button").click()
        await looks_right(page, DESK)
        await page.locator("#sheet").get_by_role("button", name="Penalty in chips").click()
        await page.get_by_label("Chips that leave the bank").fill("300")
        await say_yes(page)
        await looks_right(page, DESK, TABLET, WALL)
        await looks_right(wall, WALL, DESK, TABLET)
        await page.locator(".one", has_text="Cem").get_by_role("button").click()
        await page.locator("#sheet").get_by_role("button", name="Disqualify").click()
        await looks_right(page, DESK)
        await say_yes(page)
        await expect(page.locator(".one", has_text="Cem")).to_contain_text("disqualified (rule 10.4.8(a)(ii))")
        await page.locator("[data-table=T1]").click()
        await page.locator("#sheet").get_by_role("button", name="End early").click()
        await page.locator("#sheet button[type=submit]").click()
        await expect(page.locator("#sheet .refusal")).to_contain_text("(rule 10.4.8(d))")
        await page.locator("#sheet").get_by_role("button", name="Cancel").click()
        await play(t)
        await scene(page, "over")
        await expect(wall.locator("#clock")).to_have_text("$400")
        await expect(wall.locator("#ranking li").first).to_have_class("won")
        await key(page, "award").click()
        await say_yes(page)
        await expect(page.locator("#summary")).to_contain_text("awarded")
        await looks_right(page, DESK)
        await looks_right(wall, WALL)


async def test_nobody_else_runs_it(new_page: NewPage, tmp_path: Path) -> None:
    async with cup_at(tmp_path) as t:
        page = await new_page()
        await at_desk(page, t, DEPUTY)
        await expect(page.locator("#keys")).to_contain_text("Desk Two was not appointed a deputy")
        await expect(page.locator("#people")).to_be_empty()
        await looks_right(page, DESK)
        director = await new_page()
        await at_desk(director, t)
        await key(director, "deputy").click()
        await director.get_by_label("Name, as people.toml has it").fill("Desk Two")
        await say_yes(director)
        await expect(key(page, "publish")).to_be_visible()
        await key(page, "publish").click()
        await say_yes(page)
        await expect(key(director, "publish")).to_contain_text("done")


async def test_pages_say_when_the_record_cannot_be_reached(
    new_page: NewPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cup_at(tmp_path) as t:
        page, wall = await new_page(), await new_page()
        await wall.goto(f"{t.daemon.pages}/tournament/{CUP}")
        await scene(wall, "open")
        await at_desk(page, t)
        await scene(page, "open")

        async def unreachable(_name: str) -> CupRecord:
            raise StoreError("jackpot.unreachable", "the server does not answer")

        with monkeypatch.context() as patch:
            patch.setattr(cups_of(t), "record", unreachable)
            await scene(wall, "offline")
            await scene(page, "offline")
            await expect(wall.locator("#stage")).to_have_text("No connection")
            await expect(page.locator("#cut")).to_contain_text("nothing can be done")
            await looks_right(page, DESK)
        await scene(wall, "open")
        await scene(page, "open")
        await expect(page.locator("#cut")).to_be_empty()


async def test_every_tournament_is_listed_with_its_pages(new_page: NewPage, tmp_path: Path) -> None:
    async with cup_at(tmp_path) as t:
        page = await new_page()
        await page.goto(t.daemon.pages)
        await expect(page.get_by_role("link", name="/tournament", exact=True)).to_be_visible()
        await page.get_by_role("link", name="/tournament", exact=True).click()
        await looks_right(page, DESK)
        await page.get_by_role("link", name=CUP).click()
        await scene(page, "open")
        await page.goto(f"{t.daemon.pages}/tournament")
        await page.get_by_role("link", name="desk").click()
        await scene(page, "nobody")


WRONG = 'name = "Autumn Cup"\ngame = "three-card-poker"\nbank = "much"\nlevles = ["10-500"]\nchips = "cash"\n'


async def test_the_director_opens_a_tournament_with_terms_that_are_told_every_mistake(
    new_page: NewPage, tmp_path: Path
) -> None:
    async with cup_at(tmp_path) as t:
        page = await new_page()
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/tournament")
        await page.get_by_role("link", name="Open a tournament").click()
        await scene(page, "nobody")
        await expect(page.locator("#open")).to_be_disabled()
        await looks_right(page, DESK)
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await sign_in(page, DIRECTOR)
        await scene(page, "writing")
        await page.locator("#terms").fill(WRONG)
        await page.locator("#open").click()
        await expect(page.locator(".mistake", has_text="line 3, bank")).to_contain_text("rule 10.4.3(b)")
        await expect(page.locator(".mistake", has_text="line 4, levles")).to_contain_text('did you mean "levels"?')
        await expect(page.locator(".mistake", has_text="line 5, chips")).to_contain_text("rule 10.4.4(a)")
        await expect(page.locator(".mistake", has_text="dispute")).to_contain_text("rule 10.4.8(h)")
        await expect(page.get_by_role("heading", name="mistakes")).to_be_visible()
        await looks_right(page, DESK, TABLET)
        await page.locator(".mistake", has_text="line 4").click()
        assert await page.evaluate("getSelection().toString()") == 'levles = ["10-500"]'
        assert len(await cups_of(t).all()) == 1  # nothing was opened
        used = ONE_TABLE.encode()
        await page.locator("#file").set_input_files({"name": "cup.toml", "mimeType": "text/plain", "buffer": used})
        await expect(page.locator(".fit")).to_have_text("Spring Cup, casino-war: these terms can be used.")
        await page.locator("#open").click()
        await expect(page.locator(".refusal")).to_contain_text("There is a tournament 'Spring Cup' already")
        autumn = ONE_TABLE.replace("Spring Cup", "Autumn Cup").replace('"60%", "30%", "10%"', '"60%", "30%"')
        await page.locator("#terms").fill(autumn)
        await page.locator("#check").click()
        await expect(page.locator(".mistake.hint", has_text="line 47")).to_contain_text("come to less than 100%")
        await looks_right(page, DESK)
        await page.locator("#open").click()
        await page.wait_for_url("**/tournament/Autumn%20Cup/desk")
        await scene(page, "open")
        await expect(key(page, "publish")).to_be_visible()


async def test_a_manager_designates_the_table_by_touch(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path, people=people()) as t:
        cups = cups_of(t)
        console = Console(await new_page(), t)
        await console.open()
        await console.sign_in(MANAGER)
        await console.tab("Rulings")
        await console.press("set", "tournament")
        await expect(console.sheet).to_contain_text("No tournament of this game is open.")
        await console.page.keyboard.press("Escape")
        for text in (ONE_TABLE, ONE_TABLE.replace("Spring Cup", "Autumn Cup"), HOLDEM):
            await cups.open(head_of(text, "Desk One", cups.now()))
        await console.press("set", "tournament")
        words = console.sheet.locator(".choices [data-word]")
        await expect(words).to_have_text(["Autumn Cup", "Spring Cup"])  # and none of another game
        await console.sheet.get_by_role("button", name="Type a name").click()
        await expect(console.sheet.get_by_role("textbox")).to_be_focused()
        await console.page.keyboard.press("Escape")
        await console.press("set", "tournament", "Spring-Cup")
        await console.sheet.get_by_role("button", name="Press Set tournament=Spring-Cup").click()
        await until(lambda: cups.own_play() is not None)
        await expect(console.key("absent")).to_be_visible()  # the page knows, too
        await console.press("set")
        await expect(console.sheet.locator("[data-word=tournament]")).to_contain_text("now Spring-Cup")
        await console.sheet.locator("[data-word=tournament]").click()
        await expect(words).to_have_text(["Autumn Cup", "none"])
        await looks_right(console.page, TABLET)
        await console.page.keyboard.press("Escape")
        await console.press("notice")
        await expect(console.sheet.locator("[data-word=min]")).to_be_visible()
        await expect(console.sheet.locator("[data-word=tournament]")).to_have_count(0)


async def test_the_dealer_says_who_is_absent_or_passes_by_touch(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path, seats=7, people=people()) as t:
        cups = cups_of(t)
        console = Console(await new_page(), t)
        await console.open()
        await console.tab("Rulings")
        await expect(console.key("marker")).to_be_visible()
        await expect(console.key("absent")).to_have_count(0)
        await cups.open(head_of(ONE_TABLE, "Desk One", cups.now()))
        await cups.designate(CUP)
        for name in ("publish", "advise", "briefed"):
            await cups.do(CUP, DeskKey(name))
        await cups.do(CUP, PeopleEntered(("Ann", "Bob", "Cem")))
        await cups.do(CUP, DeskKey("start"))
        await console.sign_in(MANAGER)
        await console.press("absent", "2")
        await console.sheet.get_by_role("button", name="Press Absent 2").click()
        await until(lambda: (own := cups.own_play()) is not None and own.absent == ["2"])
        await console.press("marker", "3", "pass")
        await until(lambda: (own := cups.own_play()) is not None and own.passing == ["3"])


async def test_nobody_else_opens_one(new_page: NewPage, tmp_path: Path) -> None:
    async with cup_at(tmp_path) as t:
        page = await new_page()
        await no_motion(page)
        await page.goto(f"{t.daemon.pages}/tournament-desk")
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await sign_in(page, DEPUTY)
        await page.locator("#terms").fill(ONE_TABLE)
        await page.locator("#open").click()
        await expect(page.locator(".refusal")).to_contain_text("This needs the tournament director")
