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
from tests.daemon.house import table_toml
from tests.people.everybody import write_people
from tests.service.clocks import Table, poker, table
from tests.web.browser import DESK, no_motion, size

PIN = "2580"
DEALER, SUPERVISOR = "2001", "0417"


def staff() -> Roster:
    """A dealer and a supervisor, with badges that a pad of digits can enter."""
    pin = hashed(PIN, 8, 1)
    return Roster(
        (Employee("Jo Park", DEALER, ("dealer",), pin), Employee("Maria Rossi", SUPERVISOR, ("supervisor",), pin))
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
) -> AsyncIterator[Table]:
    """A daemon with simulated devices, with its pages; `more`: further sections of its configuration."""
    path = table_toml(directory, game=game, options=options, seats=seats)
    write_people(directory, staff())
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
        for digit in digits:
            await self.sheet.get_by_role("button", name=digit, exact=True).click()
        await self.sheet.locator(".pad").get_by_role("button", name=enter, exact=True).click()

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    def key(self, name: str) -> Locator:
        return self.page.locator(f"#keys .key[data-key='{name}']")

    async def press(self, name: str, *words: str) -> None:
        """Waits until the key is lit, presses it, and chooses these words."""
        await expect(self.key(name)).to_have_attribute("aria-disabled", "false")
        await self.key(name).click()
        for word in words:
            await self.sheet.locator(f".choice[data-word='{word}']").click()

    async def touch(self, name: str) -> None:
        """Touches a key, lit or not, and closes what it says then."""
        await self.key(name).evaluate("(key) => key.click()")
        await self.page.keyboard.press("Escape")

    async def tab(self, text: str) -> None:
        await self.page.get_by_role("tab", name=text).click()

    def matter(self, text: str) -> Locator:
        return self.page.locator(".matter", has_text=text)

    async def decides(self, place: str, text: str) -> None:
        row = self.page.locator(f".decision[data-place='{place}']")
        await row.get_by_role("button", name=text, exact=True).click()
