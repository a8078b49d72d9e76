"""Stores to try: a file, and a real PostgreSQL of the tests' own."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.jackpot.stores.store import MeterStore
from tools.postgres import OwnServer, binaries

Make = Callable[[], MeterStore]
PATIENCE = 100.0  # seconds, however busy the machine is; tests of deadlines set their own
_names = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[OwnServer]:
    """One for each process that runs tests."""
    if binaries() is None:
        pytest.skip("this machine has no PostgreSQL")
    own = OwnServer({"max_connections": "40"}, in_memory=True)
    yield own
    own.remove()


@pytest.fixture
def dsn(server: OwnServer) -> Iterator[str]:
    """A schema of its own: much quicker made than a database."""
    name = f"floor{next(_names)}"
    with psycopg.connect(server.dsn(), autocommit=True) as conn:
        conn.execute(f"CREATE SCHEMA {name}")
    yield f"{server.dsn()} options='-c search_path={name}'"
    with psycopg.connect(server.dsn(), autocommit=True) as conn:
        conn.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=["sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes clients of one store, as many as are wanted."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "meters.db", deadline=PATIENCE)
    dsn = request.getfixturevalue("dsn")
    return lambda: PostgresStore(dsn, deadline=PATIENCE)


@pytest.fixture
async def store(make: Make) -> AsyncIterator[MeterStore]:
    """An open one."""
    own = make()
    await own.open()
    yield own
    await own.close()
