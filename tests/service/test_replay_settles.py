"""A replay settles every round again: whoever changed what a wager came to, or what happened, is found."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli.demo import DealPlan, deal
from controller.cli.group import cli
from controller.journal import Journal
from controller.journal.records import chained, genesis, pack, seal
from controller.service import audit, retelling
from controller.service.audit_rounds import OPENED_ANEW, RoundCheck
from controller.service.round_store import FILE, SEAL, RoundStore, Wanted, sealed
from controller.table import facts
from controller.table.facts import CardOut
from controller.views import record as form
from controller.views.record import RoundRecord
from tests.asking import Client
from tests.service.failing import config_text, table, until


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rounds are dealt, by the first test that needs them."""
    return tmp_path_factory.mktemp("dealt")


@pytest.fixture
async def dealt(once: Path, tmp_path: Path) -> Path:
    """The journal of a table that has dealt some rounds, all of them in the index, and stopped."""
    if not (once / "state").exists():
        await deal_some(once)
    shutil.copytree(once / "state", tmp_path / "state")
    return tmp_path / "state" / "journal.db"


async def deal_some(folder: Path) -> None:
    async with table(config_text(folder)) as t:
        await until(t.ready)
        await t.rest()
        await deal(t.daemon, t.sim, DealPlan(rounds=5), asyncio.Event())
        client = Client(str(t.daemon.config.api.socket))
        said = await asyncio.to_thread(client.get, "/rounds")  # waits until all are in the index
        assert len(said["rounds"]) >= 5
        online = await asyncio.to_thread(client.get, "/journal/verify", replay=1)
        assert online["ok"] and any("settled again" in note for note in online["notes"]), online


def change_index(journal: Path, change: Callable[[RoundRecord], RoundRecord], number: int = 3) -> None:
    """Rewrites a round of the index as somebody would who knows its form."""
    database = sqlite3.connect(journal.with_name(FILE))
    (packed,) = database.execute("SELECT record FROM round WHERE number = ?", (number,)).fetchone()
    changed = sealed(zlib.compress(form.encode(change(form.decode(zlib.decompress(packed[:-SEAL]))))))
    database.execute("UPDATE round SET record = ? WHERE number = ?", (changed, number))
    database.commit()
    database.close()


def pays_more(record: RoundRecord) -> RoundRecord:
    first, *rest = record.settlement
    return replace(record, settlement=(replace(first, net="5000.00"), *rest))


def test_what_nobody_changed_is_settled_again(dealt: Path) -> None:
    report = audit.verify(dealt, replay=True)
    assert report.ok, report
    assert any(note.endswith("rounds settled again: the index of rounds says the same") for note in report.notes)


async def test_rounds_that_are_not_in_the_index_yet_are_not_missed_in_it(dealt: Path) -> None:
    """The index follows behind the table; an empty one, made anew, says nothing."""
    dealt.with_name(FILE).unlink()
    with closing(Journal.inspect(dealt)) as journal:
        RoundStore.open(dealt.with_name(FILE), journal.table).close()
    report = audit.verify(dealt, replay=True)
    assert report.ok, report
    assert "0 rounds settled again: the index of rounds says the same" in report.notes


def checked_while(journal: Path, happens: Callable[[RoundStore], None], monkeypatch: pytest.MonkeyPatch) -> RoundCheck:
    """Checks the rounds of an open index; something happens to it when all are told again, before they are compared."""
    monkeypatch.setattr(retelling, "PROGRESS_EVERY", 1)
    name = journal.with_name(FILE)
    with closing(Journal.inspect(journal)) as read, closing(RoundStore.open(name, read.table)) as index:
        last = index.position.seq
        check = RoundCheck(read, index, last, lambda done, _all: happens(index) if done == last else None)
        assert check.difference() is None
    return check


def test_rounds_that_are_let_go_meanwhile_are_not_missed(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def let_go(index: RoundStore) -> None:
        with closing(RoundStore.open(dealt.with_name(FILE), "T1", keep=2)) as full:
            newest = full.list(Wanted(most=1))[0]
            again = full.find(newest.number)
            assert again is not None
            full.keep([again], full.position)
        assert index.count() == 2

    check = checked_while(dealt, let_go, monkeypatch)
    assert "2 rounds settled again: the index of rounds says the same" in check.notes


def test_an_index_that_is_opened_anew_meanwhile_is_no_difference(dealt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = checked_while(dealt, RoundStore.close, monkeypatch)
    assert check.notes == [OPENED_ANEW]
    with closing(Journal.inspect(dealt)) as journal, closing(RoundStore.open(dealt.with_name(FILE), "T1")) as index:
        index.close()
        report = audit.verify(journal, replay=True, index=index)
    assert report.ok and OPENED_ANEW in report.notes


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (pays_more, "settlement"),
        (lambda record: replace(record, outcome="void"), "outcome"),
        (lambda record: replace(record, hands=()), "hands"),
        (lambda record: replace(record, hash="00" * 32), "hash"),
    ],
)
def test_a_round_that_was_changed_in_the_index_is_found(
    dealt: Path, change: Callable[[RoundRecord], RoundRecord], field: str
) -> None:
    change_index(dealt, change)
    assert audit.verify(dealt).ok  # the journal itself is sound
    report = audit.verify(dealt, replay=True)
    assert (report.ok, report.code) == (False, "round.differs")
    assert report.cause == f"round 3 in the index of rounds is not what the facts come to: {field}"
    said = CliRunner().invoke(cli, ["journal", "verify", str(dealt), "--replay"])
    assert said.exit_code == 1 and "round.differs" in said.output


def test_an_index_that_was_changed_without_its_checksum_cannot_be_read(dealt: Path) -> None:
    database = sqlite3.connect(dealt.with_name(FILE))
    (packed,) = database.execute("SELECT record FROM round WHERE number = 3").fetchone()
    database.execute("UPDATE round SET record = ? WHERE number = 3", (packed[:-SEAL] + bytes(SEAL),))
    database.commit()
    database.close()
    report = audit.verify(dealt, replay=True)
    assert (report.code, report.cause) == ("round.differs", "the index of rounds cannot be read")


def test_a_round_that_is_gone_from_the_index_or_was_put_there_is_found(dealt: Path) -> None:
    database = sqlite3.connect(dealt.with_name(FILE))
    row = database.execute("SELECT * FROM round WHERE number = 3").fetchone()
    database.execute("DELETE FROM round WHERE number = 3")
    database.commit()
    assert audit.verify(dealt, replay=True).code == "round.differs"
    database.execute(f"INSERT INTO round VALUES ({', '.join('?' * len(row))})", row)
    database.execute("UPDATE round SET opened = opened + 1 WHERE number = 4")
    database.commit()
    assert audit.verify(dealt, replay=True).code == "round.differs"
    database.execute("UPDATE round SET opened = opened - 1 WHERE number = 4")
    database.execute("UPDATE round SET outcome = 'void' WHERE number = 4")  # what lists go by
    database.commit()
    report = audit.verify(dealt, replay=True)
    assert (report.code, report.cause.rpartition(": ")[2]) == ("round.differs", "the line in the list")
    database.execute("UPDATE round SET outcome = 'settled' WHERE number = 4")
    database.commit()
    database.close()
    assert audit.verify(dealt, replay=True).ok


def test_a_card_that_was_changed_with_the_whole_chain_made_anew_is_found_by_what_it_would_pay(dealt: Path) -> None:
    journal = Journal.inspect(dealt)
    records, table = list(journal), journal.table
    journal.close()
    cards = [record.seq for record in records if isinstance(facts.decode(record.payload), CardOut)]
    target, digest = cards[2], genesis(table)
    database = sqlite3.connect(dealt)
    for record in records:
        if record.seq == target:
            fact = facts.decode(record.payload)
            assert isinstance(fact, CardOut)
            other = "2c" if fact.card != "2c" else "Ah"
            record = replace(record, payload=facts.encode(msgspec.structs.replace(fact, card=other)))
        body = pack(record.seq, record)
        digest = chained(digest, body)
        database.execute("UPDATE record SET sealed = ? WHERE seq = ?", (seal(body, digest), record.seq))
    database.execute("DELETE FROM checkpoint")
    database.execute("DELETE FROM snapshot")
    database.commit()
    database.close()
    assert audit.verify(dealt).ok  # in itself it is perfect
    index = sqlite3.connect(dealt.with_name(FILE))
    position = int(index.execute("SELECT value FROM meta WHERE name = 'told'").fetchone()[0])
    changed = Journal.inspect(dealt)
    index.execute("UPDATE meta SET value = ? WHERE name = 'hash'", (changed.hash_at(position).hex(),))
    changed.close()
    index.commit()
    index.close()
    assert audit.verify(dealt, replay=True).code == "round.differs"
