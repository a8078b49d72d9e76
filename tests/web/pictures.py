"""The states that the pictures in the documents show: simulated tables are played until a page looks like that.

Each story is a table with one page; it yields the name of a picture whenever the page is to be looked at.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Page, expect

from controller.service.clock import SystemClocks
from controller.table.facts import DeckDeed, DeviceFault, FloatMoved
from controller.table.facts import Key as KeyPressed
from controller.tournament.deeds import DeskKey, PeopleEntered
from tests.service.clocks import SECOND, Clocks
from tests.service.neighbours import HELD, RICH, fake_tables
from tests.web.browser import DESK, no_motion, size
from tests.web.conftest import House, opened
from tests.web.cup import CUP, DIRECTOR, cup_at, cups_of
from tests.web.cup import play as play_cup
from tests.web.desk import DEALER, SUPERVISOR, Desk, poker_at, table_at
from tests.web.playing import play
from tests.web.test_floor_page import sign_in
from tests.web.test_report_page import deal
from tests.web.test_report_page import sign_in as sign_in_at

EVENING = datetime(2026, 11, 17, 20, 15, tzinfo=UTC)
Story = Callable[[Page, Path], AsyncIterator[str]]


def evening() -> SystemClocks:
    """Clocks that begin on one evening, whenever the pictures are taken."""
    clocks = Clocks()
    clocks.set(EVENING.timestamp() - clocks.system().wall() / SECOND)
    return clocks.system()


async def _look_at_felt(page: Page, house: House) -> None:
    await no_motion(page)
    await size(page, DESK)
    await page.goto(f"{house.at}/table")


async def _reads(page: Page, where: str, words: str) -> None:
    await expect(page.locator(where)).to_contain_text(words, use_inner_text=True, ignore_case=True)


async def felt_of_caribbean_stud(page: Page, _directory: Path) -> AsyncIterator[str]:
    """A whole round: a straight flush, a pair, two who fold."""
    async with opened("caribbean-stud", min="5") as house:
        bets = [f"bet {area} ante=10" for area in (1, 3, 4, 6)]
        await play(house, "checked", "shuffled", "cut", *bets, "no-more-bets")
        await _look_at_felt(page, house)
        await play(house, "draw 5h Ac 9d 2h Ks 6h Ad 9c 4s Kd 7h 8c 2d Tc Qs 8h 5s 3c Jd Jc 9h 3d 4c 7s 2s")
        await play(house, "bet 1 bet=20", "bet 3 bet=20", "fold 4", "fold 6", "settle")
        await _reads(page, "#areas", "+$1,010")
        yield "felt-settled"


async def felt_of_casino_war(page: Page, _directory: Path) -> AsyncIterator[str]:
    """What a newcomer plays by hand: a tie, then a jam."""
    async with opened("casino-war", seats="3") as house:
        await play(house, "checked", "shuffled", "bet 1 war=10 tie=5", "bet 2 war=25", "no-more-bets")
        await _look_at_felt(page, house)
        await play(house, "draw Kh 9d 9c")
        await _reads(page, "#waiting", "Area 2 decides")
        yield "felt-decides"
        await play(house, DeviceFault("shoe", "shoe.jam", ""))
        await _reads(page, "#troubles", "jammed")
        yield "felt-jam"


async def console_of_three_card_poker(page: Page, directory: Path) -> AsyncIterator[str]:
    """A dealer's evening: decisions, then a pulled cable; and what everybody sees of the devices."""
    async with table_at(directory, "three-card-poker", clocks=evening()) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.press("checked")
        await t.do("sensor.1", "bet", {"ante": 1000, "pair-plus": 500})
        await t.do("sensor.2", "bet", {"ante": 1000})
        await desk.press("no-more-bets")
        for card in ("5h", "9d", "Ks", "6h", "9c", "Kd", "7h", "2d", "Qs"):
            await t.do("shoe", "draw", card)
        await expect(page.locator(".decision")).to_have_count(2)
        yield "console-decides"
        t.sim.device("shoe").fault("unplug")
        await expect(desk.matter("The shoe cannot be reached")).to_be_visible()
        yield "console-fault"
        await page.goto(f"{t.daemon.pages}/devices")
        await expect(page.locator("main")).to_contain_text("The shoe cannot be reached")
        yield "devices"


async def console_of_caribbean_stud(page: Page, directory: Path) -> AsyncIterator[str]:
    """A card too many at area 1: the supervisor is asked."""
    async with table_at(directory, "caribbean-stud", clocks=evening()) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(SUPERVISOR)
        await t.press("checked")
        await t.do("sensor.1", "bet", {"ante": 1000})
        await t.do("sensor.2", "bet", {"ante": 1000})
        await desk.press("no-more-bets")
        for card in ("5h", "9d", "Ks", "6h", "9c", "Kd", "7h", "2d", "Qs", "8h", "3c", "Jc", "9h", "4c", "2s"):
            await t.do("shoe", "draw", card)
        await t.press("excess", "1")
        await expect(desk.matter("Question").first).to_be_visible()
        yield "console-question"


async def console_of_holdem(page: Page, directory: Path) -> AsyncIterator[str]:
    """Two cards are dealt, and seat 3 is to act."""
    async with poker_at(directory, evening()) as t:
        desk = Desk(page, t)
        await desk.open()
        await desk.sign_in(DEALER)
        await t.dealt()
        await expect(page.locator(".decision[data-place='3']")).to_be_visible()
        yield "console-poker"


async def floor(page: Page, directory: Path) -> AsyncIterator[str]:
    """Six tables: one is held, one is closed, one has a prize meter."""
    ended, held = (time.time_ns() // 1000 - minutes * 60_000_000 for minutes in (3, 12))  # the floor has no other clock
    async with fake_tables("T2", "T3", "T4", "T5", "T6") as tables:
        for each in tables.values():
            each.change(ended=ended // 1000)  # milliseconds
        tables["T3"].change(title="Caribbean Stud", game="caribbean-stud", meter=RICH, pace=41, round=118)
        tables["T4"].change(alerts=(replace(HELD, since=held),), phase="held")
        tables["T5"].change(title="Three Card Poker", game="three-card-poker", pace=52, round=7, phase="deciding")
        tables["T6"].change(open=False, phase="closed", pace=None)
        listed = "".join(f'{name} = "{each.at}"\n' for name, each in tables.items())
        async with table_at(directory, more=f"[floor.tables]\n{listed}") as t:
            await no_motion(page)
            await size(page, DESK)
            await page.goto(f"{t.daemon.pages}/floor")
            await expect(page.locator(".alert")).to_have_count(1)
            await expect(page.locator(".tile.well")).to_have_count(4)
            await expect(page.locator(".tile[data-table=T6]")).to_contain_text("Closed")
            yield "floor"


async def tournament(page: Page, directory: Path) -> AsyncIterator[str]:
    """Four people after one round: what the room sees, and the director."""
    async with cup_at(directory) as t:
        cups = cups_of(t)
        cups.draw_seed = lambda: "evening"  # no lot decides what the picture shows
        for key in ("publish", "advise", "briefed"):
            await cups.do(CUP, DeskKey(key))
        await cups.do(CUP, PeopleEntered(("Ann-Arbor", "Bob", "Cem", "Dee")))
        await cups.do(CUP, DeskKey("start"))
        await play_cup(t)
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{t.daemon.pages}/tournament/{CUP}")
        await _reads(page, "#ranking", "$1,100")
        yield "tournament-room"
        await page.goto(f"{t.daemon.pages}/tournament/{CUP}/desk")
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await sign_in(page, DIRECTOR)
        await _reads(page, "#people", "$1,100")
        yield "tournament-desk"


async def cards(page: Page, directory: Path) -> AsyncIterator[str]:
    """Four decks of Casino War: one was called unfit and is to be boxed, another one came for it."""
    async with table_at(directory, options="decks = 4\n", clocks=evening()) as t:
        deed = partial(DeckDeed, person="Pit Two", role="area-manager", place="page")
        for number in (1, 2, 3, 4):
            await t.engine.submit(deed("name", deck=number, serial=f"R-100{number}", colour="red"))
        await t.engine.submit(deed("bring", serial="R-1005", colour="red"))
        await t.engine.submit(deed("check", count=208))
        await t.engine.submit(deed("unfit", deck=2, fault="bent", cards=("Kh",), note="a corner"))
        await t.engine.submit(KeyPressed("replaced", (), 0, "Pit Two", "area-manager", "page"))
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{t.daemon.pages}/cards")
        await sign_in_at(page, SUPERVISOR)
        await expect(page.locator("#duties li")).to_have_count(2)
        yield "cards"


async def report(page: Page, directory: Path) -> AsyncIterator[str]:
    """The first shift of an evening at Casino War, with its float."""
    times = '[report]\ntime-zone = "UTC"\nday-starts = "06:00"\nshifts = ["14:00", "22:00"]\n'
    async with table_at(directory, clocks=evening(), more=times) as t:
        await t.engine.submit(FloatMoved("opening", 1000_00, "Floor Eight", "supervisor", "socket"))
        await deal(t, "2h", "Kd", "3h", "Kc", "Kh", "2d", "4h", "Qc", "Ah", "Jc", "5h", "9c")
        await t.engine.submit(FloatMoved("closing", 1020_00, "Floor Eight", "supervisor", "socket"))
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{t.daemon.pages}/report")
        await sign_in_at(page, SUPERVISOR)
        await page.get_by_role("button", name="Wager", exact=True).click()
        await _reads(page, "tfoot", "33.33 %")
        yield "report"


async def chips(page: Page, directory: Path) -> AsyncIterator[str]:
    """A shift of the float that runs: opened, filled, and a player bought chips."""
    async with table_at(directory, clocks=evening()) as t:
        moved = partial(FloatMoved, person="Floor Eight", role="supervisor", place="page", witness="Bay Six")
        for each in (moved("opening", 20_000_00), moved("fill", 5_000_00, slip="F17"), moved("buy-in", 500_00)):
            await t.engine.submit(each)
        await no_motion(page)
        await size(page, DESK)
        await page.goto(f"{t.daemon.pages}/chips")
        await sign_in_at(page, SUPERVISOR)
        await expect(page.locator("#shift li")).to_have_count(3)
        yield "chips"


STORIES: dict[str, tuple[Story, tuple[str, ...]]] = {
    "felt of Caribbean Stud": (felt_of_caribbean_stud, ("felt-settled",)),
    "felt of Casino War": (felt_of_casino_war, ("felt-decides", "felt-jam")),
    "console of Three Card Poker": (console_of_three_card_poker, ("console-decides", "console-fault", "devices")),
    "console of Caribbean Stud": (console_of_caribbean_stud, ("console-question",)),
    "console of Hold'em": (console_of_holdem, ("console-poker",)),
    "floor": (floor, ("floor",)),
    "tournament": (tournament, ("tournament-room", "tournament-desk")),
    "cards": (cards, ("cards",)),
    "report": (report, ("report",)),
    "chips": (chips, ("chips",)),
}
