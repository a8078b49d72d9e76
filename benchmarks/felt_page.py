"""From the commit of a settlement to its line on the felt page, in a real browser."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path

from playwright.async_api import async_playwright

from benchmarks.measure import Measured, folder, happened, percentile
from controller.games import defaults
from controller.journal.store import Journal
from controller.journal.writer import Writer
from controller.service.table import TableService
from controller.table.effects import AnyEffect, LinesSettled
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot, Started
from controller.table.state import Table
from controller.web.server import Pages

GOAL = 200  # milliseconds
ROUNDS = 100
AREAS = 5
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Keeps when the settlement of each fact was on the page: drawn, not merely heard of.
WATCH = """() => {
  window.settled = {};
  new MutationObserver(() => {
    const now = performance.timeOrigin + performance.now();
    for (const line of document.querySelectorAll(".said.settled")) window.settled[line.dataset.seq] ??= now;
  }).observe(document.getElementById("story"), {childList: true});
}"""


class Committed:
    """When each settlement was on record."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}

    def __call__(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if any(isinstance(effect, LinesSettled) for effect in effects):
            self.at[seq] = time.time() * 1000


async def _round(service: TableService) -> None:
    submit = service.engine.submit
    for area in range(1, AREAS + 1):
        await submit(Chips(area, (Spot("war", 1, 1000),)))
    await submit(Key("no-more-bets"))
    for card in ("Kh", "Qd", "Js", "Tc", "9h", "2d"):
        await submit(CardOut(card))
    await submit(Key("settle"))
    await asyncio.sleep(0.05)  # nobody plays faster, and the page is at rest


async def _run(directory: Path) -> list[float]:
    journal = Journal.open(directory / "journal.db", table="bench")
    writer, committed = Writer(journal), Committed()
    begin = Started("casino-war", {**defaults("casino-war"), "seats": str(AREAS)})
    service = TableService(begin, journal, writer, {}, lambda: time.time_ns() // 1000, quota=None)
    service.engine.listeners.append(committed)  # before the pages hear of it
    pages = Pages(service)
    try:
        await service.start()
        for key in ("checked", "shuffled", "cut"):
            await service.engine.submit(Key(key))
        address = await pages.start("127.0.0.1", 0)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False)
            page = await browser.new_page(viewport={"width": 1024, "height": 600})
            await page.goto(f"{address}/table")
            await page.wait_for_selector("body[data-scene='between-rounds']")
            await page.evaluate(WATCH)
            for _ in range(ROUNDS):
                await _round(service)
            await asyncio.sleep(0.5)
            shown = await page.evaluate("window.settled")
            await browser.close()
    finally:
        await pages.stop()
        await service.stop()
        await writer.close()
        journal.close()
    return [shown[str(seq)] - at for seq, at in committed.at.items() if str(seq) in shown]


def measure() -> list[Measured]:
    """The settlements of a table of five areas, one after the other."""
    what = "settlement on the felt page"
    if CHROMIUM is None:
        return [
            Measured(f"{what}: skipped", 0, "ms", note="no chromium on this machine (Debian: apt install chromium)")
        ]
    with folder() as directory:
        took = asyncio.run(_run(directory))
    happened(len(took) == ROUNDS, f"{len(took)} of {ROUNDS} settlements were on the page")
    lines = []
    for name, share in (("p50", 0.50), ("p99", 0.99)):
        value = percentile(took, share)
        lines.append(Measured(f"{what}, {name}", value, "ms", None, f"<= {GOAL} ms", value <= GOAL))
    return lines
