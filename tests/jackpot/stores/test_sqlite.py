"""The file beside the journal: what is broken is named, and never taken for a new one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from controller.jackpot.stores.sqlite import SqliteStore
from controller.jackpot.stores.store import StoreError
from tests.jackpot.stores.telling import Teller


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A meter with some history, closed in order."""
    path = tmp_path / "meters.db"
    store = SqliteStore(path)
    await store.open()
    table = Teller(store)
    await table.join()
    await table.tell(*table.bets(1, "123"))
    await table.tell(*table.bets(2, "123"))
    await table.tell(*(bet for round_ in range(3, 200) for bet in table.bets(round_, "123")))
    await store.close()
    return path


async def opening(path: Path) -> str:
    """The code of the error."""
    store = SqliteStore(path)
    with pytest.raises(StoreError) as caught:
        await store.open()
    await store.close()
    assert str(path) in caught.value.cause or "G" in caught.value.cause
    return caught.value.code


@pytest.mark.parametrize("at", [0, 20, 100, 4096])
async def test_a_damaged_file_is_a_named_fault(path: Path, at: int) -> None:
    damaged = bytearray(path.read_bytes())
    damaged[at : at + 200] = b"\xff" * 200
    path.write_bytes(damaged)
    assert await opening(path) == "jackpot.corrupt"
    assert path.read_bytes() == bytes(damaged)  # kept as it is


async def test_half_a_file_is_a_named_fault(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert await opening(path) == "jackpot.corrupt"


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE jackpot_meters SET value = value + 1, house = house + 1",
        "UPDATE jackpot_movements SET moved = moved + 1 WHERE number = 9",
        "DELETE FROM jackpot_movements WHERE number = 9",
        "PRAGMA ignore_check_constraints = 1; UPDATE jackpot_meters SET value = value + 1",
        "UPDATE jackpot_meters SET terms = '{}'",
        "UPDATE jackpot_meters SET terms = replace(terms, '20000', '30000')",
        "UPDATE jackpot_meters SET terms = replace(terms, '\"option\":1', '\"option\":-9')",
        "UPDATE jackpot_movements SET moved = 9223372036854775807 WHERE number = 9",
        "DROP TABLE jackpot_movements",
    ],
)
async def test_meters_that_do_not_add_up_are_a_named_fault(path: Path, tamper: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(tamper)
    db.close()
    assert await opening(path) == "jackpot.corrupt"


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        ("UPDATE jackpot_movements SET ticks = 1 WHERE number = 9", "moved is 28610, and should be 1"),
        ("UPDATE jackpot_movements SET number = 9999 WHERE number = 9", "movement 9 is missing"),
        ("UPDATE jackpot_entries SET holds = 5 WHERE seq = 4", "movement 4: after is"),
        ("UPDATE jackpot_movements SET kind = 'odd' WHERE number = 9", "movement 9: jackpot.refused"),
        ("UPDATE jackpot_entries SET seq = 9999 WHERE seq = 4", "movement 4 is missing"),
        ("UPDATE jackpot_tables SET last = 5", "the tables told {'T1': 597}, and {'T1': 5} is kept"),
        ("UPDATE jackpot_meters SET cap = 99", "cap is 99, and should be 28610"),
        ("UPDATE jackpot_meters SET wagers = 99", "wagers is 99, and should be 597"),
        (
            "UPDATE jackpot_meters SET first_terms = replace(first_terms, '20000', '40000')",
            "it started with 1000000000",
        ),
        (
            "UPDATE jackpot_meters SET value = value + 1, house = house + 1; UPDATE jackpot_movements SET moved = moved"
            " + 1 WHERE number = 597",
            "moved is 28611, and should be 28610",
        ),
    ],
)
async def test_an_audit_names_what_does_not_fit(path: Path, tamper: str, words: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(tamper)
    db.close()
    store = SqliteStore(path)
    await store.open()
    problems = await store.verify("G")
    assert any(words in problem for problem in problems) and len(problems) <= 20
    await store.close()


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        ("UPDATE jackpot_entries SET holds = holds + 1 WHERE seq = 4", "movement 4: after is 1000114441"),
        ("DELETE FROM jackpot_entries WHERE seq = 4", "movement 4 is missing"),
        ("DELETE FROM jackpot_entries WHERE seq > 4", "the movements after 6 are missing, up to 597"),
        ("UPDATE jackpot_meters SET value = value + 1, house = house + 1", "its last movement left 1017080170"),
        (
            "PRAGMA ignore_check_constraints = 1; UPDATE jackpot_meters SET house = 1",
            "its movements come to 1017080171",
        ),
    ],
)
async def test_a_glance_sees_what_does_not_lead_to_the_meter(path: Path, tamper: str, words: str) -> None:
    store = SqliteStore(path)
    await store.open()
    assert await store.glance("G") == []
    db = sqlite3.connect(path)
    db.executescript(tamper)
    db.close()
    assert any(words in problem for problem in await store.glance("G"))
    await store.close()


async def test_a_lost_end_is_named(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    db = sqlite3.connect(path)
    db.execute("DELETE FROM jackpot_movements WHERE number > 590")
    db.commit()
    db.close()
    assert "the movements after 590 are missing, up to 597" in await store.verify("G")
    await store.close()


async def test_a_movement_that_cannot_be_read_is_named(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    db = sqlite3.connect(path)
    db.execute("UPDATE jackpot_movements SET flushes = 'x' WHERE number = 9")
    db.commit()
    db.close()
    with pytest.raises(StoreError, match=r"jackpot\.corrupt: movement 9 of T1 cannot be read"):
        await store.verify("G")
    await store.close()


async def test_a_file_of_a_newer_feltd_is_refused(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 9999")
    db.close()
    assert await opening(path) == "jackpot.newer"


async def test_a_place_where_no_file_can_be(tmp_path: Path) -> None:
    assert await opening(tmp_path / "missing" / "meters.db") == "jackpot.unreachable"


async def test_a_file_that_another_process_locks_ends_the_call_in_time(path: Path) -> None:
    store = SqliteStore(path, deadline=2)
    await store.open()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    table = Teller(store)
    table.last = 597
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await table.tell(*table.bets(500, "1"))
    other.execute("ROLLBACK")
    other.close()
    assert (await store.meter("G")).recorded == 597
    await store.close()
