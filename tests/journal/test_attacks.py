"""What somebody with the file in their hands can do, and that a checkpoint kept elsewhere finds it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal import Journal, JournalError, Report, verify
from controller.journal.checkpoints import checkpoint_crc, origin_of
from controller.journal.counters import StoredEvents, device_crc
from controller.journal.growth import GrowingTree
from controller.journal.notes import Note, Verifier
from controller.journal.records import Record, chained, genesis, pack, seal
from controller.journal.signing import Signer, signed
from controller.journal.tree import Frontier, leaf_hash
from controller.journal.verify_tree import Evidence
from tests.journal.conftest import TABLE, card, key
from tests.journal.test_store import tamper

Open = Callable[[], Journal]
SIGNER = Signer(origin_of(TABLE), Ed25519PrivateKey.from_private_bytes(bytes(32)))
KEY = SIGNER.verifier()


def keep(journal: Journal, signer: Signer | None = SIGNER, *, closed: bool = False) -> Note:
    """Makes a checkpoint as the daemon does, and returns the copy that is kept elsewhere."""
    kept = signed(journal.table, GrowingTree(journal).grow(), signer, closed=closed)
    journal.keep_checkpoint(kept)
    return Note.from_text(kept.note)


@pytest.fixture
def note(opened: Open) -> Note:
    """The copy of the checkpoint of a closed journal of ten records; an earlier one was at six."""
    journal = opened()
    journal.append([card(1), key(2), *(card(n) for n in range(2, 6))])
    keep(journal)
    journal.append([card(n) for n in range(6, 10)])
    note = keep(journal)
    journal.close()
    return note


def found(path: Path, note: Note | None = None, verifier: Verifier | None = KEY) -> str:
    report = verify(path, evidence=Evidence(note, verifier))
    assert report.ok == (report.code == "")
    assert report.ok or (report.cause and report.next_step)
    return report.code


def rewrite(path: Path, change: Callable[[list[Record]], list[Record]], *, signer: Signer | None = None) -> None:
    """Does what an intruder does who knows everything but the key: changes records, and makes the whole file fit."""
    journal = Journal.inspect(path)
    records, kept = change(list(journal)), [seq for seq, _ in journal.checkpoints()]
    journal.close()
    digest, frontier, seen = genesis(TABLE), Frontier(), StoredEvents()
    connection = sqlite3.connect(path)
    for table in ("record", "device", "checkpoint"):
        connection.execute(f"DELETE FROM {table}")
    newest = 0
    for record in records:
        body = pack(record.seq, record)
        digest = chained(digest, body)
        frontier = frontier.plus([leaf_hash(body)])
        connection.execute("INSERT INTO record VALUES (?, ?)", (record.seq, seal(body, digest)))
        if record.device:
            seen, newest = seen.plus(record.counter), record.seq
        if record.seq in kept:
            forged = signed(TABLE, frontier, signer)
            row = (forged.seq, forged.frontier.to_bytes(), forged.note)
            connection.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", (*row, checkpoint_crc(*row)))
    device = ("shoe", 1, seen.counter, seen.gaps_text(), newest)
    connection.execute("INSERT INTO device VALUES (?, ?, ?, ?, ?, ?)", (*device, device_crc(*device)))
    connection.commit()
    connection.close()


def another_card(at: int) -> Callable[[list[Record]], list[Record]]:
    return lambda records: [
        msgspec.structs.replace(record, payload=b"As") if record.seq == at else record for record in records
    ]


def test_a_journal_that_nobody_touched_is_proven(path: Path, note: Note) -> None:
    report = verify(path, evidence=Evidence(note, KEY))
    assert (report.ok, report.checked, report.notes) == (True, 10, ())


def test_a_journal_that_went_on_is_proven_up_to_the_checkpoint(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    journal.append([key(n) for n in range(3)])
    report = verify(journal, evidence=Evidence(note, KEY))
    assert report.ok
    assert report.notes == ("the checkpoint covers 10 of 13 records: it says nothing of the 3 records since",)
    keep(journal)
    assert verify(journal, evidence=Evidence(key=KEY)).notes == ()


@pytest.mark.parametrize("at", [1, 6, 10])
def test_a_journal_that_was_rewritten_from_some_record_on_is_found(path: Path, note: Note, at: int) -> None:
    rewrite(path, another_card(at))
    assert found(path, verifier=None) == ""  # in itself it is perfect
    assert found(path, note) == "checkpoint.mismatch"
    assert found(path) == "checkpoint.signature"  # and nobody signed what it keeps


def test_a_forger_with_a_key_of_his_own_is_found(path: Path, note: Note) -> None:
    forger = Signer(SIGNER.name, Ed25519PrivateKey.generate())
    rewrite(path, another_card(3), signer=forger)
    journal = Journal.inspect(path)
    forged = [kept for _, kept in journal.checkpoints()][-1]
    journal.close()
    assert forged is not None
    assert found(path, Note.from_text(forged.note)) == "checkpoint.signature"
    assert found(path) == "checkpoint.signature"
    assert found(path, note) == "checkpoint.mismatch"


def test_a_journal_that_was_cut_is_found(path: Path, note: Note) -> None:
    rewrite(path, lambda records: records[:8])
    assert found(path, verifier=None) == ""
    assert found(path, note) == "journal.truncated"


def test_a_journal_that_was_cut_and_filled_up_again_is_found(path: Path, note: Note) -> None:
    rewrite(path, lambda records: [*records[:8], Record(9, 0, "", 0, 0, b"x"), Record(10, 0, "", 0, 0, b"y")])
    assert found(path, verifier=None) == ""
    assert found(path, note) == "checkpoint.mismatch"


def test_records_that_were_cut_below_a_kept_checkpoint_are_found_without_another(path: Path, note: Note) -> None:
    tamper(path, "DELETE FROM record WHERE seq > 8", "DELETE FROM device")
    assert found(path) == "journal.truncated"
    with pytest.raises(JournalError, match="a checkpoint stands on record 10"):
        Journal.open(path, table=TABLE)


def test_records_appended_behind_a_clean_stop_are_found(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    stop = keep(journal, closed=True)
    journal.close()
    assert found(path, stop) == ""
    intruder = opened()
    intruder.append([key(99)])
    intruder.close()
    assert found(path, note) == "journal.appended"  # an old checkpoint still holds, and does not help the intruder
    report = verify(path, evidence=Evidence(note, KEY))
    assert (report.first_bad, report.checked) == (11, 11)
    assert "stopped cleanly at record 10" in report.cause
    journal = opened()
    keep(journal)  # a later checkpoint does not wash it away
    journal.close()
    assert found(path) == "journal.appended"


@pytest.mark.parametrize("which", ["WHERE seq = 10", ""])
def test_the_checkpoint_of_a_clean_stop_that_was_kept_elsewhere_finds_them_as_well(
    path: Path, note: Note, opened: Open, which: str
) -> None:
    journal = opened()
    stop = keep(journal, closed=True)
    journal.append([key(99)])
    journal.close()
    tamper(path, f"DELETE FROM checkpoint {which}")
    assert found(path, note) == ""  # nothing in the file tells of the stop
    assert found(path, stop) == "journal.appended"
    journal = opened()
    keep(journal)  # nor does a start announce them afterwards
    journal.close()
    assert found(path, stop) == "journal.appended"


def test_who_has_no_key_cannot_say_that_a_start_went_on(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    stop = keep(journal, closed=True)
    keep(journal, None)
    journal.append([key(99)])
    journal.close()
    assert found(path, stop) == "journal.appended"
    assert found(path, stop, None) == ""  # a table without a key cannot say more


def test_what_goes_on_after_a_start_is_sound(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    stop = keep(journal, closed=True)
    keep(journal)  # a start says that it goes on
    journal.append([key(99)])
    journal.close()
    assert found(path, note) == ""
    assert found(path, stop) == ""


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "CREATE TRIGGER lucky AFTER INSERT ON record BEGIN DELETE FROM record WHERE seq = 4; END",
            "somebody added a trigger, 'lucky'",
        ),
        ("CREATE TABLE side (a)", "somebody added a table, 'side'"),
        ("CREATE VIEW look AS SELECT * FROM record", "somebody added a view, 'look'"),
        ("CREATE INDEX quick ON record (sealed)", "somebody added an index, 'quick'"),
        ("ALTER TABLE record ADD COLUMN more TEXT", "somebody changed the table 'record'"),
        ("ANALYZE", "somebody added a table, 'sqlite_stat1'"),
        ("DROP TABLE snapshot", "somebody removed the table 'snapshot'"),
        (
            "ALTER TABLE device RENAME TO device_ / CREATE VIEW device AS SELECT * FROM device_",
            "'device' is a view, not a table",
        ),
    ],
)
def test_a_changed_schema_is_found(path: Path, note: Note, statement: str, words: str) -> None:
    tamper(path, *statement.split(" / "))
    report = verify(path, evidence=Evidence(note, KEY))
    assert (report.code, report.checked) == ("journal.schema", 10)
    assert words in report.cause
    with pytest.raises(JournalError) as refused:
        Journal.open(path, table=TABLE)
    assert refused.value.code == "journal.schema"
    assert refused.value.next_step


def test_a_checkpoint_of_another_table_proves_nothing(path: Path, note: Note) -> None:
    text = note.text.replace(f"/{TABLE}\n", "/other\n")
    assert found(path, Note(text), None) == "checkpoint.other-table"
    assert found(path, Note(note.text.replace("feltd.journal", "example.com")), None) == "checkpoint.other-table"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE checkpoint SET frontier = zeroblob(length(frontier)) WHERE seq = 6",
        "UPDATE checkpoint SET note = replace(note, '6', '5') WHERE seq = 6",
        "UPDATE checkpoint SET note = '' WHERE seq = 10",
        "UPDATE checkpoint SET seq = 5 WHERE seq = 6",
        "UPDATE checkpoint SET crc = crc + 1 WHERE seq = 6",
    ],
)
def test_a_kept_checkpoint_that_was_touched_is_found(path: Path, note: Note, opened: Open, statement: str) -> None:
    tamper(path, statement)
    assert found(path, verifier=None) == "checkpoint.altered"
    journal = opened()  # it stops no table: the tree goes on from another one, or from the first record
    assert GrowingTree(journal).grow() == Frontier().plus(leaf_hash(pack(each.seq, each)) for each in journal)


def test_a_frontier_that_was_forged_whole_is_found(path: Path, note: Note, opened: Open) -> None:
    forged = signed(TABLE, Frontier().plus([bytes(32)] * 6), None)
    row = (forged.seq, forged.frontier.to_bytes(), forged.note)
    blob = row[1].hex()
    tamper(
        path,
        f"UPDATE checkpoint SET frontier = x'{blob}', note = '{forged.note}' WHERE seq = 6",
        f"UPDATE checkpoint SET crc = {checkpoint_crc(*row)} WHERE seq = 6",
    )
    assert found(path, verifier=None) == "checkpoint.altered"


def test_what_was_altered_under_a_running_journal_is_not_signed(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    journal.append([key(n) for n in range(4)])
    body = pack(12, Record(12, 0, "", 0, 0, b"forged"))
    with journal._lock:
        journal._connection.execute("UPDATE record SET sealed = ? WHERE seq = 12", (seal(body, bytes(32)),))
    with pytest.raises(JournalError, match="record 12"):
        GrowingTree(journal).grow()


def test_an_old_journal_without_checkpoints_opens_and_gets_its_tree(path: Path, note: Note, opened: Open) -> None:
    tamper(path, "DROP TABLE checkpoint")
    assert found(path, verifier=None) == ""
    assert found(path, note) == ""
    assert found(path) == "checkpoint.signature"
    journal = opened()
    assert keep(journal) == note
    journal.close()
    assert found(path, note) == ""


def test_a_start_reads_only_what_came_since(path: Path, note: Note, opened: Open) -> None:
    journal = opened()
    tree = GrowingTree(journal)
    assert (tree.frontier.size, tree.behind) == (10, 0)
    journal.append([key(n) for n in range(450)])
    pauses: list[int] = []
    tree.grow(lambda: pauses.append(tree.frontier.size))
    assert pauses == [210, 410, 460]


def test_only_the_newest_checkpoints_are_kept(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.store.CHECKPOINTS_KEPT", 2)
    journal = opened()
    for n in range(4):
        journal.append([key(n)])
        keep(journal)
    assert [seq for seq, _ in journal.checkpoints()] == [3, 4]
    with pytest.raises(ValueError, match="no record 9"):
        journal.keep_checkpoint(signed(TABLE, Frontier().plus([bytes(32)] * 9), None))


def test_an_empty_journal_has_a_checkpoint(opened: Open, path: Path) -> None:
    journal = opened()
    note = keep(journal)
    journal.close()
    report: Report = verify(path, evidence=Evidence(note, KEY))
    assert report.ok


def test_a_page_of_checkpoints_that_cannot_be_read_is_a_report_and_no_crash(path: Path, opened: Open) -> None:
    journal = opened()
    journal.append([key(n) for n in range(50)])
    for _ in range(3):
        keep(journal)
        journal.append([key(1)])
    journal.close()
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'checkpoint'").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    report = verify(path)
    assert (report.ok, report.code) == (False, "journal.corrupt")
