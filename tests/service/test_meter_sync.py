"""Between a table and its prize meter: every movement once, whatever happens to the line, the server or the table."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from controller.errors import FeltError
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.jackpot.stores.store import MeterStore, StoreError
from controller.service.meter_faults import AUDIT
from controller.service.meter_store import only_for_tests
from controller.service.meter_terms import SyncSettings
from controller.table.facts import Amend, Chips
from tests.daemon.house import failed_start, table_toml
from tests.jackpot.stores.conftest import Make, dsn, make, server
from tests.jackpot.stores.relay import Relay
from tests.service.kept import INCREMENT, NOTHING, ROYAL, SEED, Kept, refusals, until
from tools.postgres import OwnServer

__all__ = ["dsn", "make", "server"]
DEADLINE = 1.0


@pytest.fixture
def keeper(request: pytest.FixtureRequest) -> str:
    """A file is a table's own, a server is shared."""
    return {"sqlite": "own", "postgres": "shared"}[request.node.callspec.params["make"]]


# ---- everyday


async def test_what_a_table_does_to_the_meter_is_told(make: Make, tmp_path: Path, keeper: str) -> None:
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.registered()
        assert await t.adds_up() == SEED + INCREMENT
        await t.role("supervisor")
        await t.key("cancel-jackpot")
        assert await t.adds_up() == SEED
        await t.key("start-jackpot")
        await t.dealt(NOTHING)
        assert await t.adds_up() == SEED + INCREMENT
        assert [m.kind for m in (await t.store.meters())] == ["nsw"]
        assert (await t.store.meter("T1")).wagers == 1


async def test_a_royal_flush_is_paid_and_invalidated(make: Make, tmp_path: Path, keeper: str) -> None:
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.round(ROYAL)
        await until(lambda: all(w.prizes for w in t.game.pending))
        assert await t.adds_up() == SEED
        (hit,) = await t.store.hits("T1")
        assert (hit.cents, hit.before, hit.undone) == (100_003_00, SEED + INCREMENT, False)
        assert t.table.round is not None and t.table.round.award is not None
        await t.role("casino-manager")
        assert refusals(await t.key("confirm-jackpot")) == []
        assert [line.prize for line in t.table.round.lines if line.prize] == [100_003_00]
        assert refusals(await t.key("invalidate fraud")) == []
        assert await t.adds_up() == SEED
        (hit,) = await t.store.hits("T1")
        assert hit.undone and (await t.store.meter("T1")).wagers == 0


async def test_a_correction_tells_the_difference(make: Make, tmp_path: Path) -> None:
    async with Kept(tmp_path, make()) as t:
        await t.bet(1, ante=10, jackpot=5)
        await t.bet(2, ante=10)
        await t.bet(2, jackpot=5)
        wrong = t.engine.seq
        await t.key("no-more-bets")
        assert await t.adds_up() == SEED + 2 * INCREMENT
        assert refusals(await t.tell(Amend(wrong, None, "supervisor 7"))) == []
        assert await t.adds_up() == SEED + INCREMENT
        assert t.game.recorded == 3  # two wagers, and one taken back: nothing that was told is forgotten
        back = Chips(1, ())
        assert refusals(await t.tell(Amend(wrong - 2, back, "supervisor 7"))) == []
        assert await t.adds_up() == SEED


async def test_what_is_above_the_ceiling_goes_to_the_reserve(make: Make, tmp_path: Path) -> None:
    settings = SyncSettings("T1", ceiling=SEED + 10_000, reserve=5)
    async with Kept(tmp_path, make(), settings=settings) as t:
        await t.registered()
        assert await t.adds_up() == SEED + 10_000
        assert (await t.store.meter("T1")).reserve == 5 + INCREMENT - 10_000
        await t.dealt(ROYAL)
        await until(lambda: bool(t.game.pending) and all(w.prizes for w in t.game.pending))
        assert (await t.store.hits("T1"))[0].cents == 100_001_00


async def test_tables_of_a_group_hear_of_each_other(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="G") as b,
    ):
        await a.registered()
        await b.registered()
        await until(lambda: a.game.meter == b.game.meter == SEED + 2 * INCREMENT)
        await b.dealt(ROYAL)
        await until(lambda: a.game.meter == b.game.meter == SEED)
        assert (await a.store.hits("G"))[0].table == "B"


# ---- the line, the server and the table fail


@pytest.fixture
async def relay(server: OwnServer) -> AsyncIterator[Relay]:
    async with Relay(server.directory) as relay:
        yield relay


def over(relay: Relay, dsn: str, server: OwnServer) -> MeterStore:
    return PostgresStore(dsn.replace(f"host={server.directory}", f"host={relay.host}"), DEADLINE)


async def test_while_the_system_is_out_of_reach(relay: Relay, dsn: str, server: OwnServer, tmp_path: Path) -> None:
    async with Kept(tmp_path, over(relay, dsn, server)) as t:
        await t.registered()
        await t.told()
        relay.silence()
        await t.faulty()
        await t.dealt(ROYAL)  # what is registered is honoured
        await t.role("area-manager")
        assert refusals(await t.key("confirm-jackpot")) == [("12.2.1", "the prize meter system has not answered yet")]
        await t.role("casino-manager")
        assert refusals(await t.key("invalidate fraud"))[0][1] == "the prize meter system has not answered yet"
        await t.role("dealer")
        assert refusals(await t.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]
        assert refusals(await t.bet(ante=10)) == []  # the base game goes on
        await t.key("no-more-bets")
        relay.resume()
        await t.sound()
        await until(lambda: all(w.prizes for w in t.game.pending))
        assert await t.adds_up() == SEED
        await t.role("area-manager")
        assert refusals(await t.key("confirm-jackpot")) == []
        assert len(await t.store.hits("T1")) == 1


async def test_an_answer_that_is_lost(relay: Relay, dsn: str, server: OwnServer, tmp_path: Path) -> None:
    """It was recorded, and only the word of it did not come back: it is told again and counted once."""
    async with Kept(tmp_path, over(relay, dsn, server)) as t:
        for cards in (NOTHING, ROYAL, ROYAL):
            relay.eat_answers = True
            await t.round(cards)
            await t.told()
            await t.sound()
        await until(lambda: all(w.prizes for w in t.game.pending))
        assert await t.adds_up() == SEED
        assert len(await t.store.hits("T1")) == 2


async def test_the_server_crashes_and_comes_back(dsn: str, server: OwnServer, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn, DEADLINE)) as t:
        for _ in range(2):
            await t.registered()
            await asyncio.to_thread(server.stop)
            await t.faulty()
            await t.dealt(NOTHING)
            await asyncio.to_thread(server.start)
            await t.sound()
        assert await t.adds_up() == SEED + 2 * INCREMENT


async def test_a_table_that_starts_without_the_system(dsn: str, server: OwnServer, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn, DEADLINE)) as t:
        await t.registered()
        await t.told()
    await asyncio.to_thread(server.stop)
    try:
        async with Kept(tmp_path, PostgresStore(dsn, DEADLINE), ready=False) as t:
            assert t.meter_sync.faults()
            await t.dealt(ROYAL)
            assert len(t.game.outbox) == 1
    finally:
        await asyncio.to_thread(server.start)
    async with Kept(tmp_path, PostgresStore(dsn)) as t:
        await t.sound()
        await until(lambda: all(w.prizes for w in t.game.pending))
        assert await t.adds_up() == SEED


async def test_a_table_that_ends_at_any_moment(make: Make, tmp_path: Path, keeper: str) -> None:
    """The synchronisation is stopped while something is on its way; the next one tells what the journal still has."""
    for n in range(12):
        async with Kept(tmp_path, make(), keeper=keeper) as t:
            await t.registered()
            for _ in range(n):
                await asyncio.sleep(0)
            if n % 3 == 0:
                await t.meter_sync.stop()
            await t.dealt(ROYAL if n % 2 else NOTHING)
            for _ in range(n):
                await asyncio.sleep(0)
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await until(lambda: all(w.prizes for w in t.game.pending))
        await t.adds_up()
        meter = await t.store.meter("T1")
        assert (meter.wagers, meter.hits, meter.recorded) == (12, 6, 18)


# ---- audits


def forge(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(sql)
    db.close()


async def test_a_meter_that_does_not_add_up_stays_shut(tmp_path: Path) -> None:
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
    forge(file, "UPDATE jackpot_movements SET ticks = ticks + 1 WHERE number = 1")
    async with Kept(tmp_path, SqliteStore(file), keeper="own", ready=False) as t:
        await t.faulty(AUDIT)
        assert refusals(await t.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]
        assert await t.meter_sync.audit()
    forge(file, "UPDATE jackpot_movements SET ticks = ticks - 1 WHERE number = 1")
    async with Kept(tmp_path, SqliteStore(file), keeper="own", ready=False) as t:
        await until(lambda: list(t.meter_sync.faults()) == [AUDIT])
        assert await t.meter_sync.audit() == []
        assert AUDIT in t.meter_sync.faults()  # until a person has looked
        await t.meter_sync.clear()
        assert refusals(await t.bet(ante=10, jackpot=5)) == []


async def test_a_shared_meter_that_does_not_add_up_stays_shut(dsn: str, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn)) as t:
        for _ in range(2):
            await t.round()
            await t.told()
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("UPDATE jackpot_movements SET moved = moved + 1 WHERE number = 2")
    async with Kept(tmp_path, PostgresStore(dsn), ready=False) as t:
        await t.faulty(AUDIT)
        assert refusals(await t.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]


async def test_every_round_audits_the_meter(tmp_path: Path) -> None:
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA ignore_check_constraints = ON")
            db.execute("UPDATE jackpot_meters SET value = value + 1")
        db.close()
        await t.bet(ante=10)
        await t.key("no-more-bets")
        await t.dealt(NOTHING)
        await t.faulty(AUDIT)


async def test_a_store_that_forgot_something(make: Make, tmp_path: Path) -> None:
    async with Kept(tmp_path, make(), keeper="shared") as t:
        await t.round()
        await t.told()
        group = t.meter_sync.group
    store = make()
    await store.open()
    async with Kept(tmp_path, SqliteStore(tmp_path / "other.db"), keeper="shared", ready=False) as t:
        await t.faulty("jackpot.behind")
        assert group == "T1" and not refusals(await t.bet(ante=10))
    await store.close()


async def test_a_new_journal_under_an_old_name(make: Make, tmp_path: Path) -> None:
    async with Kept(tmp_path, make()) as t:
        await t.round()
        await t.told()
    (tmp_path / "T1.db").unlink()
    async with Kept(tmp_path, make(), ready=False) as t:
        await t.faulty("jackpot.conflict")
        assert not t.game.joined


async def test_an_older_journal_than_the_store_knows(make: Make, tmp_path: Path) -> None:
    """It goes on counting where the store is, but only when a person has looked."""
    async with Kept(tmp_path, make()) as t:
        await t.round()
        await t.told()
    shutil.copy(tmp_path / "T1.db", tmp_path / "copy.db")
    async with Kept(tmp_path, make()) as t:
        await t.round()
        await t.told()
        assert not t.table.holds
    shutil.copy(tmp_path / "copy.db", tmp_path / "T1.db")
    for _ in range(2):  # a restart is no ruling
        async with Kept(tmp_path, make()) as t:
            await until(lambda: bool(t.table.holds))
            (held,) = t.table.holds.values()
            assert (held.code, held.device) == ("journal.behind", "meter")
            assert "the journal has" in held.text
    async with Kept(tmp_path, make()) as t:
        await t.role("supervisor")
        await t.key("resume")
        assert not t.table.holds


async def test_two_tables_of_one_name(dsn: str, tmp_path: Path) -> None:
    """Their wagers have the same numbers: without the name of the journal one would be taken for the other's repeat."""
    (tmp_path / "other").mkdir()
    async with Kept(tmp_path, PostgresStore(dsn)) as t:
        async with Kept(tmp_path / "other", PostgresStore(dsn), ready=False, now=1) as twin:
            await twin.faulty("jackpot.conflict")
            assert refusals(await twin.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]
            await t.round()
        await t.told()
    async with Kept(tmp_path, PostgresStore(dsn)) as t:  # the first one goes on
        assert await t.adds_up() == SEED + INCREMENT


# ---- who belongs where


async def test_simulated_tables_stay_out_of_live_meters(dsn: str, tmp_path: Path) -> None:
    settings = SyncSettings("T1", alone=False, allow=only_for_tests)
    with pytest.raises(StoreError) as caught:
        async with Kept(tmp_path, PostgresStore(dsn), settings=settings):
            pytest.fail("it started")
    assert caught.value.code == "jackpot.live"
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("INSERT INTO jackpot_settings VALUES ('test-database', 'yes')")
    async with Kept(tmp_path, PostgresStore(dsn), settings=settings) as t:
        await t.round()
        assert await t.adds_up() == SEED + INCREMENT


async def test_a_table_on_other_terms_stays_out(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G"),
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="G", jackpot_option="2", ready=False) as b,
    ):
        await b.faulty("jackpot.differs")
        assert not b.game.joined


async def test_a_new_system_on_other_terms_stays_shut(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G"),
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="H", jackpot_option="2", ready=False) as b,
    ):
        await b.faulty("jackpot.differs")
        assert "(rule 11.2.1(d))" in b.meter_sync.faults()["jackpot.differs"] and not b.game.joined
        assert [meter.group for meter in await b.store.meters()] == ["G"]


async def test_another_option_holds_for_all_systems(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="G") as b,
        Kept(tmp_path, PostgresStore(dsn), "C", jackpot_group="H") as c,
    ):
        await a.role("area-manager")
        await a.key("notice jackpot-option=2")
        a.now = 20 * 60 * 1_000_000
        assert refusals(await a.key("set jackpot-option=2")) == []
        await until(lambda: all(t.table.options["jackpot-option"] == "2" for t in (a, b, c)))
        for t in (a, b, c):
            await t.sound()
            await t.registered()
        await until(lambda: a.game.meter == SEED + 2 * 24_985 and c.game.meter == SEED + 24_985)


async def test_a_table_goes_to_another_system(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="H") as b,
    ):
        await a.round()
        await a.told()
        await a.role("area-manager")
        await a.key("notice jackpot-group=H")
        a.now = 20 * 60 * 1_000_000
        assert refusals(await a.key("set jackpot-group=H")) == []
        await until(lambda: a.game.joined and a.game.meter == SEED)
        await a.registered()
        await until(lambda: b.game.meter == SEED + INCREMENT)
        assert [m.table for m in await b.store.members()] == ["A", "B"]
        assert {m.group for m in await b.store.members()} == {"H"}
        assert await a.adds_up() == SEED + INCREMENT


async def test_a_closed_system_is_closed_everywhere(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="H") as b,
    ):
        await a.round()
        await a.told()
        await a.store.close_group("G", {"H": INCREMENT}, "the end of the season", ("one", "other"))
        await until(lambda: a.game.closed)
        await until(lambda: b.game.meter == SEED + INCREMENT)
        assert refusals(await a.bet(ante=10, jackpot=5)) == [("11.3", "no Jackpot is offered here")]
    async with Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G", ready=False) as a:
        await until(lambda: a.game.closed and not a.meter_sync.faults())


async def test_a_wager_that_a_closed_system_had_not_heard_of(dsn: str, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="H") as b:
        async with Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a:
            await a.meter_sync.stop()
            await a.registered()
        await b.store.close_group("G", {}, "the end of the season", ("one", "other"))
        async with Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G", ready=False) as a:
            await until(lambda: a.game.closed and not a.game.outbox)
            await a.dealt(ROYAL)  # it is honoured
            await until(lambda: bool(a.game.pending) and all(w.prizes for w in a.game.pending))
        assert (await b.store.meter("G")).wagers == 1


async def test_options_are_not_changed_under_an_open_prize(make: Make, tmp_path: Path) -> None:
    async with Kept(tmp_path, make(), keeper="own") as t:
        await t.round(ROYAL)
        await t.told()
    with pytest.raises(FeltError) as caught:
        async with Kept(tmp_path, make(), keeper="own", max="900"):
            pytest.fail("it started")
    assert caught.value.code == "table.unfinished" and "Jackpot" in caught.value.cause


def test_the_daemon_of_a_simulated_table_does_not_start_on_a_live_meter(dsn: str, tmp_path: Path) -> None:
    way = tmp_path / "jackpot.dsn"
    way.write_text(dsn)
    way.chmod(0o600)
    options = 'jackpot = "nsw"\njackpot-group = "G"\n'
    path = table_toml(tmp_path, options=options, game="caribbean-stud")
    path.write_text(f'{path.read_text()}[jackpot]\nstore = "postgres"\ndsn-file = "{way}"\n')
    refused = failed_start(path)
    assert refused.returncode == 1
    assert "jackpot.live" in refused.stderr and "INSERT INTO jackpot_settings" in refused.stderr
    assert "Traceback" not in refused.stderr
