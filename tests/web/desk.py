"""A dealer's console in a browser, with hands on it: signs in by the pad and presses keys, at a simulated table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from controller.config.load import load_config
from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.service.clock import SYSTEM_CLOCKS, SystemClocks
from controller.web.server import Pages
from tests.daemon.house import table_toml
from tests.people.everybody import write_people
from tests.service.clocks import Table, poker, table
from tests.web.browser import DESK, TABLET, check_accessible, no_motion, size

PIN = "2580"
DEALER, SUPERVISOR = "2001", "0417"
SMALL = """() => [...document.querySelectorAll("button, input")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""
CUT_OFF = """() => [...document.querySelectorAll(".key, .answer, .choice, h1, #person p")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)"""


def staff() -> Roster:
    """A dealer and a supervisor, with badges that a pad of digits can enter."""
    pin = hashed(PIN, 8, 1)
    return Roster(
        (Employee("Bay Six", DEALER, ("dealer",), pin), Employee("Floor Eight", SUPERVISOR, ("supervisor",), pin))
    )


@asynccontextmanager
async def table_at(
    directory: Path,
    game: str = "casino-war",
    options: str = "",
    seats: int = 2,
    clocks: SystemClocks = SYSTEM_CLOCKS,
    *,
    more: str = "",
    name: str = "T1",
    people: Roster | None = None,
) -> AsyncIterator[Table]:
    """A daemon with simulated devices, with its pages; `more`: further sections of its configuration.

    `people`: others than the staff.
    """
    path = table_toml(directory, game=game, options=options, seats=seats)
    write_people(directory, people or staff())
    named = path.read_text().replace('name = "T1"', f'name = "{name}"')
    path.write_text(named + '[web]\nlisten = "127.0.0.1:0"\n' + more)
    async with table(load_config(path), clocks) as t:
        yield t


@asynccontextmanager
async def poker_at(directory: Path, clocks: SystemClocks = SYSTEM_CLOCKS) -> AsyncIterator[Table]:
    """The same of Hold'em, with a reader at each seat."""
    config = poker(directory)
    people = config.people.model_copy(update={"file": write_people(directory, staff())})
    web = config.web.model_copy(update={"listen": "127.0.0.1:0"})
    async with table(config.model_copy(update={"people": people, "web": web}), clocks) as t:
        yield t


def cut_connections(t: Table) -> None:
    """Cuts every connection to the pages of a table, as a cable that is pulled does."""
    listeners = [getattr(each, "__self__", None) for each in t.engine.listeners]
    pages = next(each for each in listeners if isinstance(each, Pages))
    for connection in [*pages._runner.server.connections]:  # type: ignore[union-attr]
        connection.force_close()
        if connection.transport is not None:
            connection.transport.abort()


class Desk:
    """The console's page."""

    def __init__(self, page: Page, t: Table) -> None:
        self.page, self.t = page, t

    async def open(self) -> None:
        await no_motion(self.page)
        await size(self.page, DESK)
        await self.page.goto(f"{self.t.daemon.pages}/console")
        await expect(self.page.locator("#keys .key").first).to_be_visible()

    async def sign_in(self, badge: str, pin: str = PIN) -> None:
        """Enters badge and PIN on the pad."""
        await self.page.locator("#person button").click()
        await self.digits(badge, "Next")
        await self.digits(pin, "Sign in")

    async def digits(self, digits: str, enter: str) -> None:
        """Enters digits on the pad, the last one where a name could be entered too."""
        pad = self.sheet.locator(".pad").last
        for digit in digits:
            await pad.get_by_role("button", name=digit, exact=True).click()
        await pad.get_by_role("button", name=enter, exact=True).click()

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    def key(self, name: str) -> Locator:
        return self.page.locator(f"#keys .key[data-key='{name}']")

    async def press(self, name: str, *words: str) -> None:
        """Waits until the key is lit, presses it, and chooses these words; waits until it is taken or refused."""
        await expect(self.key(name)).to_have_attribute("aria-disabled", "false")
        await self.key(name).click()
        for word in words:
            await self.sheet.locator(f".choice[data-word='{word}']").click()
        await self.answered()

    async def touch(self, name: str) -> None:
        """Touches a key, lit or not, and closes what it says then."""
        await self.key(name).evaluate("(key) => key.click()")
        await self.page.keyboard.press("Escape")

    async def tab(self, text: str) -> None:
        await self.page.get_by_role("tab", name=text).click()

    def matter(self, text: str) -> Locator:
        return self.page.locator(".matter", has_text=text)

    async def answered(self) -> None:
        """Waits until every press is answered, as people do before they deal: cards may be quicker than a page."""
        await expect(self.page.locator("body[data-pressing]")).to_have_count(0)

    async def decides(self, place: str, text: str) -> None:
        """Says the word of who decides, and waits until it is taken or refused."""
        await self.touch_word(place, text)
        await self.answered()

    async def touch_word(self, place: str, text: str) -> None:
        """Says the word of who decides, and waits for nothing."""
        row = self.page.locator(f".decision[data-place='{place}']")
        await row.get_by_role("button", name=text, exact=True).click()

    async def by_keyboard(self, name: str) -> None:
        """Waits until the key is lit, and presses it without touching the screen."""
        await expect(self.key(name)).to_have_attribute("aria-disabled", "false")
        await self.key(name).focus()
        await self.page.keyboard.press("Enter")
        await self.answered()

    async def cards(self, *cards: str) -> None:
        """Names the cards of a hand."""
        for card in cards:
            await self.sheet.locator(f".choice[data-rank='{card[0]}']").click()
            await self.sheet.locator(f".choice[data-suit='{card[1]}']").click()
        await self.sheet.get_by_role("button", name="These are").click()

    async def answers(self, text: str, label: str) -> None:
        """Touches an answer to what needs attention, and says yes where it is asked once more."""
        await self.matter(text).get_by_role("button", name=label, exact=True).click()
        sure = self.sheet.get_by_role("button", name="Yes: ")
        if await sure.count():
            await sure.click()
        await self.answered()


async def looks_right(desk: Desk) -> None:
    """Axe finds nothing, and every target is large enough for a finger, at a table and on a tablet."""
    for screen in (TABLET, DESK):
        await size(desk.page, screen)
        assert await desk.page.evaluate(SMALL) == []
        assert await desk.page.evaluate(CUT_OFF) == []
        assert await desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await check_accessible(desk.page)
