"""A table whose game is missing, as far as it can be served: its journal is read, and nothing is written to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from controller.api.read_only import ReadOnlyApi
from controller.config import TableConfig
from controller.daemon.compose import JOURNAL
from controller.journal.shelf import Shelf
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.card_store import veil_of
from controller.service.missing_game import GameMissing

log = structlog.get_logger()


def journal_of(config: TableConfig) -> Path:
    """Returns where the table's journal is."""
    return config.table.state / JOURNAL


def missing_game(config: TableConfig) -> GameMissing | None:
    """Returns why the table's journal cannot be followed; None when it can, or when there is none yet."""
    if not journal_of(config).exists():
        return None
    journal = Journal.inspect(journal_of(config), veil_of(config))
    try:
        snapshots.check_game(journal)
    except GameMissing as missing:
        return missing
    finally:
        journal.close()
    return None


@asynccontextmanager
async def reading(config: TableConfig, why: GameMissing) -> AsyncIterator[None]:
    """Serves what can be read, until the caller has seen enough."""
    journal = Journal.inspect(journal_of(config), veil_of(config))
    journal.shelf = None if config.journal.archive is None else Shelf(config.journal.archive)
    api = ReadOnlyApi(config.table.name, journal, why)
    try:
        await api.start(config.api.socket)
        log.error(why.code, cause=why.cause, next_step=why.next_step)
        yield
    finally:
        await api.stop()
        journal.close()
