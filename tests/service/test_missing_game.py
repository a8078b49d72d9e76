"""Snapshots and facts of a game that is not installed any more: a start refuses, a check notes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller import games
from controller.cli import journal as felt_journal
from controller.cli.demo import DealPlan, deal
from controller.journal import InlineWriter, Journal
from controller.service import audit, snapshots
from controller.service import engine as engines
from controller.service.engine import Engine
from controller.service.missing_game import GameMissing, playable
from controller.table.rules import Rules
from firmware_bridge.extensions import ExtensionError, Register
from tests.service.failing import config_text, table, until


@pytest.fixture
async def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal of a table that has dealt some rounds and kept snapshots; then its game was taken away."""
    monkeypatch.setattr(engines, "SNAPSHOT_EVERY", 10)
    path = config_text(tmp_path)
    async with table(path) as t:
        await until(t.ready)
        await t.rest()
        await deal(t.daemon, t.sim, DealPlan(rounds=8), asyncio.Event())
    without: Register[Rules] = Register("feltd.games", "game", "controller.house.games", ())
    monkeypatch.setattr(games, "INSTALLED", without)
    return path.parent / "state" / "journal.db"


@pytest.mark.parametrize("believed", [True, False])
async def test_a_start_refuses(journal: Path, monkeypatch: pytest.MonkeyPatch, believed: bool) -> None:
    opened = Journal.inspect(journal)
    if not believed:
        monkeypatch.setattr(snapshots, "vouched", lambda *_: None)  # then everything is told from record 1
    try:
        with pytest.raises(GameMissing, match='of the game "casino-war", which is not installed'):
            Engine(opened, InlineWriter(opened), lambda: 0).recover()
        with pytest.raises(GameMissing):
            snapshots.check_game(opened)
    finally:
        opened.close()


async def test_its_facts_are_read_and_it_is_said_that_refusals_are_not_told(journal: Path) -> None:
    read = CliRunner().invoke(felt_journal.command, ["tail", str(journal)])
    assert (read.exit_code, len(read.stdout.splitlines())) == (0, 20)
    said = 'which of them were refused is not told: the journal is of the game "casino-war", which is not installed'
    assert read.stderr.splitlines() == [said]


def test_a_package_that_breaks_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Rules:
        raise ExtensionError("extension.broken", "other, which brings it, cannot be loaded: RuntimeError: no licence")

    monkeypatch.setattr(games, "find", broken)
    with pytest.raises(
        GameMissing, match=r'of the game "x", which cannot be used: other, .* RuntimeError: no licence'
    ) as caught:
        playable("x")
    assert caught.value.next_step.startswith("Ask the maker of the package, or uninstall it.")
    assert "pip install" not in caught.value.next_step and "then restart" in caught.value.next_step.lower()


@pytest.mark.parametrize("replay", [True, False])
def test_a_check_proves_the_records_and_notes_what_it_could_not_tell(journal: Path, replay: bool) -> None:
    report = audit.verify(journal, replay=replay)
    assert report.ok
    assert report.checked > 50
    (note,) = [note for note in report.notes if "not installed" in note]
    assert note.endswith("from record 1 on no fact was told again")
