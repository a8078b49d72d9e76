"""A table's journal and its meter's ledger know each other: whichever goes back or is changed is named."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from controller.jackpot.chain import mark_of
from controller.jackpot.ledger import Movement
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal.store import Journal
from controller.service.ledger_marks import LedgerMarks
from controller.service.meter_sync import MeterSync
from controller.service.reconciling import Mismatch, OwnMovements, movements_by, reconcile
from controller.table.facts import MeterTold
from tests.jackpot.stores.conftest import Make, dsn, make, server
from tests.service.kept import INCREMENT, ROYAL, Kept, refusals, until

__all__ = ["dsn", "make", "server"]
BEHIND = ("journal.behind", "meter")


def held(t: Kept) -> list[tuple[str, str]]:
    return [(hold.code, hold.device) for hold in t.table.holds.values()]


@pytest.fixture
def keeper(request: pytest.FixtureRequest) -> str:
    """A file is a table's own, a server is shared."""
    return {"sqlite": "own", "postgres": "shared"}[request.node.callspec.params["make"]]


def journal_of(directory: Path, name: str = "T1") -> dict[str, OwnMovements]:
    journal = Journal.inspect(directory / f"{name}.db")
    try:
        return movements_by(journal)
    finally:
        journal.close()


# ---- they agree


async def test_every_answer_leaves_the_head_of_the_ledger_in_the_journal(
    make: Make, tmp_path: Path, keeper: str
) -> None:
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.round()
        await t.round(ROYAL)
        await t.adds_up()
        meter = await t.store.meter("T1")
        at, head = t.game.ledger
        assert at <= meter.recorded and await t.store.hash_at("T1", at) == head != ""
    told = journal_of(tmp_path)
    assert told["T1"].heads[at] == head
    store = make()
    await store.open()
    (part,), findings, others = await reconcile(store, "T1", {"T1": told["T1"]})
    assert (findings, others) == ([], [])
    assert part.journal == part.ledger == 2 * INCREMENT and (part.movements, part.waiting) == (3, 0)
    await store.close()


async def test_several_tables_come_to_the_meter_together(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="G") as b,
    ):
        for _ in range(2):
            await asyncio.gather(a.round(), b.round())
        await a.told()
        await b.told()
    store = PostgresStore(dsn)
    await store.open()
    tables = {name: journal_of(tmp_path, name)["G"] for name in "AB"}
    parts, findings, others = await reconcile(store, "G", tables)
    assert (findings, others) == ([], [])
    contributions = (await store.meter("G")).contributions
    assert sum(part.journal for part in parts) == sum(part.ledger for part in parts) == contributions
    _, _, others = await reconcile(store, "G", {"A": tables["A"]})
    assert others == ["B"]
    await store.close()


# ---- the journal went back


async def test_an_older_journal_is_held_and_reconciled_by_name(make: Make, tmp_path: Path, keeper: str) -> None:
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.round()
        await t.told()
    shutil.copy(tmp_path / "T1.db", tmp_path / "older.db")
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.round()
        await t.told()
    shutil.copy(tmp_path / "older.db", tmp_path / "T1.db")
    told = journal_of(tmp_path)
    async with Kept(tmp_path, make(), keeper=keeper, ready=False) as t:
        await until(lambda: BEHIND in held(t))
        _, findings, _ = await reconcile(t.store, "T1", {"T1": told["T1"]})
        assert findings == [Mismatch("journal.behind", "T1", "the ledger has movement 2, and the journal lacks it")]
        await t.role("supervisor")
        assert refusals(await t.key("resume")) == []
        assert not held(t)
    async with Kept(tmp_path, make(), keeper=keeper) as t:  # and the ruling stands
        await t.sound()
        assert not held(t)


async def test_a_store_that_is_ahead_when_it_comes_back_in_mid_life_holds_the_table(tmp_path: Path) -> None:
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
        await t.meter_sync.stop()  # the line is down
        other = SqliteStore(file)
        await other.open()
        await other.record("T1", "T1", [Movement(2, 9, "contribution", "1", INCREMENT)])  # a clone tells meanwhile
        await other.close()
        t.meter_sync = MeterSync(t.meter_sync._settings, t.engine, SqliteStore(file))
        await t.meter_sync.start()
        await until(lambda: BEHIND in held(t))
        assert refusals(await t.bet(ante=10))  # the round is held


async def test_an_end_between_the_commit_and_its_acknowledgement_is_no_alarm(
    make: Make, tmp_path: Path, keeper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As kill -9 leaves it: the ledger has the movement, and the journal has it only as told by nobody yet."""
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.round()
        await t.told()
        recorded = asyncio.Event()

        async def killed(*_: object) -> None:
            recorded.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(t.meter_sync, "_tell", killed)
        await t.registered()
        await recorded.wait()
        assert t.game.outbox and (await t.store.meter("T1")).recorded == 2
        monkeypatch.undo()
    async with Kept(tmp_path, make(), keeper=keeper) as t:
        await t.adds_up()
        assert not held(t) and not t.meter_sync.faults()


# ---- the meter went back, or was changed


async def test_an_older_store_is_named_and_the_base_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
    shutil.copy(file, tmp_path / "older.db")
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
    shutil.copy(tmp_path / "older.db", file)
    told = journal_of(tmp_path)
    async with Kept(tmp_path, SqliteStore(file), keeper="own", ready=False) as t:
        await t.faulty("jackpot.behind")
        assert not held(t)
        assert refusals(await t.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]
        assert refusals(await t.bet(ante=10)) == []
        _, findings, _ = await reconcile(t.store, "T1", {"T1": told["T1"]})
        assert [(each.code, each.text) for each in findings] == [
            ("jackpot.behind", "movement 2 was acknowledged, and the ledger lacks it"),
            ("jackpot.behind", "the ledger had 2 movements when it was heard, and has 1"),
        ]


async def test_a_shared_store_that_lost_what_others_told_is_named(dsn: str, tmp_path: Path) -> None:
    """This table's own movements are all there: only the head of the ledger in its journal knows more."""
    async with Kept(tmp_path, PostgresStore(dsn)) as t:
        await t.round()
        await t.told()
        at, head = t.game.ledger
        terms = t.table.options.typed.terms
        assert terms is not None
        await t.engine.submit(MeterTold("", t.game.recorded, t.game.meter, terms, (), (at + 7, head)))
    async with Kept(tmp_path, PostgresStore(dsn), ready=False) as t:
        await t.faulty("jackpot.behind")
        assert not held(t)


async def test_a_ledger_that_was_rewritten_whole_is_found_by_the_journal(tmp_path: Path) -> None:
    """Every hash is made anew: nothing in the store contradicts it, but the table was told another head."""
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        await t.round()
        await t.told()
    rewrite(file, "UPDATE jackpot_entries SET recorded_at = recorded_at - 1")
    store = SqliteStore(file)
    await store.open()
    assert await store.verify("T1") == []
    _, findings, _ = await reconcile(store, "T1", {"T1": journal_of(tmp_path)["T1"]})
    assert [each.code for each in findings] == ["jackpot.rewritten"]
    await store.close()
    async with Kept(tmp_path, SqliteStore(file), keeper="own", ready=False) as t:
        await t.faulty("jackpot.rewritten")
        assert refusals(await t.bet(ante=10, jackpot=5)) == [("11.3.1", "the prize meter system does not work")]


def rewrite(file: Path, sql: str) -> None:
    """Changes a ledger, and makes the whole chain anew as its own code does."""
    from controller.jackpot.stores.chained import chain_older_entries
    from controller.jackpot.stores.sqlite import _books, _run

    db = sqlite3.connect(file, isolation_level=None)
    db.execute(sql)
    _run(chain_older_entries(_books(db)))
    db.execute("DELETE FROM jackpot_settings")
    db.close()


async def test_a_sound_check_is_kept_and_compared_with_by_the_next(tmp_path: Path) -> None:
    file = tmp_path / "meters.db"
    async with Kept(tmp_path, SqliteStore(file), keeper="own") as t:
        t.meter_sync.marks = LedgerMarks(tmp_path)
        await t.round()
        await t.told()
        report, note = await t.meter_sync.check()
        assert report.problems == [] and mark_of(note) == report.mark
        assert (tmp_path / "ledger-T1.checkpoint").read_text() == note
        assert note in await t.store.checkpoints("T1")
        rewrite(file, "UPDATE jackpot_entries SET recorded_at = recorded_at - 1")
        with sqlite3.connect(file) as db:
            db.execute("DELETE FROM jackpot_checkpoints")  # whoever rewrites it takes them out too
        db.close()
        report, none = await t.meter_sync.check()
        assert none == "" and "they were rewritten" in report.problems[0]
        (tmp_path / "ledger-T1.checkpoint").write_text("no checkpoint")  # said in the log, and no table stands still
        report, _ = await t.meter_sync.check()
        assert report.problems == []
