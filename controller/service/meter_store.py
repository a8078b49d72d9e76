"""From the configuration to the prize meter's store: which one it is, the way to it, and who may never use it."""

from __future__ import annotations

import stat
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from controller.config import TableConfig
from controller.config.wiring import SIMULATED
from controller.errors import FeltError
from controller.jackpot.rules import CENT
from controller.jackpot.stores.checkpoint_store import CheckpointStore
from controller.jackpot.stores.presence import TESTS
from controller.jackpot.stores.store import LogbookStore, MeterStore, StoreError
from controller.money import cents
from controller.service.meter_faults import LIVE, TEST_LIVE
from controller.service.meter_terms import SyncSettings
from controller.service.own_process import own_claim

if TYPE_CHECKING:
    from controller.jackpot.stores.postgres import PostgresStore
    from controller.jackpot.stores.sqlite import SqliteStore

AnyStore: TypeAlias = MeterStore | LogbookStore | CheckpointStore
FILE = "jackpot.db"  # beside the journal
DEADLINE = 3.0  # seconds for a word with the server: then the Jackpot is out of order
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_store(config: TableConfig) -> MeterStore:
    """Returns the store that is configured, not opened yet; raises FeltError when there is no way to it."""
    return _store(config)


def open_logbooks(config: TableConfig) -> LogbookStore:
    """Returns the same store, as far as it keeps logbooks."""
    return _store(config)


def open_checkpoints(config: TableConfig) -> CheckpointStore:
    """Returns the same store, as far as it keeps checkpoints of journals."""
    return _store(config)


def _store(config: TableConfig) -> SqliteStore | PostgresStore:
    if config.jackpot.store == "sqlite":
        from controller.jackpot.stores.sqlite import SqliteStore

        return SqliteStore(config.table.state / FILE)
    try:
        from controller.jackpot.stores.postgres import PostgresStore
    except ImportError as error:
        raise FeltError("jackpot.no-driver", f"the library for PostgreSQL is missing: {error}") from None
    return PostgresStore(read_dsn(config.jackpot.dsn_file or Path()), DEADLINE, keeps_out(config))


def read_dsn(path: Path) -> str:
    """Returns how to reach the server, with the password; it is never part of a message."""
    try:
        with path.open() as file:
            mode = stat.S_IMODE(path.stat().st_mode)
            text = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FeltError("jackpot.dsn-unreadable", f"{path}: {why}") from None
    if mode & OTHERS:
        raise FeltError("jackpot.dsn-permissions", f"{path}: others may read it", f"Run `chmod 600 {path}`.")
    return text


def sync_settings(config: TableConfig) -> SyncSettings:
    """Returns how the table and its meter belong together."""
    shared = config.jackpot.store == "postgres"
    return SyncSettings(
        table=config.table.name,
        alone=not shared,
        ceiling=None if config.jackpot.ceiling is None else cents(config.jackpot.ceiling) * CENT,
        reserve=cents(config.jackpot.reserve) * CENT,
        allow=allowed_by(config),
        claim=own_claim() if shared else None,
    )


def keeps_out(config: TableConfig) -> StoreError | None:
    """Returns what keeps this table from a store of others that is not marked as one for tests; None: nothing does."""
    if config.jackpot.store != "postgres":
        return None
    if config.table.test:
        return _live(TEST_LIVE, "a table in test mode cannot take part in a live prize meter system")
    simulated = any(device.address.scheme == SIMULATED for device in config.devices.values())
    return _SIMULATED if simulated else None


def allowed_by(config: TableConfig) -> Callable[[AnyStore], Coroutine[Any, Any, None]] | None:
    """Returns what looks first whether this table may use the store at all; None: it may."""
    error = keeps_out(config)
    return None if error is None else partial(only_for_tests, error=error)


def _live(code: str, cause: str) -> StoreError:
    insert = f"INSERT INTO jackpot_settings VALUES ('{TESTS}', 'yes')"
    step = f"Use real devices, without test = true; or in a database for tests: {insert}."
    return StoreError(code, cause, step)


_SIMULATED: Final = _live(LIVE, "a table with simulated devices cannot take part in a live prize meter system")


async def only_for_tests(store: AnyStore, error: StoreError = _SIMULATED) -> None:
    """Raises StoreError unless the store says itself that it is for tests: test mode moves no live meter."""
    if not await store.setting(TESTS):
        raise error
