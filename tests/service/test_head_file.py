"""The head file on another disk knows how far the journal was: one that went back is held until a person rules."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.journal import Entry, Journal, verify
from controller.journal.head_file import HeadFile, KeptHead
from controller.journal.records import Anchor
from controller.service import head_watch
from controller.sim.addresses import simulated_table
from controller.table.facts import Key, encode
from tests.people.everybody import sign_in
from tests.service.failing import Table, config_text, table, until

HEAD, COPY = "head file", "copy of the journal"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns follow one another quickly."""
    monkeypatch.setattr("controller.daemon.compose.BESIDE", 0.01)


def config(tmp_path: Path, *, folder: bool = True) -> Path:
    path = config_text(tmp_path)
    stick = tmp_path / "stick"
    if folder:
        stick.mkdir(exist_ok=True)
    path.write_text(f'{path.read_text()}[journal]\nhead = "{stick / "T1.head"}"\ncopy = "{stick / "T1.journal"}"\n')
    return path


def head(tmp_path: Path) -> Anchor:
    kept = HeadFile(tmp_path / "stick" / "T1.head", "T1").read()
    assert kept is not None
    return kept.anchor


def is_closed(tmp_path: Path) -> bool:
    kept = HeadFile(tmp_path / "stick" / "T1.head", "T1").read()
    return kept is not None and kept.closed


def put_behind(tmp_path: Path, *lines: str) -> None:
    """Appends a record to a stopped journal, perfectly, and takes out of the file what told of the clean stop."""
    journal = Journal.open(tmp_path / "state" / "journal.db", table="T1", create=False)
    journal.append([Entry(journal.read(journal.head.seq)[0].at_us, encode(Key("count", ("7",))))])
    journal.close()
    connection = sqlite3.connect(tmp_path / "state" / "journal.db")
    for line in lines:
        connection.execute(line)
    connection.commit()
    connection.close()


def troubles(t: Table) -> dict[str, str]:
    return {name: error.code for name, error in t.daemon.service.closed_doors.items()}


def held(t: Table) -> list[tuple[str, str]]:
    return [(each.code, each.device) for each in t.daemon.service.engine.table.holds.values()]


async def press(t: Table) -> None:
    await until(t.ready)
    t.sim.device("console").do("press", "count", "7")
    await t.rest()


async def test_the_newest_record_is_in_the_head_file_and_all_of_them_in_the_copy(tmp_path: Path) -> None:
    async with table(config(tmp_path)) as t:
        await press(t)
        await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
        assert head(tmp_path).hash == t.daemon.journal.head.hash
        assert troubles(t) == {}
    report = verify(tmp_path / "stick" / "T1.journal")
    assert report.ok
    with_head = verify(tmp_path / "state" / "journal.db", head(tmp_path))
    assert with_head.ok
    assert report.checked <= with_head.checked


async def test_a_missing_stick_is_named_and_the_table_goes_on_until_it_comes(tmp_path: Path) -> None:
    async with table(config(tmp_path, folder=False)) as t:
        await press(t)
        await until(lambda: troubles(t) == {HEAD: "head.missing", COPY: "copy.missing"})
        assert held(t) == []
        assert not (tmp_path / "stick").exists()
        (tmp_path / "stick").mkdir()
        await until(lambda: troubles(t) == {})
        await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)


async def test_a_journal_that_went_back_is_held_once_and_the_file_waits_for_the_ruling(tmp_path: Path) -> None:
    path = config(tmp_path)
    async with simulated_table(load_config(path)) as (sim, _):
        async with table(path, sim):
            pass
        shutil.copytree(tmp_path / "state", tmp_path / "older")
        async with table(path, sim) as t:
            t.sim.device("console").do("press", "count", "7")
            await press(t)
        newest = head(tmp_path)
        shutil.rmtree(tmp_path / "state")
        shutil.copytree(tmp_path / "older", tmp_path / "state")
        async with table(path, sim) as t:
            await until(lambda: ("journal.behind", HEAD) in held(t))
            assert head(tmp_path) == newest  # until somebody has ruled: the newer journal may be put back
            await until(lambda: troubles(t).get(COPY) == "copy.differs")
            sign_in(t.sim.device("console").do, "supervisor")
            await until(t.ready)
            t.sim.device("console").do("press", "resume")
            await until(lambda: not held(t))
            await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
        async with table(path, sim) as t:
            await until(t.ready)
            assert held(t) == []
    assert verify(tmp_path / "stick" / "T1.journal").ok  # it has what the journal lost


@pytest.mark.parametrize("text", ["", "not an anchor", f"feltd-anchor-1 3 {'00' * 32} T9"])
async def test_a_head_file_of_no_use_is_named_and_not_touched(tmp_path: Path, text: str) -> None:
    path = config(tmp_path)
    file = tmp_path / "stick" / "T1.head"
    file.write_text(text)
    async with table(path) as t:
        await until(lambda: troubles(t).get(HEAD) == "head.unreadable")
        await press(t)
        assert file.read_text() == text
        assert held(t) == []


async def test_a_journal_with_another_hash_there_is_held(tmp_path: Path) -> None:
    path = config(tmp_path)
    (tmp_path / "stick" / "T1.head").write_text(Anchor("T1", 0, bytes(32)).to_text())
    async with table(path) as t:
        await until(lambda: ("journal.behind", HEAD) in held(t))


async def test_a_stick_that_comes_later_and_knows_more_holds_the_table(tmp_path: Path) -> None:
    path = config(tmp_path, folder=False)
    async with table(path) as t:
        await press(t)
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "T1.head").write_text(Anchor("T1", 500, bytes(32)).to_text())
        (tmp_path / "elsewhere").rename(tmp_path / "stick")  # mounted with its file in it, not before it
        await until(lambda: ("journal.behind", HEAD) in held(t))
        assert head(tmp_path).seq == 500  # until somebody has ruled


async def test_a_stick_that_was_away_and_comes_back_with_more_holds_the_table(tmp_path: Path) -> None:
    path = config(tmp_path)
    async with table(path) as t:
        await press(t)
        await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
        (tmp_path / "stick").rename(tmp_path / "away")
        await press(t)
        await until(lambda: troubles(t).get(HEAD) == "head.missing")
        (tmp_path / "away" / "T1.head").write_text(Anchor("T1", 500, bytes(32)).to_text())
        (tmp_path / "away").rename(tmp_path / "stick")
        await until(lambda: ("journal.behind", HEAD) in held(t))
        assert [code for code, device in held(t) if device == HEAD] == ["journal.behind"]


NEWEST_CHECKPOINT = "DELETE FROM checkpoint WHERE seq = (SELECT max(seq) FROM checkpoint)"
ALL_CHECKPOINTS = "DELETE FROM checkpoint"


@pytest.mark.parametrize("lines", [(), (NEWEST_CHECKPOINT,), (ALL_CHECKPOINTS,)])
async def test_records_behind_the_head_of_a_clean_stop_are_told_until_somebody_has_looked(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    path = config(tmp_path)
    aside = tmp_path / "stick" / "T1.head.appended"
    async with simulated_table(load_config(path)) as (sim, _):
        async with table(path, sim) as t:
            await press(t)
        last = head(tmp_path)
        assert is_closed(tmp_path)
        put_behind(tmp_path, *lines)
        for _ in range(2):  # another start does not forget it
            async with table(path, sim) as t:
                await until(lambda: troubles(t).get(HEAD) == "journal.appended")
                await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
                assert not is_closed(tmp_path)
                assert Anchor.from_text(aside.read_text().splitlines()[0]) == last
        aside.unlink()
        async with table(path, sim) as t:
            await press(t)
            await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
            assert HEAD not in troubles(t)


async def test_a_stick_that_was_away_for_a_whole_start_alarms_nobody(tmp_path: Path) -> None:
    path = config(tmp_path)
    async with simulated_table(load_config(path)) as (sim, _):
        async with table(path, sim) as t:
            await press(t)
        (tmp_path / "stick").rename(tmp_path / "away")
        async with table(path, sim) as t:
            await press(t)
        (tmp_path / "away").rename(tmp_path / "stick")
        assert is_closed(tmp_path)
        async with table(path, sim) as t:
            await until(lambda: head(tmp_path).seq == t.daemon.journal.head.seq)
            await until(lambda: HEAD not in troubles(t))
    assert not (tmp_path / "stick" / "T1.head.appended").exists()


async def test_a_pipe_in_the_place_of_the_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = config(tmp_path)
    os.mkfifo(tmp_path / "stick" / "T1.head")
    async with table(path) as t:
        await until(lambda: troubles(t).get(HEAD) == "head.unreadable")
        await press(t)


async def test_a_disk_that_gives_no_answer_keeps_no_table_from_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, answers = config(tmp_path), threading.Event()
    read = HeadFile.read

    def later(file: HeadFile) -> KeptHead | None:
        answers.wait()
        return read(file)

    monkeypatch.setattr(head_watch, "SOON", 0.01)
    monkeypatch.setattr(HeadFile, "read", later)
    (tmp_path / "stick" / "T1.head").write_text(Anchor("T1", 500, bytes(32)).to_text())
    try:
        async with table(path) as t:
            await press(t)
            assert troubles(t)[HEAD] == "head.unreadable"
            answers.set()
            await until(lambda: ("journal.behind", HEAD) in held(t))
    finally:
        answers.set()
