"""Records that leave the journal for sealed files: nothing that was promised of them is lost."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal import Journal, JournalError, verify
from controller.journal.archives import NamedArchive
from controller.journal.archiving import make, name_of
from controller.journal.checkpoints import origin_of
from controller.journal.copying import JournalCopy
from controller.journal.counters import device_crc
from controller.journal.growth import GrowingTree, frontier_at, leaves_between
from controller.journal.proofs import consistent, later_proof
from controller.journal.records import Anchor, Record, pack
from controller.journal.shelf import Shelf
from controller.journal.signing import Signer, signed
from controller.journal.tree import Frontier, leaf_hash
from tests.journal.conftest import TABLE, card, key
from tests.journal.test_store import tamper

Open = Callable[[], Journal]
HEAD = b'{"form":"feltd-journal-export-1","table":"tcp-1","records":256}\n'
SIGNER = Signer(origin_of(TABLE), Ed25519PrivateKey.from_private_bytes(bytes(32)))
MANY = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "archives"
    folder.mkdir()
    return folder


def fill(journal: Journal, count: int = MANY) -> None:
    """Appends cards of two devices and keys, with checkpoints now and then."""
    first = journal.head.seq + 1
    for n in range(first, first + count, 50):
        journal.append([card(m) if m % 3 else key(m) for m in range(n, n + 49)] + [card(n, device="bets")])
        if n % 200 == 1:
            journal.keep_checkpoint(signed(TABLE, GrowingTree(journal).grow(), SIGNER))


def archive(journal: Journal, folder: Path, last: int) -> NamedArchive:
    """Does what the daemon does: makes the archive, records it, and lets the records go."""
    made = make(journal, folder, last, SIGNER)
    (record,) = journal.append([key(0, b"archived " + made.digest)])
    assert isinstance(record, Record)
    named = NamedArchive(made, record.seq)
    while journal.cut(named):
        pass
    return named


def leaves(journal: Journal) -> list[bytes]:
    return [leaf_hash(pack(each.seq, each)) for each in journal.iterate_stored()]


def test_a_journal_goes_on_without_the_records_that_left(opened: Open, path: Path, folder: Path) -> None:
    journal = opened()
    fill(journal)
    whole, before = leaves(journal), journal.hash_at(700)
    archive(journal, folder, 512)
    assert [row[0] for row in journal.kept_rows(0, 2)] == [513, 514]
    assert journal.hash_at(1) and journal.hash_at(512) and journal.hash_at(700) == before
    assert journal.begins == 513
    journal.close()
    journal = opened()
    assert journal.head.seq == MANY + 1
    assert journal.append([card(11)]) != []  # a repeat from the part that left
    assert type(journal.append([card(11)])[0]).__name__ == "Duplicate"
    assert journal.append([card(5000)])[0] == Record(MANY + 2, 50000, "shoe", 1, 5000, b"card 5000")
    report = verify(journal, alone=True)
    assert (report.ok, report.checked, report.head.seq) == (True, MANY + 2 - 512, MANY + 2)
    assert report.notes == (f"NOT SEEN: records 1 to 512, in 1 archive ({name_of(TABLE, 1, 512)})",)
    tree = GrowingTree(journal).grow()
    journal.shelf = Shelf(folder)
    assert tree == Frontier().plus(leaves(journal))
    assert leaves(journal)[:MANY] == whole
    report = verify(journal, alone=True)
    assert (report.ok, report.checked, report.notes) == (True, MANY + 2, ())


def test_old_trees_are_proved_to_be_the_beginning_of_new_ones(opened: Open, folder: Path) -> None:
    journal = opened()
    fill(journal)
    archive(journal, folder, 256)
    fill(journal)
    archive(journal, folder, 1024)
    journal.shelf = Shelf(folder)
    whole, new = leaves(journal), GrowingTree(journal).grow()
    for old in (1, 50, 255, 256, 257, 700, 1024, 1025, 1500):
        earlier = frontier_at(journal, old)
        assert earlier == Frontier().plus(whole[:old])
        proof = later_proof(earlier, leaves_between(journal, old, new.size))
        assert consistent(old, earlier.root(), new.size, new.root(), proof)
    journal.shelf.close()
    journal.shelf = None
    assert frontier_at(journal, 1100) == Frontier().plus(whole[:1100])
    with pytest.raises(JournalError) as refused:
        leaves_between(journal, 700, 1100)
    assert (refused.value.code, name_of(TABLE, 257, 1024) in refused.value.cause) == ("journal.archived", True)


def test_what_left_is_read_as_before_where_its_archive_is(opened: Open, folder: Path) -> None:
    journal = opened()
    fill(journal)
    before = list(journal)
    for last in (256, 768):
        archive(journal, folder, last)
    with pytest.raises(JournalError, match="record 1 is in the archive"):
        journal.read(1, 5)
    assert [each.seq for each in journal][:1] == [769]
    journal.shelf = Shelf(folder)
    assert list(journal)[:MANY] == before
    assert journal.read(250, 20) == before[249:269]
    assert journal.read(760, 20) == before[759:779]
    assert journal.stored_payload(3) == before[2].payload
    (folder / name_of(TABLE, 1, 256)).rename(folder / "elsewhere")
    assert journal.begins == 257
    with pytest.raises(JournalError) as missing:
        journal.read(1, 5)
    assert missing.value.code == "archive.missing"


def test_counters_of_the_part_that_left_cannot_be_forged(opened: Open, path: Path, folder: Path) -> None:
    journal = opened()
    fill(journal)
    archive(journal, folder, 512)
    journal.close()
    row = ("shoe", 1, 5000, "", 512)
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM base_device WHERE device = 'shoe'")
    connection.execute("INSERT INTO base_device VALUES (?, ?, ?, ?, ?, ?)", (*row, device_crc(*row)))
    connection.commit()
    connection.close()
    assert verify(path).code == "archive.differs"
    tamper(path, "DELETE FROM base_device")
    assert verify(path).code == "archive.differs"


def test_a_disk_that_keeps_something_else_is_found_before_a_record_leaves(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened()
    fill(journal)
    sync = os.fsync

    def kept_otherwise(descriptor: int) -> None:
        os.pwrite(os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY), b"0", 5000)
        sync(descriptor)

    monkeypatch.setattr("controller.journal.archiving.os.fsync", kept_otherwise)
    with pytest.raises(JournalError) as lied:
        make(journal, folder, 256, SIGNER)
    assert lied.value.code == "archive.unfaithful"
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    assert archive(journal, folder, 256).archive.last == 256


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"no archive\n",
        b"{}\n",
        b"[" * 100_000,
        b'{"form":"feltd-journal-export-1","table":"tcp-1","records":256}\n'
        + b'{"seq":1e999,"body":"","hash":""}\n' * 256,
        b'{"form":"feltd-journal-export-1","table":"tcp-1","records":256}\n'
        + b'{"seq":1,"body":"AA==","hash":"00"}\n' * 256,
        b'{"form":"feltd-journal-export-1","table":"tcp-1","records":256}\n'
        + b'{"seq":1,"body":7,"hash":null}\n' * 256,
    ],
)
def test_a_file_in_the_way_is_named_and_left_alone(opened: Open, folder: Path, content: bytes) -> None:
    journal = opened()
    fill(journal)
    (folder / name_of(TABLE, 1, 256)).write_bytes(content)
    with pytest.raises(JournalError) as refused:
        make(journal, folder, 256, SIGNER)
    assert refused.value.code == "archive.in-the-way"
    assert (folder / name_of(TABLE, 1, 256)).read_bytes() == content


def test_a_finished_archive_of_another_history_is_in_the_way(opened: Open, folder: Path, tmp_path: Path) -> None:
    other = Journal.open(tmp_path / "other.db", table=TABLE)
    other.append([key(n) for n in range(300)])
    make(other, folder, 256, SIGNER)
    other.close()
    journal = opened()
    fill(journal)
    with pytest.raises(JournalError) as refused:
        make(journal, folder, 256, SIGNER)
    assert refused.value.code == "archive.in-the-way"


def test_an_attempt_that_was_cut_off_is_cleared_away_and_a_finished_one_taken(opened: Open, folder: Path) -> None:
    journal = opened()
    fill(journal)
    made = make(journal, folder, 256, SIGNER)
    (folder / f".{name_of(TABLE, 1, 512)}.new").write_bytes(b"half")
    assert make(journal, folder, 512, None) == made  # as it was sealed, though more could leave
    assert [path.name for path in folder.iterdir()] == [made.file]
    archive(journal, folder, 512)
    assert journal.base.seq == 256
    assert make(journal, folder, 512, None).first == 257


def test_a_new_copy_has_every_record_and_waits_for_the_archives(opened: Open, folder: Path, tmp_path: Path) -> None:
    journal = opened()
    fill(journal)
    archive(journal, folder, 512)
    copy = JournalCopy(journal, tmp_path / "copy.db")
    with pytest.raises(JournalError) as waits:
        copy.go_on()
    assert waits.value.code == "journal.archived"
    journal.shelf = Shelf(folder)
    while copy.go_on():
        pass
    copy.close()
    report = verify(tmp_path / "copy.db")
    assert (report.ok, report.checked, report.head.hash) == (True, journal.head.seq, journal.head.hash)


def test_an_older_program_refuses_the_file_by_name(opened: Open, path: Path, folder: Path) -> None:
    journal = opened()
    fill(journal)
    assert journal._connection.execute("PRAGMA user_version").fetchone() == (1,)
    archive(journal, folder, 256)
    assert journal._connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_an_anchor_in_an_archive_that_is_not_given_is_never_passed_over(opened: Open, path: Path, folder: Path) -> None:
    journal = opened()
    fill(journal)
    anchor = Anchor(TABLE, 100, journal.hash_at(100))
    archive(journal, folder, 256)
    assert verify(journal, anchor).code == "anchor.archived"
    journal.shelf = Shelf(folder)
    assert verify(journal, anchor).ok
    assert verify(journal, Anchor(TABLE, 100, bytes(32))).code == "anchor.mismatch"
