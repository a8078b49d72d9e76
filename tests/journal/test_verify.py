"""Whatever is done to the file behind our back is found, named and placed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from controller.journal import Anchor, Journal, JournalError, Report, export_anchor, verify
from controller.journal.records import chained, genesis, pack, seal
from tests.journal.conftest import TABLE, card, key
from tests.journal.test_store import alter, tamper

Open = Callable[[], Journal]


@pytest.fixture
def anchor(opened: Open) -> Anchor:
    """A closed journal of ten records, and the anchor of its head."""
    journal = opened()
    journal.append([card(1), key(2), *(card(n) for n in range(2, 10))])
    anchor = export_anchor(journal)
    journal.close()
    return anchor


def found(report: Report) -> tuple[str, int | None]:
    assert report.ok == (report.code == "")
    if not report.ok:
        assert report.cause and report.next_step
    return report.code, report.first_bad


SWAP = (
    "UPDATE record SET seq = 100 WHERE seq = 4",
    "UPDATE record SET seq = 4 WHERE seq = 5",
    "UPDATE record SET seq = 5 WHERE seq = 100",
)


@pytest.mark.parametrize(
    ("statements", "code", "first_bad"),
    [
        ((), "", None),
        (("UPDATE record SET sealed = x'4b68' WHERE seq = 4",), "record.altered", 4),
        (("UPDATE record SET sealed = zeroblob(length(sealed)) WHERE seq = 10",), "record.altered", 10),
        (("DELETE FROM record WHERE seq = 1",), "record.removed", 1),
        (("DELETE FROM record WHERE seq = 4",), "record.removed", 4),
        (SWAP, "record.reordered", 4),
        (("DELETE FROM record WHERE seq = 4", "UPDATE record SET seq = 4 WHERE seq = 10"), "record.reordered", 4),
        (("INSERT INTO record VALUES (0, x'')",), "record.removed", 1),
        (("DELETE FROM record WHERE seq > 8",), "journal.truncated", 9),
        (("DELETE FROM record",), "journal.truncated", 1),
        (("DELETE FROM record WHERE seq > 8", "DELETE FROM device"), "journal.devices", None),
        (("DELETE FROM device",), "journal.devices", None),
        (("UPDATE meta SET value = 'tcp-2'",), "record.unchained", 1),
    ],
)
def test_what_was_done_is_named(
    anchor: Anchor, path: Path, statements: tuple[str, ...], code: str, first_bad: int | None
) -> None:
    tamper(path, *statements)
    report = verify(path)
    assert found(report) == (code, first_bad)
    if first_bad is not None:
        assert report.checked == first_bad - 1


def test_any_altered_byte_is_found(anchor: Anchor, path: Path) -> None:
    journal = Journal.inspect(path)
    length = len(journal.rows(2, 1)[0][1])
    journal.close()
    for at in range(length):
        alter(path, 2, at)
        code = "record.altered" if at < length - 32 else "record.unchained"
        assert found(verify(path)) == (code, 2)
        alter(path, 2, at)
    assert verify(path).ok


def forge(path: Path, *, first: bytes = b"", repeat: bool = False) -> None:
    """What an intruder who knows the format would do: alter, then make every check fit again."""
    journal = Journal.inspect(path)
    records = list(journal)
    journal.close()
    if first:
        records[0] = msgspec.structs.replace(records[0], payload=first)
    if repeat:
        records[4] = msgspec.structs.replace(records[3], seq=5)
    digest = genesis(TABLE)
    statements = []
    for record in records:
        body = pack(record.seq, record)
        digest = chained(digest, body)
        statements.append(f"UPDATE record SET sealed = x'{seal(body, digest).hex()}' WHERE seq = {record.seq}")
    tamper(path, *statements)


def test_a_repeated_event_is_found_even_in_a_sound_chain(anchor: Anchor, path: Path) -> None:
    forge(path, repeat=True)
    assert found(verify(path)) == ("record.repeated", 5)


def test_a_perfect_forgery_is_found_by_the_anchor_alone(anchor: Anchor, path: Path) -> None:
    assert verify(path, anchor).ok
    forge(path, first=b"As")
    assert verify(path).ok
    assert found(verify(path, anchor)) == ("anchor.mismatch", 10)


def test_a_cut_off_end_is_found_by_the_anchor_alone(path: Path, opened: Open) -> None:
    journal = opened()
    journal.append([key(n) for n in range(10)])
    anchor = export_anchor(journal)
    journal.close()
    tamper(path, "DELETE FROM record WHERE seq > 8")
    assert verify(path).ok
    assert found(verify(path, anchor)) == ("journal.truncated", 9)


def test_an_old_anchor_holds_while_the_journal_grows(anchor: Anchor, opened: Open) -> None:
    journal = opened()
    journal.append([key(n) for n in range(5)])
    report = verify(journal, anchor)
    assert report == Report(ok=True, checked=15, head=export_anchor(journal))


def test_an_anchor_of_another_table_proves_nothing(anchor: Anchor, path: Path) -> None:
    other = Anchor("tcp-2", anchor.seq, anchor.hash)
    assert found(verify(path, other)) == ("anchor.other-table", None)


def test_an_anchor_survives_print_and_type(anchor: Anchor, path: Path) -> None:
    assert Anchor.from_text(anchor.to_text() + "\n") == anchor
    assert export_anchor(path) == anchor
    for text in ("", "feltd-anchor-1 x y z", "feltd-anchor-1 1 00 tcp-1", "other 1 " + "00" * 32 + " tcp-1"):
        with pytest.raises(ValueError, match="not an anchor"):
            Anchor.from_text(text)


def test_a_damaged_page_is_reported_where_reading_stopped(opened: Open, path: Path) -> None:
    journal = opened()
    journal.append([key(n, bytes(200)) for n in range(5000)])
    journal.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    report = verify(path)
    assert found(report)[0] == "journal.corrupt"
    assert report.first_bad is not None and 0 < report.first_bad < 5000
    journal = Journal.inspect(path)
    assert len(journal.read(1, 100)) == 100  # what is sound stays readable
    with pytest.raises(JournalError):
        journal.append([key(1)])
    journal.close()


def test_progress_is_told() -> None:
    journal = Journal.open(None, table=TABLE)
    journal.append([key(n) for n in range(4500)])
    heard: list[tuple[int, int]] = []
    assert verify(journal, progress=lambda done, of: heard.append((done, of))).ok
    assert heard == [(2000, 4500), (4000, 4500), (4500, 4500)]


def test_an_empty_journal_is_sound(opened: Open, path: Path) -> None:
    opened().close()
    assert verify(path).ok
    assert verify(path, export_anchor(path)).ok
