"""Two real daemons with one identity at one server: a copied state directory is found; a kill and a restart are not."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.errors import FeltError
from controller.jackpot.stores.postgres import PostgresStore
from tests.daemon.house import House
from tests.jackpot.stores.conftest import dsn, server

__all__ = ["dsn", "server"]
OPTIONS = 'jackpot = "nsw"\njackpot-group = "G"\n'


@pytest.fixture
def tables(tmp_path: Path, dsn: str) -> Iterator[tuple[House, House]]:
    """A table, and the place where its clone will run."""
    asyncio.run(a_store_for_tests(dsn))
    houses = []
    for name in ("real", "clone"):
        (tmp_path / name).mkdir()
        house = House(tmp_path / name, options=OPTIONS, game="caribbean-stud")
        way = tmp_path / name / "dsn"
        way.write_text(dsn)
        way.chmod(0o600)
        house.config.write_text(f'{house.config.read_text()}[jackpot]\nstore = "postgres"\ndsn-file = "{way}"\n')
        houses.append(house)
    yield houses[0], houses[1]
    for house in houses:
        house.close()


async def a_store_for_tests(dsn: str) -> None:
    store = PostgresStore(dsn)
    await store.open()
    await store.close()
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("INSERT INTO jackpot_settings VALUES ('test-database', 'yes')")


def here(house: House) -> dict[str, Any]:
    try:
        return dict(house.client.get("/jackpot")["table"])
    except FeltError:  # the meter is still being made
        return {"open": False, "faults": {}}


def test_a_copied_state_directory_is_found_and_a_kill_is_not(tables: tuple[House, House], tmp_path: Path) -> None:
    real, clone = tables
    real.start()
    real.wait(lambda: here(real)["open"])
    assert real.stop() == 0
    shutil.rmtree(tmp_path / "clone" / "state", ignore_errors=True)
    shutil.copytree(tmp_path / "real" / "state", tmp_path / "clone" / "state")
    real.start()
    real.wait(lambda: here(real)["open"])
    real.stop(signal.SIGKILL)
    real.start()  # at once, and its lease is a second old
    real.wait(lambda: here(real)["open"])
    assert not here(real)["faults"]
    clone.start()
    clone.wait(lambda: "table.cloned" in here(clone)["faults"])
    assert not here(clone)["open"]
    assert clone.status()["table"] == "T1"  # it runs, and says what is wrong
    real.wait(lambda: any("table.cloned" in str(fault) for fault in real.status()["faults"].items()))
    assert here(real)["open"] and "table.cloned" not in here(real)["faults"]
    assert clone.stop() == real.stop() == 0
