"""The shared store under everything that happens to a server and to the wire to it."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from controller.jackpot.stores import migrations
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.store import StoreError
from tests.docs.blocks import blocks
from tests.jackpot.stores.relay import Relay
from tests.jackpot.stores.telling import NSW, PEOPLE, WHY, WORDS, Teller
from tools.postgres import OwnServer

INCREMENT = NSW.increment


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[PostgresStore]:
    own = PostgresStore(dsn, deadline=20)
    await own.open()
    yield own
    await own.close()


@pytest.fixture
async def wire(server: OwnServer) -> AsyncIterator[Relay]:
    async with Relay(server.directory) as relay:
        yield relay


def over(wire: Relay, dsn: str, server: OwnServer, deadline: float = 20.0) -> PostgresStore:
    return PostgresStore(dsn.replace(str(server.directory), wire.host), deadline)


@contextmanager
def hurry(own: PostgresStore, deadline: float) -> Iterator[None]:
    """Only the calls that must fail have little time: a busy machine needs more for those that must not."""
    patient, own._server.deadline = own._server.deadline, deadline
    yield
    own._server.deadline = patient


async def kill_all(dsn: str) -> None:
    """Every other session of this database, as an administrator might."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        own = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        await conn.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}")


async def test_a_killed_connection_is_made_anew(store: PostgresStore, dsn: str) -> None:
    table = Teller(store)
    await table.join()
    for round_ in range(1, 5):
        await table.tell(*table.bets(round_, "12"))
        await kill_all(dsn)
    assert (await store.meter("G")).value == NSW.seed + 8 * INCREMENT
    await kill_all(dsn)
    assert await store.verify("G") == []


async def test_a_crash_of_the_server_loses_nothing_that_was_answered(
    store: PostgresStore, server: OwnServer, dsn: str
) -> None:
    """Tables go on recording while the server crashes in the midst of their transactions."""
    stores = [PostgresStore(dsn, deadline=20) for _ in range(4)]
    tables = [Teller(own, f"T{i}") for i, own in enumerate(stores)]
    chance = random.Random(5)

    async def play(table: Teller) -> None:
        await table.store.open()
        await table.join()
        for round_ in range(1, 41):
            await table.tell(*table.bets(round_, "123"))
            if chance.random() < 0.2:
                await table.tell(table.say("reversal", round_, "2"), *table.bets(round_, "2"))

    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(play(table))
        for _ in range(2):
            await asyncio.sleep(0.1)
            await asyncio.to_thread(server.restart)
    meter = await store.meter("G")
    assert meter.value == NSW.seed + 4 * 40 * 3 * INCREMENT and meter.wagers == 480
    assert await store.verify("G") == []
    for own in stores:
        await own.close()


async def test_an_answer_is_durable_when_it_comes(store: PostgresStore, server: OwnServer) -> None:
    """The everyday way commits without waiting for the disk, and waits afterwards."""
    table = Teller(store)
    await table.join()
    for round_ in range(1, 4):  # the first takes the long way
        told = await table.tell(*table.bets(round_, "123"))
    server.restart()  # at once, in the same thread
    assert await store.meter("G") == told.meter
    assert await store.verify("G") == []


async def test_a_transaction_that_a_crash_interrupts_was_never_there(
    store: PostgresStore, server: OwnServer, dsn: str
) -> None:
    await Teller(store).join()
    async with await psycopg.AsyncConnection.connect(dsn) as half:
        await half.execute("UPDATE jackpot_meters SET value = value + 1, house = house + 1")
        await asyncio.to_thread(server.restart)
        with pytest.raises(psycopg.OperationalError):
            await half.execute("SELECT 1")
    assert (await store.meter("G")).value == NSW.seed


async def test_an_answer_that_was_lost_is_given_again(
    store: PostgresStore, wire: Relay, dsn: str, server: OwnServer
) -> None:
    """The commit happened, and nobody heard of it."""
    table = Teller(over(wire, dsn, server))
    await table.store.open()
    await table.join()
    await table.tell(*table.bets(1, "1"))
    await table.tell(*table.bets(2, "1"))
    wire.eat_answers = True
    told = await table.tell(*table.bets(3, "12"))
    assert told.repeats == (3, 4) and told.meter.value == NSW.seed + 4 * INCREMENT
    assert await store.verify("G") == []
    await table.store.close()


async def test_what_people_do_is_never_done_twice(
    store: PostgresStore, wire: Relay, dsn: str, server: OwnServer
) -> None:
    """It has no name by which the store would know it again: the people are told to look first."""
    own = over(wire, dsn, server)
    await own.open()
    await Teller(own).join()
    await own.meter("G")
    wire.cut()
    with pytest.raises(StoreError, match=r"jackpot\.unreachable: nobody knows"):
        await own.adjust("G", 5, WHY, PEOPLE)
    await own.adjust("G", 5, WHY, PEOPLE)
    assert (await store.meter("G")).value == NSW.seed + 5
    await own.close()


async def test_a_silent_wire_ends_every_call_in_time(wire: Relay, dsn: str, server: OwnServer) -> None:
    own = over(wire, dsn, server)
    table = Teller(own)
    await own.open()
    await table.join()
    wire.silence()
    bets = table.bets(1, "1")
    with hurry(own, 0.3):
        calls = [table.tell(*bets), own.meter("G"), own.verify("G"), own.open(), anext(own.changes("G"))]
        for outcome in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(outcome, StoreError) and outcome.code == "jackpot.unreachable"
    wire.resume()
    assert (await table.tell(*bets)).meter.value == NSW.seed + INCREMENT
    await own.close()


async def test_a_server_that_is_not_there(tmp_path: object) -> None:
    own = PostgresStore(f"host={tmp_path} user=felt dbname=postgres", deadline=0.2)
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await own.open()
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await anext(own.changes("G"))
    await own.close()


async def test_a_client_that_stops_in_mid_transaction_blocks_nobody_for_long(
    store: PostgresStore, wire: Relay, dsn: str, server: OwnServer
) -> None:
    """It has the lock, and its wire is silent: the server takes the lock back by itself."""
    own = over(wire, dsn, server, deadline=2.5)
    other = Teller(own, "T2")
    await own.open()
    await other.join()
    table = Teller(store)
    await table.join()
    async with await psycopg.AsyncConnection.connect(dsn) as lock:
        await lock.execute("SELECT 1 FROM jackpot_meters FOR UPDATE")
        long_way = [*other.bets(1, "12"), other.say("reversal", 1, "2")]  # not the everyday: in several steps
        stuck = asyncio.create_task(other.tell(*long_way))
        await waits_for_a_lock(dsn)
        wire.silence()
    assert (await table.tell(*table.bets(1, "1"))).meter.value == NSW.seed + INCREMENT
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await stuck
    wire.resume()
    with hurry(own, 20):
        assert (await other.tell(*long_way)).meter.value == NSW.seed + 2 * INCREMENT
    await own.close()


async def test_a_call_that_is_given_up_leaves_the_store_fit(store: PostgresStore, dsn: str) -> None:
    """As a daemon does when it stops."""
    table = Teller(store)
    await table.join()
    first = table.bets(1, "1")
    async with await psycopg.AsyncConnection.connect(dsn) as lock:
        await lock.execute("SELECT 1 FROM jackpot_meters FOR UPDATE")
        given_up = asyncio.create_task(table.tell(*first))
        await waits_for_a_lock(dsn)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
    assert (await table.tell(*first)).repeats == ()
    assert await store.verify("G") == []


async def test_a_meter_that_stays_locked_ends_the_call_in_time(store: PostgresStore, dsn: str) -> None:
    table = Teller(store)
    await table.join()
    bets = table.bets(1, "1")
    async with await psycopg.AsyncConnection.connect(dsn) as lock:
        await lock.execute("SELECT 1 FROM jackpot_meters FOR UPDATE")
        with hurry(store, 0.3), pytest.raises(StoreError, match=r"jackpot\.unreachable"):
            await table.tell(*bets)
    assert (await table.tell(*bets)).meter.wagers == 1


async def waits_for_a_lock(dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        while not await (await conn.execute("SELECT 1 FROM pg_locks WHERE NOT granted")).fetchone():
            await conn.execute("SELECT pg_sleep(0.005)")


async def test_a_listener_learns_that_the_server_is_gone(store: PostgresStore, dsn: str) -> None:
    await Teller(store).join()
    changes = store.changes("G")
    await anext(changes)
    await kill_all(dsn)
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await anext(changes)
    again = store.changes("G")
    assert (await anext(again)).value == NSW.seed
    waiting = asyncio.ensure_future(anext(again))
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(StoreError, match=r"jackpot\.unreachable"):
        await waiting


async def test_a_slow_listener_gets_only_the_newest(store: PostgresStore) -> None:
    table = Teller(store)
    await table.join()
    changes = store.changes("G")
    await anext(changes)
    for round_ in range(1, 31):
        await table.tell(*table.bets(round_, "1"))
    assert (await anext(changes)).recorded == 30
    await changes.aclose()


async def test_the_first_client_makes_the_schema_and_the_others_wait(dsn: str) -> None:
    stores = [PostgresStore(dsn, deadline=20) for _ in range(6)]
    await asyncio.gather(*(own.open() for own in stores))
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        found = await (await conn.execute("SELECT version FROM jackpot_schema ORDER BY version")).fetchall()
    assert [version for (version,) in found] == list(migrations.steps("postgres"))
    await asyncio.gather(*(own.join("G", f"T{i}", NSW, WORDS) for i, own in enumerate(stores)))
    assert len(await stores[0].meters()) == 1
    for own in stores:
        await own.close()


async def test_a_newer_schema_is_refused(store: PostgresStore, dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        await conn.execute("INSERT INTO jackpot_schema VALUES (9999, now())")
    with pytest.raises(StoreError, match=r"jackpot\.newer"):
        await PostgresStore(dsn).open()


async def test_a_server_that_does_not_wait_for_its_disk_is_refused(dsn: str, server: OwnServer) -> None:
    server.settings["fsync"] = "off"
    await asyncio.to_thread(server.restart)
    try:
        with pytest.raises(StoreError, match=r"jackpot\.refused.*fsync"):
            await PostgresStore(dsn).open()
    finally:
        server.settings["fsync"] = "on"
        await asyncio.to_thread(server.restart)


async def test_the_database_itself_refuses_a_meter_that_does_not_add_up(store: PostgresStore, dsn: str) -> None:
    await Teller(store).join()
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        with pytest.raises(psycopg.errors.CheckViolation, match="meter_equation"):
            await conn.execute("UPDATE jackpot_meters SET value = value + 1")


async def test_rights_that_are_missing_are_named(store: PostgresStore, dsn: str) -> None:
    await Teller(store).join()
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        await conn.execute("DROP TABLE jackpot_movements")
    with pytest.raises(StoreError, match=r"jackpot\.refused.*jackpot_movements"):
        await store.hits("G")


async def test_the_rights_in_the_guide_are_enough_and_no_more(store: PostgresStore, dsn: str) -> None:
    """The role of the tables does everything a table does, and can neither delete nor rewrite."""
    guide = Path(__file__).parents[3] / "docs" / "jackpot.md"
    [grants] = [block.text for block in blocks(guide) if block.text.startswith("GRANT")]
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        row = await (await conn.execute("SELECT current_schema()")).fetchone()
        assert row is not None
        await conn.execute("CREATE ROLE felt_table LOGIN")
        await conn.execute(f"GRANT USAGE ON SCHEMA {row[0]} TO felt_table")
        await conn.execute(grants.replace("SCHEMA public", f"SCHEMA {row[0]}"))
        own = PostgresStore(dsn.replace("user=felt", "user=felt_table"))
        table = Teller(own)
        await own.open()
        await table.join()
        await table.tell(*table.bets(1, "12"), table.say("reversal", 1, "1"), table.say("outcome", 1, flushes="2S"))
        await table.tell(*table.bets(2, "12"))
        await own.adjust("G", 1, WHY, PEOPLE)
        assert await own.verify("G") == []
        await own.open_logbook("CUP", "{}")
        assert (await own.append("CUP", 0, "a", "1")).seq == 1
        await own.close()
        for forbidden in (
            "DELETE FROM jackpot_movements",
            "UPDATE jackpot_movements SET moved = 1",
            "UPDATE logbook_lines SET line = ''",
            "UPDATE logbooks SET head = ''",
        ):
            async with await psycopg.AsyncConnection.connect(dsn.replace("user=felt", "user=felt_table")) as other:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    await other.execute(forbidden)
        await conn.execute("DROP OWNED BY felt_table")
        await conn.execute("DROP ROLE felt_table")


def test_psycopg_is_loaded_only_where_a_shared_store_is_configured() -> None:
    """A table with a meter of its own needs no PostgreSQL client."""
    check = "import sys, controller.daemon.main, controller.cli.main; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
