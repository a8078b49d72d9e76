"""Twelve rounds of a whole daemon: asked from the beginning, before and after a restart, it names no folded card."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from controller.cli import journal_facts
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.daemon.compose import JOURNAL
from controller.journal.store import Journal
from tests.api.conftest import Floor
from tests.daemon.house import table_toml
from tests.system.test_old_rounds import Deal, check, story


async def play(floor: Floor, text: str) -> None:
    """The script's lines at the devices of a running daemon."""
    for line in text.splitlines()[1:]:
        match line.split():
            case ["bet", area, *wagers]:
                spots = dict(wager.split("=") for wager in wagers)
                await floor.do(
                    f"sensor.{area}", "bet", {(spot, 1): int(dollars) * 100 for spot, dollars in spots.items()}
                )
            case ["draw", *cards]:
                await floor.draw(*cards)
            case ["key", *words]:
                await floor.press(*words)


async def asked(floor: Floor, deals: list[Deal]) -> None:
    await floor.rest()
    tail = (await floor.get("/journal/tail", after=0, n=1000))["facts"]
    head = floor.engine.seq

    def events() -> list[dict[str, Any]]:
        stream, out = floor.client.stream("/events", 0), []
        for fact in stream:
            out.append(fact)
            if fact["seq"] == head:
                break
        stream.close()  # type: ignore[attr-defined]
        return out

    for facts in (tail, await asyncio.to_thread(events)):
        check(facts, floor.daemon.journal, deals)
    status = json.dumps(await floor.get("/status"))
    assert not [card for card in deals[-1].folded if f'"{card}"' in status]


async def test_a_daemon_that_is_asked_from_the_beginning(tmp_path: Path) -> None:
    text, deals = story("three-card-poker")
    config = load_config(table_toml(tmp_path, game="three-card-poker"))
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        await play(floor, text)
        await asked(floor, deals)
    file = config.table.state / JOURNAL
    with journal_facts.source(file, "") as facts:
        offline = list(facts.tail(journal_facts.Which(), 1000, facts.head()))
    journal = Journal.inspect(file)
    check(offline, journal, deals)
    journal.close()
    async with dealt_table(config) as (daemon, sim, _):
        await asked(Floor(daemon, sim), deals)
