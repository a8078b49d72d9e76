"""Whole rounds by the people at the table: on the console's page, with an irregularity and an unplugged device in each.

A dealer and a supervisor have a screen each, and the felt is open on a third one.  Nothing but chips and cards comes
from devices; every key is touched, or pressed by keyboard, on a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from controller.table.facts import CardOut, CardRead, DeviceLost, DeviceReady, Key
from tests.asking import Client
from tests.service.clocks import Table, until
from tests.web.browser import DESK, check_accessible, no_motion, size
from tests.web.conftest import NewPage
from tests.web.desk import DEALER, SUPERVISOR, Desk, looks_right, poker_at, table_at


class Staffed:
    """A table with people at its screens."""

    def __init__(self, t: Table, dealer: Desk, supervisor: Desk, felt: Page) -> None:
        self.t, self.dealer, self.supervisor, self.felt = t, dealer, supervisor, felt

    async def bet(self, area: int, **spots: int) -> None:
        """Chips lie there: amounts in dollars."""
        await self.t.do(f"sensor.{area}", "bet", {spot: 100 * amount for spot, amount in spots.items()})

    async def draw(self, cards: str) -> None:
        for card in cards.split():
            await self.t.do("shoe", "draw", card)

    async def lay(self, readers: str, cards: str) -> None:
        for reader, card in zip(readers.split(), cards.split(), strict=False):
            await self.t.do(f"reader.{reader}", "lay", card)

    async def cut_off(self, device: str, called: str, deed: str, card: str) -> None:
        """Pulls the cable of a device, which goes on by itself; the console says what to do until it is plugged in."""
        known = len(self.t.facts((CardOut, CardRead)))
        self.t.sim.device(device).fault("unplug")
        fault = self.dealer.matter(f"{called} cannot be reached")
        await expect(fault.locator("li")).to_have_count(2)
        await expect(self.felt.locator("#troubles")).to_contain_text(f"{called} cannot be reached")
        await looks_right(self.dealer)
        self.t.sim.device(device).do(deed, card)
        assert len(self.t.facts((CardOut, CardRead))) == known
        self.t.sim.device(device).clear()
        await expect(fault).to_have_count(0)
        await until(lambda: len(self.t.facts((CardOut, CardRead))) == known + 1)  # the card was not lost
        assert [len(self.t.facts(kind)) for kind in (DeviceLost, DeviceReady)] >= [1, 1]

    async def settled(self, *words: str) -> dict[str, Any]:
        """The felt tells the settlement with its rules; returns the round as it is on record then."""
        for text in words:
            await expect(self.felt.locator("#story")).to_contain_text(text)
        await check_accessible(self.felt)
        number = self.t.engine.table.number
        record = await asyncio.to_thread(Client(str(self.t.daemon.config.api.socket)).get, f"/rounds/{number}")
        return dict(record["round"])

    def pressed(self) -> list[tuple[str, str]]:
        """Who pressed what."""
        return [(fact.person, " ".join((fact.key, *fact.args))) for fact in self.t.facts(Key)]


@asynccontextmanager
async def staffed(t: Table, new_page: NewPage) -> AsyncIterator[Staffed]:
    dealer, supervisor = Desk(await new_page(), t), Desk(await new_page(), t)
    for desk, badge in ((dealer, DEALER), (supervisor, SUPERVISOR)):
        await desk.open()
        await desk.sign_in(badge)
        await expect(desk.page.locator("#person button")).to_have_text("Sign out")
    felt = await new_page()
    await no_motion(felt)
    await size(felt, DESK)
    await felt.goto(f"{t.daemon.pages}/table")
    yield Staffed(t, dealer, supervisor, felt)


async def test_casino_war_with_cards_exchanged(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path) as t, staffed(t, new_page) as s:
        await s.bet(1, war=10)
        await s.bet(2, war=25)
        await s.dealer.press("no-more-bets")
        await s.draw("3c")
        await s.cut_off("shoe", "The shoe", "draw", "Kd")
        await s.draw("9h")
        await s.supervisor.tab("Rulings")
        await s.supervisor.press("reconstruct", "1")  # 9.4: the cards of both were exchanged
        await s.supervisor.cards("Kd")
        await s.supervisor.sheet.locator(".choice[data-word='2']").click()
        await s.supervisor.cards("3c")
        await looks_right(s.supervisor)
        await s.supervisor.sheet.get_by_role("button", name="Press Reconstruct").click()
        await s.dealer.answers("area 1", "Keep 1")
        await s.dealer.answers("area 2", "Keep 2")
        await s.dealer.by_keyboard("settle")
        record = await s.settled("Area 1: wins $10.", "pays 1 to 1 rule 5.7.1", "Area 2: loses $25.")
        assert record["outcome"] == "settled"
        assert s.pressed() == [
            ("Bay Six", "no-more-bets"),
            ("Floor Eight", "reconstruct 1=Kd 2=3c"),
            ("Bay Six", "keep 1"),
            ("Bay Six", "keep 2"),
            ("Bay Six", "settle"),
        ]


async def test_caribbean_stud_with_a_card_too_few(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path, "caribbean-stud", seats=3) as t, staffed(t, new_page) as s:
        for area in (1, 2, 3):
            await s.bet(area, ante=10)
        await s.dealer.press("no-more-bets")
        await s.draw("2c 3c Ts Ac 2d 3d Th Kd")
        await s.cut_off("shoe", "The shoe", "draw", "2h")
        await s.draw("3h Td 4h 5c 6c 7c 9c 9h 8s Jc")
        await s.dealer.tab("Report")
        await s.dealer.press("looked")
        await s.dealer.press("short", "2")
        await s.dealer.sheet.get_by_role("button", name="Press Short 2").click()
        await s.supervisor.answers("Question", "Void 2")
        await s.dealer.answers("area 1", "Retract 1")
        await s.dealer.answers("area 3", "Keep 3")
        await s.bet(3, ante=10, bet=20)
        await s.dealer.tab("Game")
        await s.dealer.by_keyboard("settle")
        record = await s.settled(
            "Area 3: three of a kind, tens, wins $70.", "three of a kind pays 3 to 1, table 1", "13.2.2(a)"
        )
        assert record["outcome"] == "settled"
        assert ("Floor Eight", "void 2") in s.pressed()


async def test_ultimate_with_a_card_too_few(new_page: NewPage, tmp_path: Path) -> None:
    async with table_at(tmp_path, "ultimate-texas-holdem-nsw") as t, staffed(t, new_page) as s:
        await s.bet(1, ante=10, blind=10)
        await s.bet(2, ante=10, blind=10, trips=10)
        await s.dealer.press("no-more-bets")
        await s.draw("5h 2c Kd 6h Qd")
        await s.dealer.tab("Report")
        await s.dealer.press("looked")
        await s.dealer.press("short", "2")
        await s.dealer.sheet.get_by_role("button", name="Press Short 2").click()
        await s.supervisor.answers("Question", "Void 2")
        await s.dealer.answers("area 1", "Keep 1")
        await s.dealer.tab("Game")
        await s.bet(1, ante=10, blind=10, play=40)
        await s.draw("7h 8c")
        await s.cut_off("shoe", "The shoe", "draw", "9d")
        await s.draw("Ks 3s")
        await s.dealer.by_keyboard("settle")
        record = await s.settled(
            "Area 1: straight to the nine, wins $60.", "straight pays 1 to 1, table 3", "13.2.2(a)"
        )
        assert record["outcome"] == "settled"


async def test_holdem_with_an_exposed_card_and_a_dead_hand(new_page: NewPage, tmp_path: Path) -> None:
    async with poker_at(tmp_path) as t, staffed(t, new_page) as s:
        await s.dealer.tab("Rulings")
        await s.dealer.press("seat", "1", "2", "3")
        await s.dealer.sheet.get_by_role("button", name="Enter").first.click()
        await s.dealer.sheet.locator(".choice[data-word='stack']").click()
        await s.dealer.digits("500", "Enter")
        await looks_right(s.dealer)
        await s.dealer.sheet.get_by_role("button", name="Press Seat 1,2,3 stack=500").click()
        await s.dealer.decides("1", "Post $5")
        await s.dealer.decides("2", "Post $10")
        await s.lay("1 2 3", "Kh 9c As")
        await s.dealer.tab("Report")
        await s.dealer.press("exposed", "2")  # 9.7: another card takes its place
        await s.dealer.sheet.get_by_role("button", name="Press Exposed 2").click()
        await expect(s.dealer.matter("seat 2")).to_contain_text("9.7")
        await s.lay("1 2 3 2", "7d 9d Ad 9s")
        await s.dealer.decides("3", "Call $10")
        await s.supervisor.press("dead", "1")
        await s.supervisor.sheet.get_by_role("button", name="Yes: Dead 1").click()
        await s.dealer.decides("2", "Check")
        await s.dealer.tab("Game")
        await s.lay("board board", "2c 7h")  # the exposed card is the first burn
        await s.cut_off("reader.board", "The card reader of the board", "lay", "8d")
        for card in ("Jd", "3s", ""):
            for seat in ("2", "3"):
                await s.dealer.decides(seat, "Check")
            if card:
                await s.dealer.press("burn")
                await s.lay("board", card)
        await s.dealer.by_keyboard("settle")
        record = await s.settled("Seat 3")
        assert record["outcome"] == "settled"
        assert ("Floor Eight", "dead 1") in s.pressed()
