"""The second copy follows the journal, whatever becomes of its disk; and with it a damaged journal is made sound."""

from __future__ import annotations

import errno
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.errors import Coded, FeltError
from controller.journal import Journal, JournalError, copy_check, verify
from controller.journal.copy_check import CopyCheck
from controller.journal.copying import BATCH, JournalCopy
from controller.journal.repair import repair
from controller.journal.verify_tree import Evidence
from controller.service.copy_watch import CopyWatch
from tests.journal.conftest import TABLE, card, key
from tests.journal.test_attacks import SIGNER, keep
from tests.journal.test_crash import start
from tests.service.clocks import until
from tests.service.hidden_table import DEAL, play, round_of, veil_in

RECORDS = 24


def copied(copy: JournalCopy) -> None:
    while copy.go_on():
        pass


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    own = Journal.open(path, table=TABLE)
    yield own
    own.close()


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder / "T1.journal"


def refused(copy: JournalCopy) -> str:
    with pytest.raises(FeltError) as error:
        copy.go_on()
    return error.value.code


def test_hidden_cards_stay_hidden_in_the_copy(tmp_path: Path, stick: Path) -> None:
    play(tmp_path, veil_in(tmp_path), *round_of(DEAL))
    state = tmp_path / "state" / "journal.db"
    with closing(Journal.open(state, table="T1", veil=veil_in(tmp_path))) as journal:
        copy = JournalCopy(journal, stick)
        copied(copy)
        copy.close()
        with closing(Journal.open(stick, table="T1")) as second:
            assert second.head == journal.head and second.rows(1, 100) == journal.rows(1, 100)


def test_the_copy_has_the_same_records_and_hashes_and_is_a_journal_itself(journal: Journal, stick: Path) -> None:
    journal.append([card(number) for number in range(1, BATCH + 50)] + [key(9)])
    copy = JournalCopy(journal, stick)
    assert copy.go_on()  # no more than a batch is in memory
    assert copy.copied == BATCH
    copied(copy)
    journal.append([card(BATCH + 50)])
    copied(copy)
    copy.close()
    with closing(Journal.open(stick, table=TABLE)) as second:
        assert second.head == journal.head
        assert list(second) == list(journal)
        assert second.device_rows() == journal.device_rows()
    assert verify(stick).ok


def test_a_stick_that_is_pulled_and_comes_back_is_gone_on_with(journal: Journal, stick: Path) -> None:
    copy = JournalCopy(journal, stick)
    journal.append([card(1)])
    copied(copy)
    away = stick.parent.with_name("away")
    stick.parent.rename(away)  # the files stay open: nothing says so but the name
    journal.append([card(2)])
    assert refused(copy) == "copy.missing"
    assert not stick.parent.exists()  # nothing is made in its place
    away.rename(stick.parent)
    copied(copy)
    copy.close()
    assert verify(stick).checked == 2


def test_another_stick_gets_a_copy_of_its_own(journal: Journal, stick: Path) -> None:
    copy = JournalCopy(journal, stick)
    journal.append([card(1)])
    copied(copy)
    stick.parent.rename(stick.parent.with_name("away"))
    stick.parent.mkdir()
    journal.append([card(2)])
    copied(copy)
    copy.close()
    assert verify(stick).checked == 2


def test_a_full_stick_is_named_and_gone_on_with(journal: Journal, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = JournalCopy(journal, stick)
    journal.append([card(1)])
    copied(copy)
    journal.append([card(2)])

    def full(self: Journal, batch: object) -> None:
        raise JournalError("journal.full", "storing records: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        assert refused(copy) == "copy.unwritable"
    copied(copy)
    assert copy.copied == 2
    copy.close()


def test_what_is_no_copy_is_never_touched(journal: Journal, stick: Path) -> None:
    journal.append([card(1)])
    stick.write_bytes(b"holiday pictures" * 100)
    before = stick.read_bytes()
    copy = JournalCopy(journal, stick)
    assert refused(copy) == "copy.unusable"
    assert stick.read_bytes() == before
    stick.unlink()
    with closing(Journal.open(stick, table=TABLE)) as other:
        other.append([card(1), card(2)])
    assert refused(copy) == "copy.differs"  # it has more
    journal.append([card(2, b"another card"), card(3)])
    assert refused(copy) == "copy.differs"  # it has something else
    copy.close()
    assert verify(stick).checked == 2


COPY_FOR_EVER = """
import sys
from pathlib import Path
from controller.journal import Entry, Journal
from controller.journal.copying import JournalCopy
path = Path(sys.argv[1])
journal = Journal.open(path, table=sys.argv[2])
copy = JournalCopy(journal, path.with_name("copy.db"))
counter = journal.seen("shoe", 1).counter
while True:
    for _ in range(3):
        counter += 1
        journal.append([Entry(counter, b"card", "shoe", 1, counter)])
    while copy.go_on():
        pass
    print(copy.copied, flush=True)
"""


def test_a_copier_that_is_killed_leaves_a_sound_copy_and_goes_on(path: Path) -> None:
    for turn in range(4):
        with start(COPY_FOR_EVER, path) as child:
            assert child.stdout is not None
            for _ in range(2 + 5 * turn):
                promised = int(child.stdout.readline())
            child.send_signal(signal.SIGKILL)
        report = verify(path.with_name("copy.db"))
        assert report.ok, report
        assert report.checked >= promised


# ---- repair


@pytest.fixture
def pair(path: Path, stick: Path) -> tuple[Path, Path]:
    """A journal, and a copy that is a few records behind."""
    with closing(Journal.open(path, table=TABLE)) as journal:
        copy = JournalCopy(journal, stick)
        journal.append([card(number) for number in range(1, RECORDS - 3)])
        copied(copy)
        copy.close()
        journal.append([card(number) for number in range(RECORDS - 3, RECORDS + 1)])
    return path, stick


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(statement)


@pytest.mark.parametrize("seq", range(1, RECORDS + 1))
def test_a_record_that_is_damaged_anywhere_comes_from_the_copy(pair: tuple[Path, Path], seq: int) -> None:
    path, stick = pair
    damage(path, f"UPDATE record SET sealed = zeroblob(60) WHERE seq = {seq}")
    damaged = path.read_bytes()
    done = repair(path, stick)
    in_copy = seq <= RECORDS - 4
    assert done.records == (RECORDS if in_copy else seq - 1)  # behind a hole in both nothing is proved
    assert done.from_copy == int(in_copy)
    assert done.behind == (0 if in_copy else RECORDS - seq + 1)
    assert done.kept.read_bytes() == damaged
    with closing(Journal.open(path, table=TABLE)) as journal:
        assert [record.counter for record in journal] == list(range(1, done.records + 1))
    assert verify(path).ok


def test_the_checkpoints_that_fit_are_there_after_a_repair(pair: tuple[Path, Path]) -> None:
    path, stick = pair
    with closing(Journal.open(path, table=TABLE)) as journal:
        keep(journal)
        journal.append([card(number) for number in range(RECORDS + 1, RECORDS + 4)])
        note = keep(journal)
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 3")
    repair(path, stick)
    assert verify(path, evidence=Evidence(note, SIGNER.verifier())).ok
    with closing(Journal.inspect(path)) as journal:
        assert [seq for seq, _ in journal.checkpoints()] == [RECORDS, RECORDS + 3]
    damage(path, f"UPDATE record SET sealed = zeroblob(60) WHERE seq = {RECORDS + 2}")
    repair(path, stick)  # nothing proves the end now: the second checkpoint names records that are gone
    with closing(Journal.inspect(path)) as journal:
        assert [seq for seq, _ in journal.checkpoints()] == [RECORDS]


def test_a_repair_hides_no_record_behind_a_clean_stop(pair: tuple[Path, Path]) -> None:
    path, stick = pair
    with closing(Journal.open(path, table=TABLE)) as journal:
        keep(journal, closed=True)
        journal.append([key(99)])
    assert verify(path).code == "journal.appended"
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 3")
    assert repair(path, stick).records == RECORDS + 1
    assert verify(path).code == "journal.appended"


@pytest.mark.parametrize("how", ["header", "half", "removed"])
def test_a_file_that_cannot_even_be_opened_comes_from_the_copy(pair: tuple[Path, Path], how: str) -> None:
    path, stick = pair
    raw = path.read_bytes()
    if how == "removed":
        damage(path, "DELETE FROM record WHERE seq BETWEEN 2 AND 5")
    else:
        path.write_bytes(bytes(4096) + raw[4096:] if how == "header" else raw[: len(raw) // 2])
    done = repair(path, stick)
    assert done.records >= RECORDS - 4
    assert verify(path).ok
    assert done.kept.exists()


def test_a_copy_of_another_course_is_refused_and_nothing_is_touched(pair: tuple[Path, Path]) -> None:
    path, stick = pair
    stick.unlink()
    with closing(Journal.open(stick, table=TABLE)) as other:
        other.append([card(1), card(2, b"another card"), card(3)])
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 9")
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(FeltError) as refused:
        repair(path, stick)
    assert refused.value.code == "repair.differs"
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before


@pytest.mark.parametrize("more", [0, 9])
def test_a_copy_that_was_written_anew_behind_the_damage_is_refused(pair: tuple[Path, Path], more: int) -> None:
    """Who had the stick knows how a chain is made; but what can be read behind the hole does not lead on from his."""
    path, stick = pair
    stick.unlink()
    with closing(Journal.open(stick, table=TABLE)) as forged:
        forged.append([card(number) for number in range(1, 9)])
        forged.append([card(number, b"what never happened") for number in range(9, RECORDS + more)])
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 9")
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(FeltError) as refused:
        repair(path, stick)
    assert refused.value.code == "repair.differs"
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before


def test_what_cannot_be_repaired_is_named(pair: tuple[Path, Path], tmp_path: Path) -> None:
    path, stick = pair
    with pytest.raises(FeltError) as sound:
        repair(path, stick)
    assert sound.value.code == "repair.sound"
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 9")
    shutil.copy(path, tmp_path / "bad")
    with pytest.raises(FeltError) as bad:
        repair(path, tmp_path / "bad")
    assert bad.value.code == "repair.copy"
    with pytest.raises(JournalError) as gone:
        repair(path, tmp_path / "nowhere")
    assert gone.value.code == "journal.io"
    assert sorted(file.name for file in path.parent.iterdir()) == ["journal.db"]


def test_a_journal_in_use_is_not_repaired(pair: tuple[Path, Path]) -> None:
    path, stick = pair
    with start(COPY_FOR_EVER, path) as daemon:
        assert daemon.stdout is not None
        daemon.stdout.readline()
        with pytest.raises(JournalError) as used:
            repair(path, stick)
        daemon.kill()
    assert used.value.code == "journal.locked"


def test_a_disk_without_room_leaves_the_damaged_journal_where_it_stood(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, stick = pair
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 9")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(FeltError) as refused:
        repair(path, stick)
    assert refused.value.code == "repair.unwritable"
    assert path.read_bytes() == before


def test_who_repairs_as_root_writes_through_no_link_and_gives_nobody_more_powers(pair: tuple[Path, Path]) -> None:
    """The folder is the daemon's: whoever has its account lays links where root will write, and sets modes."""
    path, stick = pair
    damage(path, "UPDATE record SET sealed = zeroblob(60) WHERE seq = 9")
    path.chmod(0o6777)
    elsewhere = path.parent / "elsewhere"
    link = path.with_name(f"{path.name}.damaged-1")
    link.symlink_to(elsewhere)
    with pytest.raises(FeltError) as refused:
        repair(path, stick)
    assert refused.value.code == "repair.unwritable"
    assert not elsewhere.exists()
    link.unlink(missing_ok=True)
    done = repair(path, stick)
    assert [each.stat().st_mode & 0o7777 for each in (path, done.kept)] == [0o666, 0o666]


# ---- the copy is read again


def rot(stick: Path, copy: JournalCopy, payload: bytes) -> None:
    """Alters a record in the file under an open copy, as a worn stick does; nothing is left of it in memory."""
    assert copy._copy is not None
    connection = copy._copy._connection
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(stick.read_bytes())
    at = content.index(payload)
    content[at] ^= 0xFF
    with stick.open("r+b") as file:
        file.write(content)
    connection.execute("PRAGMA shrink_memory")


def read_all(copy: JournalCopy) -> None:
    for _ in range(20):
        copy.look_again()


@pytest.fixture
def slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_check, "LEAST", 50)
    monkeypatch.setattr(copy_check, "PIECE", 20)
    monkeypatch.setattr(copy_check, "REST", 0.0)


@pytest.mark.usefixtures("slices")
def test_a_rotten_middle_of_the_copy_is_found_while_the_newest_hash_still_fits(journal: Journal, stick: Path) -> None:
    journal.append([card(number) for number in range(1, 501)])
    copy = JournalCopy(journal, stick)
    copied(copy)
    read_all(copy)  # a whole pass, twice over: all is well
    assert not copy.go_on()
    rot(stick, copy, card(237).payload)
    assert not copy.go_on()  # its newest hash is still that of the journal
    with pytest.raises(FeltError, match="record 237 is missing, was altered") as found:
        read_all(copy)
    assert found.value.code == "copy.unusable"
    journal.append([card(501)])
    assert refused(copy) == "copy.unusable"  # told for as long as that file stands there, and it is not gone on with
    stick.rename(stick.with_name("rotten"))
    copied(copy)
    read_all(copy)
    assert copy.copied == 501
    copy.close()
    assert verify(stick).ok


@pytest.mark.usefixtures("slices")
def test_a_copy_that_was_written_anew_in_the_middle_is_another_one(
    journal: Journal, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append([card(number) for number in range(1, 301)])
    copy = JournalCopy(journal, stick)
    copied(copy)
    whole = Journal.hash_at

    def forged(self: Journal, seq: int) -> bytes:  # a chain of its own, but for the newest hash
        return b"another" if self is copy._copy and seq < 300 else whole(self, seq)

    monkeypatch.setattr(Journal, "iterate_stored", lambda self, seq=1: iter(self.read_stored(seq, 300)))
    monkeypatch.setattr(Journal, "hash_at", forged)
    assert not copy.go_on()
    with pytest.raises(FeltError) as found:
        read_all(copy)
    assert found.value.code == "copy.differs"
    assert refused(copy) == "copy.differs"
    copy.close()


@pytest.mark.usefixtures("slices")
def test_short_runs_of_the_daemon_begin_in_other_places(journal: Journal, stick: Path) -> None:
    journal.append([card(number) for number in range(1, 301)])
    copy = JournalCopy(journal, stick)
    copied(copy)
    assert copy._copy is not None
    check = CopyCheck(journal, chance=lambda count: count - 10)
    assert check.go_on(copy._copy) == "" and check.read == 10  # the last ten
    assert check.go_on(copy._copy) == "" and check.read == 60  # then from the first one on
    copy.close()


async def test_a_running_table_reads_its_copy_again_when_it_rests(
    journal: Journal, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_check, "LEAST", 50)
    reported: list[str] = []
    journal.append([card(number) for number in range(1, 301)])
    copy, now = JournalCopy(journal, stick), [0.0]

    def clock() -> float:
        now[0] += 20.0
        return now[0]

    def report(error: Coded | None) -> None:
        reported.append("" if error is None else error.code)

    watch = CopyWatch(copy, journal, report, 0.01, clock)
    watch.start()
    await until(lambda: reported == [""])
    rot(stick, copy, card(150).payload)
    await until(lambda: reported == ["", "copy.unusable"])
    await watch.stop()
