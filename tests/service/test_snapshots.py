"""A snapshot is believed only when the chain of records names it, and the facts must come to what it says."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli.demo import DealPlan, deal
from controller.cli.group import cli
from controller.journal import InlineWriter, Journal
from controller.journal.records import snapshot_crc, snapshot_digest
from controller.service import audit, snapshots
from controller.service import engine as engines
from controller.service.engine import Engine
from controller.table import facts, state
from controller.table.effects import AnyEffect, Prompted
from controller.table.facts import Chips, Key, Snapped, Spot
from controller.table.options import Chosen
from tests.asking import Client
from tests.service.failing import config_text, table, until


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SNAPSHOT_EVERY", 10)


@pytest.fixture
async def dealt(tmp_path: Path, few: None) -> Path:
    """The configuration of a table that has dealt some rounds, and stopped."""
    path = config_text(tmp_path)
    async with table(path) as t:
        await until(t.ready)
        await t.rest()
        await deal(t.daemon, t.sim, DealPlan(rounds=8), asyncio.Event())
    return path


def journal_of(path: Path) -> Path:
    return path.parent / "state" / "journal.db"


def kept(path: Path) -> list[int]:
    with sqlite3.connect(journal_of(path)) as database:
        rows = database.execute("SELECT seq FROM snapshot ORDER BY seq").fetchall()
    database.close()
    return [row[0] for row in rows]


def alter(path: Path, seq: int, change: Any) -> None:
    """As somebody would who can write the file and knows how its checksum is made."""
    database = sqlite3.connect(journal_of(path))
    digest, payload = database.execute("SELECT hash, payload FROM snapshot WHERE seq = ?", (seq,)).fetchone()
    was = state.decode(payload)
    change(was)
    payload = state.encode(was)
    database.execute(
        "UPDATE snapshot SET payload = ?, crc = ? WHERE seq = ?", (payload, snapshot_crc(seq, digest, payload), seq)
    )
    database.commit()
    database.close()


def no_limit(was: state.Table) -> None:
    was.options = Chosen.kept({**was.options, "max": "1000000"})


async def opened(path: Path) -> tuple[Engine, int]:
    journal = Journal.open(journal_of(path), table="T1")
    found = Engine(journal, InlineWriter(journal), lambda: 1)
    return found, found.recover()


async def closed(found: Engine) -> None:
    await found.writer.close()
    found._journal.close()


async def test_an_altered_snapshot_is_passed_over_and_the_facts_are_told_again(dealt: Path) -> None:
    honest, replayed = await opened(dealt)
    await closed(honest)
    assert replayed < honest.seq and not honest.notes
    newest = kept(dealt)[-1]
    alter(dealt, newest, no_limit)
    fooled, more = await opened(dealt)
    assert fooled.table == honest.table and replayed < more < honest.seq  # from the one before
    assert fooled.notes == [f"the snapshot at record {newest} was altered and passed over: run `felt journal verify`"]
    assert fooled.table.options["max"] == "500"
    told: list[AnyEffect] = []
    fooled.listeners.append(lambda seq, fact, now, effects: told.extend(effects))
    await fooled.submit(Chips(1, (Spot("war", 1, 90_000_000),)))
    await fooled.submit(Key("no-more-bets"))
    assert any(isinstance(effect, Prompted) and "maximum" in effect.prompt.text for effect in told)
    await closed(fooled)


async def test_every_snapshot_altered_means_everything_is_told_again(dealt: Path) -> None:
    honest, _ = await opened(dealt)
    await closed(honest)
    for seq in kept(dealt):
        alter(dealt, seq, no_limit)
    again, replayed = await opened(dealt)
    assert replayed == again.seq and again.table == honest.table
    await closed(again)


def verified(path: Path, *options: str) -> tuple[int, Any]:
    done = CliRunner().invoke(cli, ["journal", "verify", str(journal_of(path)), "--json", *options])
    return done.exit_code, json.loads(done.output)


async def test_verify_finds_an_altered_snapshot_with_and_without_replay(dealt: Path) -> None:
    for options in ((), ("--replay",)):
        assert verified(dealt, *options)[0] == 0
    alter(dealt, kept(dealt)[0], no_limit)
    for options in ((), ("--replay",)):
        status, report = verified(dealt, *options)
        assert (status, report["ok"], report["code"], report["first_bad"]) == (
            1,
            False,
            "snapshot.altered",
            kept(dealt)[0],
        )


def rename(path: Path, seq: int) -> None:
    """The attacker writes the chain anew, so that it names the altered snapshot; only telling the facts shows it."""
    from controller.journal.records import Entry, chained, genesis, pack, parts, seal, unsealed

    database = sqlite3.connect(journal_of(path))
    (payload,) = database.execute("SELECT payload FROM snapshot WHERE seq = ?", (seq,)).fetchone()
    digest, hashes = genesis("T1"), {}
    for place, sealed in database.execute("SELECT seq, sealed FROM record ORDER BY seq").fetchall():
        record = unsealed(sealed)
        assert record is not None
        fact = facts.decode(record.payload)
        if isinstance(fact, Snapped) and fact.seq == seq:
            told = facts.encode(Snapped(seq, snapshot_digest(seq, payload), fact.version))
            body = pack(place, Entry(record.at_us, told))
        else:
            body = parts(sealed)[0]
        digest = hashes[place] = chained(digest, body)
        database.execute("UPDATE record SET sealed = ? WHERE seq = ?", (seal(body, digest), place))
    database.execute("DELETE FROM checkpoint")
    for place, content in database.execute("SELECT seq, payload FROM snapshot").fetchall():
        crc = snapshot_crc(place, hashes[place], content)
        database.execute("UPDATE snapshot SET hash = ?, crc = ? WHERE seq = ?", (hashes[place], crc, place))
    database.commit()
    database.close()


async def test_verify_computes_each_snapshot_from_the_one_before(dealt: Path) -> None:
    newest = kept(dealt)[-1]
    alter(dealt, newest, no_limit)
    rename(dealt, newest)
    for options in ((), ("--replay",)):
        status, report = verified(dealt, *options)
        assert (status, report["code"], report["first_bad"]) == (1, "snapshot.differs", newest)


async def test_only_a_replay_finds_what_the_oldest_snapshot_already_had(dealt: Path) -> None:
    def seen(was: state.Table) -> None:
        was.deck.seen["Kh"] = 77

    for seq in kept(dealt):
        alter(dealt, seq, seen)
        rename(dealt, seq)
    assert verified(dealt)[0] in (0, 1)  # they agree with each other unless a card changes it
    status, report = verified(dealt, "--replay")
    assert (status, report["code"], report["first_bad"]) == (1, "snapshot.differs", kept(dealt)[0])


async def test_the_running_daemon_verifies_too(tmp_path: Path, few: None) -> None:
    async with table(config_text(tmp_path)) as t:
        await until(t.ready)
        await t.rest()
        await deal(t.daemon, t.sim, DealPlan(rounds=5), asyncio.Event())
        client = Client(str(t.daemon.config.api.socket))
        for replay in (None, "1"):
            report = await asyncio.to_thread(client.get, "/journal/verify", replay=replay)
            assert report["ok"] and all("settled again" in note for note in report["notes"]), report
        assert audit.verify(t.daemon.journal, replay=True).ok
        assert any(isinstance(fact, Snapped) for fact in t.told())


async def test_a_corrupt_snapshot_is_passed_over_and_said(dealt: Path) -> None:
    *_, older, newest = kept(dealt)
    with sqlite3.connect(journal_of(dealt)) as database:
        database.execute("UPDATE snapshot SET crc = 0 WHERE seq = ?", (newest,))
    database.close()
    journal = Journal.open(journal_of(dealt), table="T1")
    notes: list[str] = []
    assert snapshots.newest(journal, notes)[1] == older
    assert notes == [f"the snapshot at record {newest} is corrupt and was passed over"]
    journal.close()


async def test_a_snapshot_that_no_record_names_is_not_believed(dealt: Path) -> None:
    """Version 0.1.0 wrote such ones: everything is told again once, and then there is a better one."""
    journal = Journal.open(journal_of(dealt), table="T1")
    newest = journal.snapshots()[-1][1]
    assert newest is not None
    journal.snapshot(journal.head.seq, newest.payload)
    assert snapshots.record_of(journal, journal.head.seq) is None
    notes: list[str] = []
    assert snapshots.newest(journal, notes)[1] == newest.seq
    assert notes == [f"the snapshot at record {journal.head.seq} is not named in the chain and was passed over"]
    journal.close()
    status, report = verified(dealt)
    assert status == 0 and "no start believes it" in report["notes"][0]


async def test_a_long_recovery_is_done_once(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(journal_of(dealt)) as database:
        database.execute("DELETE FROM snapshot")
    database.close()
    monkeypatch.setattr(engines, "SNAPSHOT_AT_LAST", 20)
    monkeypatch.setattr(engines, "PROGRESS_EVERY", 10)
    said: list[tuple[int, int]] = []
    journal = Journal.open(journal_of(dealt), table="T1")
    found = Engine(journal, InlineWriter(journal), lambda: 1)
    found.on_progress = lambda done, all_: said.append((done, all_))
    assert found.recover() == journal.head.seq and said
    assert found.table.begun is not None
    await found.start(found.table.begun)
    await closed(found)
    again, replayed = await opened(dealt)
    assert replayed < 20 and again.table == found.table
    await closed(again)
