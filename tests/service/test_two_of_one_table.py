"""A card that was cloned: two daemons with one identity at one store; the second moves no meter, and both say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.jackpot.lease import CLONED, Holder, LeaseClaim
from controller.jackpot.stores.postgres import PostgresStore
from controller.service import table_lease
from controller.service.meter_terms import SyncSettings
from controller.service.own_process import own_claim, runs
from controller.table.facts import DeviceFault
from tests.jackpot.stores.conftest import dsn, server
from tests.service.kept import INCREMENT, SEED, Kept, refusals, until

__all__ = ["dsn", "server"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leases are renewed quickly."""
    monkeypatch.setattr(table_lease, "RENEW", 0.05)
    monkeypatch.setattr("controller.service.meter_sync.FOR_PEOPLE", 0.05)
    yield


def on(machine: str, boot: str = "") -> SyncSettings:
    """A daemon that runs on this machine, and was not started again since."""
    holder = Holder(os.urandom(4).hex(), machine, boot or f"boot of {machine}", os.getpid(), 1)
    return SyncSettings("T1", alone=False, claim=LeaseClaim(holder))


def clone(tmp_path: Path) -> Path:
    """The card, copied while the table stood still."""
    other = tmp_path / "clone"
    other.mkdir()
    shutil.copy(tmp_path / "T1.db", other / "T1.db")
    return other


def says_cloned(t: Kept) -> bool:
    return CLONED in t.table.faults.get(table_lease.TABLE, {})


async def test_a_cloned_card_is_found_and_moves_no_meter(dsn: str, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("one")) as real:
        await real.round()
        await real.told()
    copy = clone(tmp_path)
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("one")) as real:
        async with Kept(copy, PostgresStore(dsn), settings=on("two"), ready=False) as second:
            await second.faulty(CLONED)
            assert refusals(await second.bet(ante=10, jackpot=5)) == [
                ("11.3.1", "the prize meter system does not work")
            ]
            assert refusals(await second.bet(ante=10)) == []  # the base game goes on
            await until(lambda: says_cloned(real))
            await real.round()  # the one that was first plays on, with the Jackpot
            assert await real.adds_up() == SEED + 2 * INCREMENT
            assert await real.meter_sync.decide()  # a technician says which is the real one
            assert not says_cloned(real)
        assert any(isinstance(fact, DeviceFault) and fact.code == CLONED for fact in facts(real))
    async with Kept(copy, PostgresStore(dsn), settings=on("two", "boot 2"), ready=False) as second:
        await second.faulty(CLONED)  # the real one is switched off, and this one still takes nothing
        assert not second.game.outbox


def facts(t: Kept) -> list[object]:
    from controller.table import facts as table_facts

    return [table_facts.decode(record.payload) for record in t.journal.iterate(1)]


async def test_a_technician_at_the_second_one_makes_it_the_real_one(dsn: str, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("one")) as first:
        await first.round()
        await first.told()
    copy = clone(tmp_path)
    async with (
        Kept(tmp_path, PostgresStore(dsn), settings=on("one")) as first,
        Kept(copy, PostgresStore(dsn), settings=on("two"), ready=False) as second,
    ):
        await second.faulty(CLONED)
        assert await second.meter_sync.decide()
        await second.sound()
        await first.faulty(CLONED)  # it had the lease, and another one has it
        await second.round()
        assert await second.adds_up() == SEED + 2 * INCREMENT
        refused = refusals(await first.bet(ante=10, jackpot=5))
        assert refused == [("11.3.1", "the prize meter system does not work")]


async def test_a_table_that_is_alone_has_nothing_to_decide(dsn: str, tmp_path: Path) -> None:
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("one")) as t:
        assert not await t.meter_sync.decide()


async def test_no_restart_of_one_table_is_an_alarm(dsn: str, tmp_path: Path) -> None:
    """kill -9, a power cut, and a card that moves to other hardware after the former one was switched off in order."""
    for settings in (
        on("one", "boot 1"),
        SyncSettings("T1", alone=False, claim=LeaseClaim(Holder("b", "one", "boot 1", 2, 2), lambda other: False)),
        on("one", "boot 2"),
    ):
        t = Kept(tmp_path, PostgresStore(dsn), settings=settings)
        async with t:
            await t.round()
            await t.told()
            t.meter_sync._lease._claim = None  # it gives nothing back: as a process that is killed
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("one", "boot 3")) as t:
        await t.round()
        await t.told()
    async with Kept(tmp_path, PostgresStore(dsn), settings=on("two")) as t:
        assert await t.adds_up() == SEED + 4 * INCREMENT
        assert not any(isinstance(fact, DeviceFault) and fact.code == CLONED for fact in facts(t))


def test_this_process_is_known_while_it_runs() -> None:
    claim = own_claim()
    assert claim.runs(claim.holder) and claim.holder.boot
    assert own_claim().holder.name != claim.holder.name
    assert not runs(Holder("x", process=claim.holder.process, began=claim.holder.began + 1))
    assert not runs(Holder("x", process=2**30, began=1))
