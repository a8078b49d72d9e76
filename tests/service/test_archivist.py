"""A table whose old records leave its journal while it is played: nothing that people ask for is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import FeltError
from controller.journal import Journal, JournalError
from controller.journal.proofs import included
from controller.journal.records import Anchor
from controller.service.archivist import Archivist
from controller.service.audit import verify
from controller.service.continuity import by_anchor
from controller.service.day_keys import DAY
from controller.service.engine import Engine
from controller.service.inspection import prove
from controller.service.journal_looking import latest
from controller.service.retelling import Retelling, rounds
from controller.table import facts
from controller.table.facts import Archived
from controller.table.wall_clock import CLOCK
from tests.service.archived_table import LATER, SMALL, Table, looked, played
from tests.service.hidden_table import DEAL, round_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "archives"
    folder.mkdir()
    return folder


@pytest.fixture
def table(tmp_path: Path, folder: Path) -> Table:
    table = Table(tmp_path, folder)
    table.run(played)
    return table


def archived(journal: Journal) -> list[Archived]:
    return [fact for each in journal if isinstance(fact := facts.decode(each.payload), Archived)]


def test_old_records_leave_and_everything_can_still_be_told(table: Table, folder: Path) -> None:
    journal = table.opened(None)
    before, digest = list(rounds(journal)), journal.hash_at(20)
    journal.close()
    table.now = LATER
    table.run(looked)
    assert table.told == [None]
    journal = table.opened(folder)
    assert (journal.base.seq, journal.begins) == (512, 1)
    assert [each.hash for each in rounds(journal)][: len(before)] == [each.hash for each in before]
    assert list(rounds(journal))[: len(before)] == before
    (fact,) = archived(journal)
    assert (fact.first, fact.last, fact.account) == (1, 512, -1)
    report = verify(journal, replay=True)
    assert (report.ok, report.checked) == (True, journal.head.seq), report
    for seq in (3, 512, 513, 700):
        proof = prove(journal, seq, journal.head.seq)
        assert included(proof.leaf, seq - 1, proof.size, proof.root, proof.path)
    assert by_anchor(journal, Anchor("T1", 20, digest)) == ""
    journal.close()


def test_without_its_archives_a_journal_says_by_name_what_it_cannot_show(table: Table, folder: Path) -> None:
    table.now = LATER
    table.run(looked)
    journal = table.opened(None)
    with pytest.raises(JournalError) as gone:
        list(rounds(journal))
    assert gone.value.code == "journal.archived"
    assert "T1-1-512.felt-archive.jsonl" in gone.value.cause
    assert latest(journal, 1000, journal.head.seq)[0].seq == 513
    assert Retelling.behind(journal, 0, 0).seq >= 512  # the index of rounds begins at the oldest snapshot then
    report = verify(journal, replay=True)
    assert report.ok, report
    assert "NOT SEEN: records 1 to 512, in 1 archive (T1-1-512.felt-archive.jsonl)" in report.notes
    proof = prove(journal, 700, journal.head.seq)
    assert included(proof.leaf, 699, proof.size, proof.root, proof.path)
    with pytest.raises(JournalError, match="T1-1-512"):
        prove(journal, 3, journal.head.seq)
    assert "not at hand" in by_anchor(journal, Anchor("T1", 20, bytes(32)))
    journal.close()


def test_a_table_goes_on_and_archives_again(table: Table, folder: Path) -> None:
    table.now = LATER
    table.run(looked)
    table.run(played)
    table.now = 2 * LATER
    table.run(looked)
    journal = table.opened(folder)
    assert [each.archive.first for each in journal.archives] == [1, 513]
    assert archived(journal)[1].earlier == journal.archives[0].archive.seal()
    report = verify(journal, replay=True)
    assert (report.ok, report.checked) == (True, journal.head.seq)
    journal.close()


def test_nothing_young_leaves_and_nothing_by_a_clock_that_nobody_believes(table: Table, folder: Path) -> None:
    table.now = 399 * DAY
    table.run(looked)
    assert list(folder.iterdir()) == []

    async def asked(engine: Engine, archivist: Archivist) -> None:
        with pytest.raises(FeltError) as nothing:
            await archivist.archive(1000, "maria")
        assert nothing.value.code == "archive.nothing"
        table.now = LATER
        engine.table.faults[CLOCK] = {"clock.wrong": ""}
        await archivist.look()

    table.run(asked)
    assert list(folder.iterdir()) == []


def test_a_round_that_runs_and_a_dispute_keep_their_records(table: Table, folder: Path) -> None:
    async def in_a_round(engine: Engine, archivist: Archivist) -> None:
        for fact in round_of(DEAL, over=False):
            await engine.submit(fact)
        table.now = LATER
        await archivist.archive(1000, "maria")

    table.run(in_a_round)
    journal = table.opened(None)
    assert journal.base.seq == 0  # sealed and named; they leave when the round is over
    assert (archived(journal)[0].account, archived(journal)[0].login) == (1000, "maria")
    journal.close()


def test_a_disk_that_is_not_there_is_named_and_nothing_leaves(table: Table, folder: Path) -> None:
    table.now = LATER
    folder.rmdir()
    table.run(looked)
    assert [error.code for error in table.told if error is not None] == ["archive.missing"]
    folder.mkdir()
    table.run(looked)
    assert table.told[-1] is None
    (archive,) = folder.iterdir()
    archive.rename(folder.parent / "elsewhere")
    table.run(looked)
    assert table.told[-1] is not None
    assert table.told[-1].code == "archive.missing"


def test_an_archive_that_was_altered_is_named_in_the_status(table: Table, folder: Path) -> None:
    table.now = LATER
    table.run(looked)
    (archive,) = folder.iterdir()
    archive.write_bytes(archive.read_bytes().replace(b'"seq":7,', b'"seq":8,'))
    table.run(looked)
    assert table.told[-1] is not None
    assert table.told[-1].code == "archive.altered"
    table.run(played)
    table.now = 2 * LATER
    table.run(looked)  # and nothing more leaves before that is mended
    assert len(list(folder.iterdir())) == 1


def test_an_archive_that_goes_before_a_record_left_is_made_again(table: Table, folder: Path) -> None:
    table.now = LATER

    async def lost(engine: Engine, archivist: Archivist) -> None:
        sealed = await archivist._seal(SMALL)
        assert sealed is not None
        (folder / sealed.archive.file).unlink()
        await archivist.look()
        assert archivist._journal.base.seq == 0
        await archivist.look()

    table.run(lost)
    assert [error and error.code for error in table.told] == ["archive.missing", None]
    journal = table.opened(folder)
    assert journal.base.seq == 512
    assert verify(journal, replay=True).ok
    journal.close()


def test_a_start_goes_on_where_records_were_leaving(table: Table, folder: Path) -> None:
    table.now = LATER

    async def cut_off(engine: Engine, archivist: Archivist) -> None:
        sealed = await archivist._seal(SMALL)
        assert sealed is not None
        assert archivist._journal.cut(sealed)

    table.run(cut_off)
    journal = table.opened(None)
    assert journal.base.seq == 256
    assert verify(journal).ok
    journal.close()
    table.run(looked)
    journal = table.opened(folder)
    assert journal.base.seq == 512
    assert len(archived(journal)) == 1
    assert verify(journal, replay=True).ok
    journal.close()
