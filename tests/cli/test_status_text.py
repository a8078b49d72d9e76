"""felt status reads well at every kind of table: in mid-round, settled, with devices that fail."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.api import views
from controller.cli.demo import DealPlan, deal, dealt_table, demo_config
from controller.cli.output import folded
from controller.cli.status import _text, conclusion
from controller.daemon.compose import Daemon
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table

GAMES = {"casino-war": "round", "mississippi-stud": "round", "ultimate-texas-holdem-vic": "round", "holdem": "hand"}


def shown(daemon: Daemon) -> list[str]:
    """What a person reads on a terminal of 80 columns."""
    status: Any = json.loads(msgspec.json.encode(views.status("T1", daemon.service, daemon.journal.head, 61.0)))
    lines = [*_text(status), *(line for line, _ in conclusion(status))]
    return [piece for line in lines for piece in folded(line, 80)]


@pytest.mark.parametrize("game", GAMES)
async def test_it_reads_well(game: str, tmp_path: Path) -> None:
    pictures: list[list[str]] = []
    async with dealt_table(demo_config(tmp_path, game=game)) as (daemon, sim, _):

        def look(seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
            pictures.append(shown(daemon))

        daemon.service.engine.listeners.append(look)
        await deal(daemon, sim, DealPlan(rounds=1, seed=3), asyncio.Event())
        well = shown(daemon)
        source = "reader.board" if game == "holdem" else "shoe"
        sim.device(source).fault("dark" if source == "reader.board" else "jam")
        async with asyncio.timeout(20):
            while source not in daemon.service.engine.table.faults:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        broken = shown(daemon)
    for lines in (*pictures, broken):
        assert max(map(len, lines)) <= 80
        assert not any("None" in line or "{" in line or line != line.rstrip() for line in lines), lines
        assert not lines[0].endswith(",") and f", {GAMES[game]} " in lines[0]
    assert any(", dealing" in lines[0] for lines in pictures) and not any(line.startswith("TROUBLE") for line in well)
    words = "reader.board: the reader sees nothing" if game == "holdem" else "shoe: a card is jammed in the shoe"
    assert any(line.startswith("TROUBLE") and line.endswith(words) for line in broken), broken
    assert "all is well" not in broken
