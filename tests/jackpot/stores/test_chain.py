"""The chained ledger: what is changed in the store is found by the chain, or by whoever holds one old checkpoint."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from controller.jackpot.chain import ORIGIN, EntryRow, entry_hash, genesis, lines_hash
from controller.jackpot.marks import LedgerMark
from controller.jackpot.stores import migrations
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.jackpot.stores.store import MeterStore
from tests.jackpot.stores.conftest import PATIENCE, Make
from tests.jackpot.stores.telling import PEOPLE, WHY, Teller

Sql = Callable[[str], None]
ENTRIES = "jackpot_entries WHERE meter = 'G'"


@pytest.fixture
def sql(make: Make, request: pytest.FixtureRequest, tmp_path: Path) -> Sql:
    """Somebody with the whole power over the store, behind our back."""
    if request.node.callspec.params["make"] == "sqlite":

        def run(text: str) -> None:
            db = sqlite3.connect(tmp_path / "meters.db")
            db.executescript(text)
            db.close()

        return run
    dsn = request.getfixturevalue("dsn")

    def execute(text: str) -> None:
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute(text.encode())

    return execute


async def history(store: MeterStore) -> LedgerMark:
    """A meter with everything that happens to one: short and long ways, prizes, people, two tables; its checkpoint."""
    one, two = Teller(store, "T1"), Teller(store, "T2 \N{SNOWMAN}")
    for table in (one, two):
        await table.join()
        await table.tell(*table.bets(1, "123"))
        await table.tell(*table.bets(2, "12"))
    await one.tell(one.say("reversal", 2, "1"), *one.bets(3, "1"))
    await two.tell(two.say("outcome", 2, flushes="1R"))
    await store.adjust("G", 5, WHY, PEOPLE)
    await one.tell(*one.bets(4, "1234567"))
    assert (await store.check("G")).problems == []
    return (await store.check("G")).mark


async def test_every_entry_stands_on_the_one_before(make: Make) -> None:
    store = make()
    await store.open()
    mark = await history(store)
    assert (mark.origin, mark.size) == (f"{ORIGIN}G", 8)
    report = await store.check("G", [mark])
    assert report.problems == [] and report.unbound == 0
    meter = await store.meter("G")
    assert await store.hash_at("G", meter.recorded) == report.head
    assert await store.hash_at("G", meter.recorded - 1) is None  # in the middle of an entry
    told = Teller(store, "T1")
    assert (await told.join()).head == report.head
    await store.close()


FOUND_BY_THE_CHAIN = {
    "a time": "UPDATE jackpot_entries SET recorded_at = recorded_at - 60000000 WHERE seq = 4",
    "two entries in another order": (
        "UPDATE jackpot_entries SET seq = 900 WHERE seq = 4; UPDATE jackpot_entries SET seq = 4, holds = holds"
        " WHERE seq = 6; UPDATE jackpot_entries SET seq = 7 WHERE seq = 900"
    ),
    "a reason": "UPDATE jackpot_movements SET note = replace(note, 'counted', 'guessed') WHERE kind = 'adjustment'",
    "whose wager it was": "UPDATE jackpot_movements SET wager = '6' WHERE table_name = 'T1' AND number = 2",
    "a wager, and the balance that follows": (
        "UPDATE jackpot_movements SET ticks = 28000, moved = 28000 WHERE table_name = 'T1' AND number = 13;"
        "UPDATE jackpot_entries SET holds = holds - 610 WHERE seq = (SELECT max(seq) FROM jackpot_entries);"
        "UPDATE jackpot_meters SET value = value - 610, contributions = contributions - 610"
    ),
    "with what it began": "UPDATE jackpot_meters SET ceiling = 2000000000",
}


@pytest.mark.parametrize("what", FOUND_BY_THE_CHAIN)
async def test_what_was_changed_by_sql_is_found(make: Make, sql: Sql, what: str) -> None:
    store = make()
    await store.open()
    await history(store)
    sql(FOUND_BY_THE_CHAIN[what])
    problems = await store.verify("G")
    assert [problem for problem in problems if "is not what was recorded" in problem]
    await store.close()


async def cut(store: MeterStore, sql: Sql) -> None:
    """The last entry goes, and everything that counts it is made right: nothing in the store contradicts it."""
    sql(
        "DELETE FROM jackpot_movements WHERE table_name = 'T1' AND number > 7;"
        f"DELETE FROM jackpot_entries WHERE seq = (SELECT max(seq) FROM {ENTRIES});"
        "UPDATE jackpot_tables SET last = 7 WHERE table_name = 'T1';"
        "UPDATE jackpot_meters SET recorded = recorded - 7, value = value - 7 * 28610, wagers = wagers - 7,"
        " contributions = contributions - 7 * 28610"
    )


async def test_what_was_cut_off_is_found_by_a_checkpoint(make: Make, sql: Sql) -> None:
    store = make()
    await store.open()
    mark = await history(store)
    await cut(store, sql)
    assert await store.verify("G") == []  # alone it is sound: that is what a checkpoint elsewhere is for
    (problem,) = await store.verify("G", [mark])
    assert problem == "a checkpoint was made of 8 entries, and there are 7: it was cut"
    one = Teller(store, "T1")
    await one.join()
    await one.tell(*one.bets(5, "12"))  # as many entries again
    (problem,) = await store.verify("G", [mark])
    assert problem == "the first 8 entries are not those of the checkpoint: they were rewritten"
    await store.close()


async def test_a_checkpoint_from_before_the_first_entry_holds(make: Make) -> None:
    store = make()
    await store.open()
    await Teller(store).join()
    mark = (await store.check("G")).mark
    assert mark.size == 0 and await store.verify("G", [mark]) == []
    await history(store)
    assert await store.verify("G", [mark]) == []
    await store.close()


async def test_a_checkpoint_of_another_ledger_does_not_count(make: Make) -> None:
    store = make()
    await store.open()
    mark = await history(store)
    (problem,) = await store.verify("G", [LedgerMark(f"{ORIGIN}H", mark.size, mark.root)])
    assert "of feltd.ledger/H, not of feltd.ledger/G" in problem
    await store.close()


ADDED = {
    "sqlite": "CREATE TRIGGER helpful AFTER INSERT ON jackpot_entries BEGIN SELECT 1; END",
    "postgres": "CREATE RULE helpful AS ON DELETE TO jackpot_entries DO ALSO SELECT 1",
}


async def test_what_was_added_to_the_schema_is_found(make: Make, sql: Sql, request: pytest.FixtureRequest) -> None:
    store = make()
    await store.open()
    await history(store)
    sql(ADDED[request.node.callspec.params["make"]])
    (problem,) = await store.verify("G")
    assert "helpful, which is not ours" in problem
    await store.close()


async def test_a_procedure_that_was_replaced_is_found(dsn: str) -> None:
    store = PostgresStore(dsn, PATIENCE)
    await store.open()
    await history(store)
    with psycopg.connect(dsn, autocommit=True) as conn:
        body = conn.execute("SELECT pg_get_functiondef('jackpot_contribute'::regproc)").fetchone()
        assert body is not None
        conn.execute(body[0].replace("n * tick", "n * (tick - 1)").encode())
        conn.execute("CREATE FUNCTION helps() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
        conn.execute("CREATE TRIGGER helpful BEFORE INSERT ON jackpot_movements FOR EACH ROW EXECUTE FUNCTION helps()")
        conn.execute("ALTER TABLE jackpot_meters DROP CONSTRAINT meter_equation")
    problems = await store.verify("G")
    assert problems == [
        "the schema has the trigger helpful, which is not ours",
        "the procedure jackpot_contribute is not ours",
        "the schema lacks an equation that every meter must obey",
    ]
    await store.close()


# ---- stores of before


def before_the_chain(dialect: str) -> str:
    """The schema as versions without a chain left it."""
    return "".join(sql for number, sql in migrations.steps(dialect).items() if number < migrations.CHAIN)


async def test_an_older_file_is_chained_and_says_so(tmp_path: Path) -> None:
    fresh, older = tmp_path / "fresh.db", tmp_path / "older.db"
    store = SqliteStore(fresh)
    await store.open()
    await history(store)
    await store.close()
    db = sqlite3.connect(older)
    db.executescript(f"{before_the_chain('sqlite')} ATTACH '{fresh}' AS fresh; PRAGMA user_version = 5;")
    for name in ("jackpot_meters", "jackpot_movements"):
        db.execute(f"INSERT INTO {name} SELECT * FROM fresh.{name}")
    for name, columns in OLDER.items():
        db.execute(f"INSERT INTO {name} SELECT {columns} FROM fresh.{name}")
    db.commit()
    db.close()
    await chained_as_if_it_always_was(SqliteStore(fresh), SqliteStore(older))


OLDER = {
    "jackpot_tables": "meter, table_name, described, present, last, seen, notices, teller",
    "jackpot_entries": "meter, seq, table_name, first_number, size, recorded_at, holds, awarded",
}


async def test_an_older_server_is_chained_and_says_so(dsn: str) -> None:
    store = PostgresStore(dsn, PATIENCE)
    await store.open()
    await history(store)
    head = (await store.check("G")).head
    await store.close()
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(
            "DROP PROCEDURE jackpot_contribute; DROP TABLE jackpot_checkpoints, journal_checkpoints, journal_logs"
        )
        conn.execute("ALTER TABLE jackpot_entries DROP COLUMN hash; DELETE FROM jackpot_schema WHERE version > 5")
        gone = ", ".join(f"DROP COLUMN {name}" for name in LEASE)
        conn.execute(f"ALTER TABLE jackpot_tables {gone}".encode())
        step = migrations.steps("postgres")[2]
        conn.execute(step[step.index("CREATE PROCEDURE") :].encode())
    store = PostgresStore(dsn, PATIENCE)
    await store.open()
    report = await store.check("G")
    assert (report.problems, report.head, report.unbound) == ([], head, 8)
    table = Teller(store, "T1")
    await table.join()
    await table.tell(*table.bets(6, "12"))
    assert await store.verify("G") == []
    await store.close()


LEASE = ("holder", "renewed", "contender", "contended", "contender_seen")


async def chained_as_if_it_always_was(fresh: SqliteStore, older: SqliteStore) -> None:
    for store in (fresh, older):
        await store.open()
    wanted, report = await fresh.check("G"), await older.check("G")
    assert (report.problems, report.head, report.mark) == ([], wanted.head, wanted.mark)
    assert (wanted.unbound, report.unbound) == (0, 8)
    for store in (fresh, older):
        await store.close()


def test_no_two_entries_hash_alike() -> None:
    """Whatever separates the fields cannot be moved into one of them."""
    entry = EntryRow(1, "T1", 1, 1, 5, 6, False)
    line = ("T1", 1, 1, "contribution", "1", 5, "[]", 5, 0, None, False, None)
    moved = ("T1", 1, 1, "contribution", "1\n[]", 5, "", 5, 0, None, False, None)
    assert lines_hash([line]) != lines_hash([moved]) != lines_hash([line, line])
    first = genesis("G", "{}", 1, None, 0)
    assert entry_hash(first, entry, "") != entry_hash(first, EntryRow(1, "T1 ", 1, 1, 5, 6, False), "")
    assert genesis("G", "{}", 1, None, 0) != genesis("G", "{}", 1, 0, 0)
