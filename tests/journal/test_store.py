"""What was acknowledged is there, in order, once; and a start does not read everything."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import Duplicate, Entry, Journal, JournalError, Record, Snapshot, verify
from controller.journal.counters import device_crc
from tests.journal.conftest import TABLE, card, key, newest_event

Open = Callable[[], Journal]


def test_records_are_numbered_from_one_without_gaps_and_survive_a_restart(opened: Open) -> None:
    journal = opened()
    assert journal.head.seq == 0
    stored = journal.append([card(1), key(15)]) + journal.append([card(2)])
    assert stored == [
        Record(1, 10, "shoe", 1, 1, b"card 1"),
        Record(2, 15, "", 0, 0, b"key"),
        Record(3, 20, "shoe", 1, 2, b"card 2"),
    ]
    head = journal.head
    journal.close()
    again = opened()
    assert list(again) == stored
    assert again.head == head
    assert again.read(2, 1) == stored[1:2]
    assert again.read(4) == []
    assert list(again.iterate(3)) == stored[2:]
    assert newest_event(again, "shoe") == (1, 2)


def test_an_iteration_crosses_chunks() -> None:
    journal = Journal.open(None, table=TABLE)
    journal.append([key(n) for n in range(2500)])
    assert [record.seq for record in journal] == list(range(1, 2501))


def test_a_repeated_device_event_is_stored_once(opened: Open) -> None:
    journal = opened()
    first, repeat = journal.append([card(1), card(1, b"other bytes")])
    assert isinstance(first, Record)
    assert repeat == Duplicate("shoe", 1, 1)
    journal.close()
    journal = opened()
    assert journal.append([card(1)]) == [Duplicate("shoe", 1, 1)]
    assert journal.head.seq == 1


def test_facts_that_are_no_device_events_are_never_duplicates() -> None:
    journal = Journal.open(None, table=TABLE)
    assert [stored.seq for stored in journal.append([key(1), key(1)]) if isinstance(stored, Record)] == [1, 2]


def test_a_new_epoch_starts_the_counter_again_and_the_old_one_is_still_known(opened: Open) -> None:
    journal = opened()
    journal.append([card(1), card(2), card(3)])
    assert newest_event(journal, "shoe") == (1, 3)
    assert isinstance(journal.append([card(1, epoch=77)])[0], Record)
    assert newest_event(journal, "shoe") == (77, 1)
    assert journal.append([card(3), card(2)]) == [Duplicate("shoe", 1, 3), Duplicate("shoe", 1, 2)]
    assert newest_event(journal, "shoe") == (77, 1)
    journal.close()
    assert newest_event(opened(), "shoe") == (77, 1)


def test_devices_do_not_share_counters() -> None:
    journal = Journal.open(None, table=TABLE)
    stored = journal.append([card(1), card(1, device="bets"), card(2, device="bets")])
    assert all(isinstance(one, Record) for one in stored)
    assert newest_event(journal, "shoe") == (1, 1)
    assert newest_event(journal, "bets") == (1, 2)
    assert newest_event(journal, "lamps") == (0, 0)


def test_an_event_that_was_skipped_is_not_taken_for_a_repeat(opened: Open) -> None:
    journal = opened()
    journal.append([card(5), card(9)])
    journal.close()
    journal = opened()
    late = journal.append([card(7), card(7), card(5), card(6), card(1)])
    assert [type(one) for one in late] == [Record, Duplicate, Duplicate, Record, Record]
    assert newest_event(journal, "shoe") == (1, 9)


@pytest.mark.parametrize(
    "wrong",
    [
        {"at_us": 2**63},
        {"at_us": 1, "counter": 1},
        {"at_us": 1, "device": "shoe"},
        {"at_us": 1, "device": "shoe", "counter": 1, "epoch": -1},
        {"at_us": 1, "device": "a\0b", "counter": 1},
        {"at_us": 1, "device": "\udc80", "counter": 1},
    ],
)
def test_an_entry_that_could_not_be_stored_cannot_be_made(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        Entry(payload=b"", **wrong)  # type: ignore[arg-type]


def test_the_file_is_set_up_for_power_cuts_and_for_one_owner(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([key(1)])
    ask = journal._connection.execute
    assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
    assert ask("PRAGMA synchronous").fetchone() == (2,)
    assert ask("PRAGMA locking_mode").fetchone() == ("exclusive",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == ["journal.db", "journal.db-wal"]


# ---- snapshots


def test_the_last_three_snapshots_are_kept(opened: Open) -> None:
    journal = opened()
    assert journal.snapshots() == []
    for n in range(1, 6):
        journal.append([key(n)])
        journal.snapshot(n, b"state %d" % n)
    assert journal.snapshots()[-1] == (5, Snapshot(5, b"state 5"))
    assert [seq for what, seq in journal.marks() if what == "a snapshot"] == [3, 4, 5]


def test_a_snapshot_needs_its_record() -> None:
    journal = Journal.open(None, table=TABLE)
    journal.snapshot(0, b"empty table")
    with pytest.raises(ValueError):
        journal.snapshot(1, b"the future")


def test_a_corrupt_snapshot_is_seen(opened: Open, path: Path) -> None:
    journal = opened()
    for n in range(1, 4):
        journal.append([key(n)])
        journal.snapshot(n, b"state %d" % n)
    journal.close()
    tamper(path, "UPDATE snapshot SET payload = x'00' WHERE seq = 3")
    journal = opened()
    assert journal.snapshots() == [(1, Snapshot(1, b"state 1")), (2, Snapshot(2, b"state 2")), (3, None)]
    journal.close()
    tamper(path, "UPDATE snapshot SET crc = 0")
    assert opened().snapshots() == [(1, None), (2, None), (3, None)]


def test_opening_checks_the_tail_and_leaves_the_rest_to_verify(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([key(n) for n in range(10)])
    journal.snapshot(8, b"state")
    journal.close()
    alter(path, 5)
    opened().close()
    assert verify(path).first_bad == 5
    alter(path, 9)
    refused(path, "journal.corrupt")


def test_a_snapshot_of_another_chain_is_refused(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([key(1), key(2)])
    journal.snapshot(2, b"state")
    journal.close()
    alter(path, 2, at=-1)
    refused(path, "journal.corrupt")


def test_reading_never_hands_out_an_altered_record(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([key(n) for n in range(5)])
    journal.snapshot(5, b"state")
    journal.close()
    alter(path, 2)
    journal = opened()
    assert [record.seq for record in journal.read(0, 1)] == [1]
    assert [record.seq for record in journal.read(3)] == [3, 4, 5]
    with pytest.raises(JournalError, match=r"journal\.corrupt.*record 2"):
        list(journal)


# ---- refusals


def tamper(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def alter(path: Path, seq: int, at: int = 40) -> None:
    """Change one bit of a record; 40 is the first byte after its fixed fields."""
    connection = sqlite3.connect(path)
    sealed = bytearray(connection.execute("SELECT sealed FROM record WHERE seq = ?", (seq,)).fetchone()[0])
    sealed[at] ^= 1
    connection.execute("UPDATE record SET sealed = ? WHERE seq = ?", (bytes(sealed), seq))
    connection.commit()
    connection.close()


def refused(path: Path, code: str, table: str = TABLE) -> JournalError:
    with pytest.raises(JournalError) as caught:
        Journal.open(path, table=table)
    assert caught.value.code == code
    assert caught.value.cause and caught.value.next_step
    return caught.value


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET sealed = x'00' WHERE seq = 2",
        "UPDATE record SET sealed = x'' WHERE seq = 3",
        "UPDATE record SET sealed = (SELECT sealed FROM record WHERE seq = 3) WHERE seq = 2",
        "UPDATE record SET seq = 50 WHERE seq = 3",
        "DELETE FROM record WHERE seq = 2",
        "DELETE FROM record WHERE seq = 3",
        "DELETE FROM record",
        "UPDATE device SET counter = 2",
        "UPDATE snapshot SET seq = 4",
        "DELETE FROM meta",
        "DROP TABLE record",
        "PRAGMA user_version = 0",
    ],
)
def test_a_changed_journal_is_refused(opened: Open, path: Path, statement: str) -> None:
    journal = opened()
    journal.append([card(1), card(2), card(3)])
    journal.close()
    if "snapshot" in statement:
        tamper(path, "INSERT INTO snapshot VALUES (0, x'00', 0, x'00')")
    tamper(path, statement)
    size = path.stat().st_size
    refused(path, "journal.corrupt")
    assert path.stat().st_size == size


@pytest.mark.parametrize(("counter", "seq"), [(4, 3), (2, 3), (2, 4), (3, 5), (9, 1)])
def test_a_counter_without_its_record_is_refused_although_its_checksum_is_right(
    opened: Open, path: Path, counter: int, seq: int
) -> None:
    """Else the next card would be taken for an old one, and the shoe would be told to forget it."""
    journal = opened()
    journal.append([card(1), card(2), card(3), card(1, device="console")])
    journal.close()
    crc = device_crc("shoe", 1, counter, "", seq)
    tamper(path, f"UPDATE device SET counter = {counter}, seq = {seq}, crc = {crc} WHERE device = 'shoe'")
    refused(path, "journal.corrupt")


def test_a_device_whose_older_event_came_last_is_no_such_case(opened: Open) -> None:
    journal = opened()
    journal.append([card(1), card(3), card(2)])
    journal.close()
    assert newest_event(opened(), "shoe") == (1, 3)


def test_any_altered_byte_of_the_tail_is_refused(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([card(1), card(2)])
    length = len(journal.rows(2, 1)[0][1])
    journal.close()
    for at in range(length):
        alter(path, 2, at)
        refused(path, "journal.corrupt")
        alter(path, 2, at)
    opened().close()


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to look at " * 100])
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    refused(path, "journal.corrupt")
    assert path.read_bytes() == content


def test_a_damaged_page_is_refused(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([card(n) for n in range(1, 400)])
    journal.close()
    content = bytearray(path.read_bytes())
    content[-4096:] = b"\xa5" * 4096
    path.write_bytes(content)
    refused(path, "journal.corrupt")


def test_a_lost_main_file_beside_its_log_is_no_new_journal(opened: Open, path: Path) -> None:
    path.parent.mkdir()
    path.with_name("journal.db-wal").write_bytes(b"x")
    refused(path, "journal.corrupt")
    assert not path.exists()


def test_another_program_another_table_another_version(opened: Open, path: Path) -> None:
    opened().close()
    refused(path, "journal.other-table", table="tcp-2")
    tamper(path, "PRAGMA user_version = 99")
    refused(path, "journal.newer")
    tamper(path, "PRAGMA application_id = 1")
    refused(path, "journal.foreign")


def test_a_second_opener_is_refused_and_harmless(opened: Open, path: Path) -> None:
    journal = opened()
    refused(path, "journal.locked")
    with pytest.raises(JournalError, match=r"journal\.locked"):
        verify(path)
    assert len(journal.append([key(1)])) == 1


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    refused(blocker / "journal.db", "journal.io")
    with pytest.raises(JournalError, match=r"journal\.io"):
        verify(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_full_disk_stores_nothing_of_the_batch_and_can_be_retried(opened: Open) -> None:
    journal = opened()
    journal.append([card(1)])
    head = journal.head
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [card(n, bytes(2000)) for n in range(2, 12)]
    for _ in range(2):
        with pytest.raises(JournalError) as caught:
            journal.append(batch)
        assert caught.value.code == "journal.full"
    assert (journal.head, newest_event(journal, "shoe")) == (head, (1, 1))
    assert len(list(journal)) == 1
    with pytest.raises(JournalError, match=r"journal\.full"):
        journal.snapshot(1, bytes(9000))
    assert journal.snapshots() == []
    journal._connection.execute("PRAGMA max_page_count = 1000000")
    assert all(isinstance(stored, Record) for stored in journal.append(batch))
    assert verify(journal).checked == 11


def test_a_closed_journal_says_so(opened: Open) -> None:
    journal = opened()
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match=r"journal\.io.*closed"):
        journal.append([key(1)])


@pytest.mark.parametrize("damage", ["NULL", "7", "x'00'"])
@pytest.mark.parametrize("what", ["record", "snapshot"])
def test_a_page_with_something_else_than_bytes_is_a_named_fault(path: Path, what: str, damage: str) -> None:
    """A disk that loses pages leaves values that no schema allows."""
    journal = Journal.open(path, table=TABLE)
    journal.append([card(number) for number in range(1, 4)])
    journal.snapshot(2, b"two")
    journal.close()
    column, seq = ("sealed", 3) if what == "record" else ("payload", 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        ours = raw.execute("SELECT sql, name FROM sqlite_schema").fetchall()
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '')")
        raw.execute("PRAGMA writable_schema = RESET")
        raw.execute(f"UPDATE {what} SET {column} = {damage} WHERE seq = {seq}")
        raw.execute("PRAGMA writable_schema = ON")
        raw.executemany("UPDATE sqlite_schema SET sql = ? WHERE name = ?", ours)
        raw.execute("PRAGMA writable_schema = RESET")
    if what == "record":
        with pytest.raises(JournalError) as refused:
            Journal.open(path, table=TABLE)
        assert refused.value.code == "journal.corrupt"
        assert verify(path).code == "record.altered"
    else:
        with closing(Journal.open(path, table=TABLE)) as opened:
            assert opened.snapshots() == [(2, None)]
