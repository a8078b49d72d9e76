"""A table whose journal is archived, run from a start to a stop as often as a test wishes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.errors import Coded
from controller.journal import Journal
from controller.journal.shelf import Shelf
from controller.journal.signing import Signer
from controller.journal.writer import InlineWriter
from controller.service.archive_naming import check_named
from controller.service.archive_plan import Bounds
from controller.service.archivist import Archivist
from controller.service.day_keys import DAY
from controller.service.engine import Engine
from tests.service.hidden_table import DEAL, THREE, round_of, veil_in

SMALL = Bounds(near=0, smallest=256, largest=512)
ROUNDS = 50
LATER = 500 * DAY
Story = Callable[[Engine, Archivist], Awaitable[None]]


class Table:
    """A table that is started, does something and stops, as often as a test wishes."""

    def __init__(self, directory: Path, folder: Path, signer: Signer | None = None) -> None:
        self.path, self._folder = directory / "journal.db", folder
        self.veil, self._signer = veil_in(directory), signer
        self.now = 0
        self.told: list[Coded | None] = []

    def run(self, story: Story, bounds: Bounds = SMALL) -> None:
        """Runs it from a start to a stop."""
        journal = Journal.open(self.path, table="T1", veil=self.veil)
        try:
            check_named(journal)
            asyncio.run(self._run(journal, story, bounds))
        finally:
            journal.close()

    async def _run(self, journal: Journal, story: Story, bounds: Bounds) -> None:
        engine = Engine(journal, InlineWriter(journal), clock=lambda: self.now)
        engine.recover()
        await engine.start(THREE)
        archivist = Archivist(engine, journal, self._folder, 400, self._signer, self.told.append, bounds=bounds)
        try:
            await story(engine, archivist)
        finally:
            await archivist.stop()

    def opened(self, folder: Path | None) -> Journal:
        """Returns its journal, to be looked at."""
        journal = Journal.open(self.path, table="T1", veil=self.veil)
        journal.shelf = None if folder is None else Shelf(folder)
        return journal


async def played(engine: Engine, archivist: Archivist) -> None:
    for _ in range(ROUNDS):
        for fact in round_of(DEAL):
            await engine.submit(fact)
    engine._snapshot()
    while engine.pending:  # noqa: ASYNC110
        await asyncio.sleep(0)


async def looked(engine: Engine, archivist: Archivist) -> None:
    await archivist.look()
