"""The felt in a real browser: whole rounds with what goes wrong in them, on every kind of screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from playwright.async_api import Page, expect

from controller.errors import FeltError
from controller.table.facts import AnyFact, DeviceFault, DeviceLost, DeviceReady, Hold
from controller.web import felt as feed
from tests.web.browser import DESK, TABLET, WALL, check_accessible, no_motion, scene, size
from tests.web.conftest import House, NewPage, opened
from tests.web.playing import play

SCREENS = (DESK, TABLET, WALL)
GAP = "Older lines are not kept here"
READY = ("checked", "shuffled", "cut")
# Whether all that lies on the felt is on it, no label is cut off, and no area covers another one.
ON_THE_FELT = """() => {
  const felt = document.getElementById("felt").getBoundingClientRect();
  const wrong = [];
  for (const area of document.querySelectorAll(".area")) {
    const box = area.getBoundingClientRect();
    if (box.left < felt.left || box.right > felt.right || box.top < felt.top || box.bottom > felt.bottom)
      wrong.push(`area ${area.dataset.place} is not on the felt`);
  }
  for (const label of document.querySelectorAll(".spot i, .plate, h1"))
    if (label.scrollWidth > label.clientWidth + 1) wrong.push(`cut off: ${label.textContent}`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen");
  return wrong;
}"""


FIRST_DUE_CUT_OFF = """() => {
  const [all, first] = ["#waiting", "#waiting li"].map((each) => document.querySelector(each).getBoundingClientRect());
  return first.bottom > all.bottom + 1 ? document.querySelector("#waiting li").textContent : "";
}"""


class Moment(NamedTuple):
    """What happens next, and what people read then: where, which words."""

    deeds: Sequence[str | AnyFact]
    shown: dict[str, str]


CUT = Moment(
    [DeviceLost("shoe", "link.silent", "secret")],
    {"#troubles": "The shoe cannot be reached.", "#story": "The shoe cannot be reached."},
)
BACK = Moment([DeviceReady("shoe")], {"#story": "The shoe is back."})
GAMES: dict[str, list[Moment]] = {
    "casino-war": [
        Moment(["bet 1 war=10 tie=5", "bet 3 war=25"], {"#areas": "$25", "#gates": "Bets open"}),
        Moment(["no-more-bets"], {"#story": "No more bets.", "#gates": "Bets closed"}),
        CUT,
        BACK,
        Moment(["bet 5 war=10"], {"#story": "Area 5: Chips came after the announcement."}),
        Moment(["draw Kh 9d 4c Kd"], {"#waiting": "Area 1 decides"}),
        Moment(["surrender 1", "settle"], {"#story": "Area 1: "}),
        Moment(["settle"], {"#story": "loses $25"}),
    ],
    "caribbean-stud": [
        Moment(["bet 1 ante=10", "bet 2 ante=10", "no-more-bets"], {"#areas": "$10"}),
        Moment(["draw 5h 9d Ks 6h 9c"], {"#dealer": "Dealer"}),
        CUT,
        BACK,
        Moment(["draw Kd 7h 2d Qs 8h 3c Jc 9h 4c 2s"], {"#waiting": "Area 1 decides: 20 on bet"}),
        Moment(["bet 1 bet=15"], {"#story": "Refused: "}),
        Moment(["bet 1 bet=20", "fold 2"], {"#areas": "folds", "#dealer": "qualifies rule 8.2"}),
        Moment(["settle"], {"#story": "straight flush pays 50 to 1", "#areas": "+$1,010"}),
    ],
    "ultimate-texas-holdem-vic": [
        Moment(["bet 1 ante=10 blind=10 trips=5", "bet 2 ante=10 blind=10"], {"#areas": "$5"}),
        Moment(["no-more-bets", "draw Ah Kd 2c Ad Kc 7s"], {"#waiting": "Area 1 decides"}),
        CUT,
        BACK,
        Moment(["bet 1 play=40", "check 2"], {"#areas": "checks"}),
        Moment(["draw As 3h 4d"], {"#board": "Board", "#waiting": "Area 2 decides"}),
        Moment(["fold 2"], {"#story": "Refused: "}),
        Moment(["check 2", "draw 9c 8d", "bet 2 play=10"], {"#story": "Area 2 puts $10 on play."}),
        Moment(["settle"], {"#story": "three of a kind, aces"}),
    ],
    "holdem": [
        Moment(["seat 1 stack=500", "seat 2 stack=500", "seat 3 stack=500"], {"#areas": "$500"}),
        Moment(["act 1 post 5", "act 2 post 10"], {"#story": "Seat 2 posts $10."}),
        Moment(["read 1 Ah", "read 2 Kd", "read 3 2c"], {"#waiting": "Deal"}),
        Moment(
            [DeviceLost("reader.board", "link.silent", "x")],
            {"#troubles": "The card reader of the board cannot be reached."},
        ),
        Moment([DeviceReady("reader.board")], {"#story": "The card reader of the board is back."}),
        Moment(["read 1 As", "read 2 Kc", "read 3 7d"], {"#waiting": "Seat 3 acts"}),
        Moment(["act 2 fold"], {"#story": "out of turn"}),
    ],
}


async def open_table(page: Page, house: House) -> None:
    await no_motion(page)
    await size(page, DESK)
    await page.goto(f"{house.at}/table")
    await scene(page, f"between-{house.service.engine.game.called.round}s")


@pytest.mark.parametrize("game", GAMES)
async def test_a_round_in_which_something_goes_wrong(game: str, page: Page) -> None:
    async with opened(game) as house:
        await play(house, *READY)
        await open_table(page, house)
        for deeds, shown in GAMES[game]:
            await play(house, *deeds)
            for where, words in shown.items():
                await expect(page.locator(where)).to_contain_text(words, use_inner_text=True, ignore_case=True)
        for screen in SCREENS:
            await size(page, screen)
            assert await page.evaluate(ON_THE_FELT) == []
            await check_accessible(page)


@pytest.mark.parametrize(
    ("fact", "name", "words"),
    [
        (Hold("journal.behind", "its memory is ahead of the journal", "shoe"), "held", "Table held"),
        (DeviceFault("shoe", "shoe.jam", "secret"), "between-rounds", ""),
    ],
)
async def test_what_stops_the_table(fact: AnyFact, name: str, words: str, page: Page) -> None:
    async with opened("caribbean-stud", jackpot="nsw") as house:
        await play(house, *READY)
        await open_table(page, house)
        await play(house, fact)
        await scene(page, name)
        await expect(page.locator("#stamp")).to_have_text(words)
        await expect(page.locator(".trouble")).to_have_count(1)
        assert "secret" not in await page.content()
        for screen in SCREENS:
            await size(page, screen)
            await check_accessible(page)


async def test_a_long_question_is_read_whole(page: Page) -> None:
    async with opened("caribbean-stud") as house:
        await play(house, *READY)
        await open_table(page, house)
        await play(house, "bet 1 ante=10", "bet 2 ante=10", "no-more-bets")
        await play(house, "draw 5h 9d Ks 6h 9c Kd 7h 2d Qs 8h 3c Jc 9h 4c 2s", "short 2")
        await expect(page.locator("#waiting")).to_contain_text("(press void)")
        for screen in SCREENS:
            await size(page, screen)
            assert await page.evaluate(FIRST_DUE_CUT_OFF) == ""


async def test_out_of_service(page: Page) -> None:
    async with opened("casino-war") as house:
        await play(house, *READY, "bet 1 war=10")
        await no_motion(page)
        await page.goto(f"{house.at}/table")
        await scene(page, "betting")
        house.service.engine.defect = FeltError("table.defect", "x", "")
        house.pages._wake()
        await scene(page, "stopped")
        await expect(page.locator("#stamp")).to_have_text("Out of service")
        await expect(page.locator("#gates")).to_contain_text("Bets closed")
        await check_accessible(page)


async def test_an_area_by_keyboard_and_by_touch(page: Page) -> None:
    async with opened("caribbean-stud") as house:
        await play(house, *READY)
        await open_table(page, house)
        await play(house, "bet 2 ante=10", "no-more-bets")
        details = page.locator("#details")
        await expect(details).to_be_hidden()
        plate = page.get_by_role("button", name="Area 2, details")
        await plate.focus()
        await page.keyboard.press("Enter")
        await expect(details).to_contain_text("ante $10")
        await expect(plate).to_have_attribute("aria-expanded", "true")
        await check_accessible(page)
        await play(house, "draw 5h 9d 6h 9c 7h 2d 8h 3c 9h 4c")
        await expect(details).to_contain_text("5 cards face down")
        await page.keyboard.press("Escape")
        await expect(details).to_be_hidden()
        await expect(page.get_by_role("button", name="Area 2, has to decide, details")).to_be_focused()
        await play(house, "fold 2")
        await expect(page.locator(".area[data-place='2']")).to_contain_text("folds")
        await expect(plate).to_be_focused()  # also when the area is drawn anew
        await page.locator(".area[data-place='3']").click()
        await expect(details).to_contain_text("Nothing lies here.")
        await page.get_by_role("button", name="Close").click()
        await expect(details).to_be_hidden()


async def test_what_happens_is_read_aloud_and_what_was_before_is_not(page: Page) -> None:
    async with opened("casino-war") as house:
        await play(house, *READY, "bet 1 war=10")
        await page.goto(f"{house.at}/table")
        log = page.get_by_role("log")
        await expect(log).to_contain_text("Round 1 opens.")
        await expect(log).to_have_attribute("aria-live", "polite")
        await play(house, "no-more-bets", "draw Kh 9d", "settle")
        await expect(log.locator(".won")).to_contain_text("Area 1: wins $10.")
        await expect(log.locator(".won")).to_contain_text("war $10 wins $10, pays 1 to 1 rule 5.7.1")
        await expect(page.get_by_role("img", name="king of hearts")).to_be_visible()


async def test_a_page_that_was_cut_off_catches_up_and_two_pages_tell_the_same(new_page: NewPage) -> None:
    rounds = ("bet 1 war=10", "no-more-bets", "draw Kh 9d", "settle")
    async with opened("casino-war") as house:
        await play(house, *READY)
        page, other = await new_page(), await new_page()
        await page.clock.install()
        for each in (page, other):
            await open_table(each, house)
        await play(house, *rounds)
        await expect(page.locator(".won")).to_have_count(1)
        await page.evaluate("document.getElementById('story').dataset.same = 'page'")
        await cut_off(page, house)
        await check_accessible(page)
        for _ in range(5):
            await play(house, *rounds)
        await page.clock.fast_forward(60_000)  # a minute on the page: it tries again and again in vain
        await scene(page, "offline")
        await expect(other.locator(".won")).to_have_count(6)
        await plugged_in(page)
        await expect(page.locator(".won")).to_have_count(6)
        assert await page.locator("#story").get_attribute("data-same") == "page"  # it was not loaded anew
        texts = [await each.locator("#story").inner_text() for each in (page, other)]
        assert texts[0] == texts[1] and GAP not in texts[0]
        assert await page.locator("#areas").inner_text() == await other.locator("#areas").inner_text()


async def test_a_page_that_missed_more_than_is_kept_says_so(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEPT", 3)
    async with opened("casino-war") as house:
        await play(house, *READY)
        await open_table(page, house)
        await cut_off(page, house)
        for _ in range(3):
            await play(house, "bet 1 war=10", "no-more-bets", "draw Kh 9d", "settle")
        await plugged_in(page)
        await expect(page.locator("#story")).to_contain_text(GAP)
        await expect(page.locator(".won")).to_have_count(1)  # the last one is kept
        await check_accessible(page)


async def cut_off(page: Page, house: House) -> None:
    """Pulls the cable of the screen."""
    await page.context.set_offline(True)
    await page.route("**/events*", lambda route: route.abort())
    for connection in [*house.pages._runner.server.connections]:  # type: ignore[union-attr]
        connection.force_close()
        if connection.transport is not None:
            connection.transport.abort()
    await scene(page, "offline")


async def plugged_in(page: Page) -> None:
    await page.unroute("**/events*")
    await page.context.set_offline(False)
