"""felt backup and felt restore: all that a table remembers, of one that runs and of one that is stopped."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.cli import backup_folder, backup_restoring, backup_writing
from controller.errors import FeltError
from controller.journal import Journal, verify
from tests.cli.conftest import felt
from tests.daemon.house import House, table_toml
from tests.disk.programs import ARCHIVED, RECORDS, archive_to, short

KEYS = {"cards.key", "day-keys.json", "journal.key", "keys.toml"}
PLAIN = {"journal.db", "table.toml", "people.toml"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[House]:
    """A table with keys, which runs, and at which a round was dealt."""
    (tmp_path / "house").mkdir()
    house = House(tmp_path / "house")
    keys = house.directory / "keys"
    with house.config.open("a") as file:
        file.write(f'[journal]\ncards-key = "{keys}/cards.key"\nkey = "{keys}/journal.key"\n')
    assert felt("table", "init", str(house.config)).returncode == 0
    assert felt("journal", "key", "--new", "--config", str(house.config)).returncode == 0
    (house.directory / "state/keys.toml").touch(0o600)
    try:
        house.start().deal_a_round()
        yield house
    finally:
        house.close()


def told(*words: str) -> dict[str, Any]:
    """Types a command; returns what it tells programs."""
    ran = felt(*words, "--json")
    answer: dict[str, Any] = json.loads(ran.stdout)
    assert (ran.returncode != 0) == ("error" in answer), ran.stderr
    return answer


def backup(house: House, target: Path, *words: str) -> dict[str, Any]:
    return told("backup", str(target), "--config", str(house.config), *words)


def restore(house: House, target: Path, *words: str) -> dict[str, Any]:
    return told("restore", str(target), "--config", str(house.config), *words)


def code(answer: dict[str, Any]) -> str:
    return str(answer["error"]["code"])


def lose_all(house: House) -> Path:
    """Takes everything away that the table has, but the keys; returns where it is."""
    away = house.directory / "away"
    away.mkdir()
    for path in (house.directory / "state", house.config, house.directory / "people.toml"):
        path.rename(away / path.name)
    return away


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_table_that_runs_is_copied_and_plays_on_from_its_copy(table: House, tmp_path: Path) -> None:
    target = tmp_path / "T1"
    made = backup(table, target)
    running = table.client.get("/journal/verify")
    assert made["records"] == running["checked"] > 0
    assert set(made["files"]) == PLAIN and set(map(os.path.basename, made["left_out"])) == KEYS
    assert set(files(target)) == PLAIN | {"backup.json", "SHA256SUMS"}
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in target.iterdir()} == {0o600}
    summed = subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=target, check=False)
    assert summed.returncode == 0
    assert sha256((target / "SHA256SUMS").read_bytes()).hexdigest() == made["seal"]

    anchor = tmp_path / "anchor"
    anchor.write_text(made["anchor"])
    looked = felt("journal", "verify", str(target / "journal.db"), "--anchor", str(anchor))
    assert looked.returncode == 0, looked.stdout  # and it can be looked at where it is
    assert backup_folder.checked(target, made["seal"]).anchor == made["anchor"]

    table.deal_a_round()  # which the copy does not have
    assert code(restore(table, target)) == "restore.running"
    table.stop()
    assert code(restore(table, target)) == "restore.exists"
    away = lose_all(table)
    done = restore(table, target, "--seal", made["seal"])
    assert set(map(os.path.basename, done["placed"])) == PLAIN
    assert (done["others"], done["records"]) == ([], made["records"])
    assert any("keys.toml" not in step and "felt config check" in step for step in done["next_steps"])
    for name in ("table.toml", "people.toml", "state/journal.db"):
        before, now = (away / name).stat(), (table.directory / name).stat()
        assert (before.st_mode, before.st_uid, before.st_gid) == (now.st_mode, now.st_uid, now.st_gid)
    table.start()
    assert table.status()["round"]["number"] == 1
    table.deal_a_round()
    assert table.client.get("/journal/verify")["ok"]


def test_a_table_that_is_stopped_or_was_killed_is_copied_to_its_last_record(table: House, tmp_path: Path) -> None:
    checked = table.client.get("/journal/verify")["checked"]
    table.stop(signal.SIGKILL)
    assert (table.directory / "state/journal.db-wal").stat().st_size  # what a kill leaves
    before = files(table.directory / "state")
    assert backup(table, tmp_path / "killed")["records"] == checked
    assert files(table.directory / "state") == before
    table.start().deal_a_round()
    table.stop()
    assert backup(table, tmp_path / "stopped")["records"] > checked


def test_keys_are_only_copied_when_it_is_said_and_with_a_warning(table: House, tmp_path: Path) -> None:
    words = ("--config", str(table.config), "--with-keys")
    ran = felt("backup", str(tmp_path / "T1"), *words)
    assert "reads every card" in ran.stderr and "left out" not in ran.stdout
    assert set(files(tmp_path / "T1")) >= KEYS
    table.stop()
    lose_all(table)
    shutil.rmtree(table.directory / "keys")
    shutil.rmtree(table.directory / "state-keys")
    done = restore(table, tmp_path / "T1")
    assert not any(step.startswith("put ") for step in done["next_steps"])
    assert stat.S_IMODE((table.directory / "keys/cards.key").stat().st_mode) == 0o600
    table.start()
    table.deal_a_round()


def test_what_is_missing_for_a_start_is_said(table: House, tmp_path: Path) -> None:
    backup(table, tmp_path / "T1")
    table.stop()
    lose_all(table)
    shutil.rmtree(table.directory / "keys")
    steps = restore(table, tmp_path / "T1")["next_steps"]
    assert any("the key of the cards" in step and str(table.directory / "keys/cards.key") in step for step in steps)
    assert any("journal.key" in step for step in steps)


def test_what_is_there_stays_and_is_compared(table: House, tmp_path: Path) -> None:
    backup(table, tmp_path / "T1")
    table.stop()
    (table.directory / "state").rename(table.directory / "away")
    with (table.directory / "people.toml").open("a") as file:
        file.write("# somebody came later\n")
    people = (table.directory / "people.toml").read_bytes()
    done = restore(table, tmp_path / "T1")
    assert done["same"] == [str(table.config)] and done["others"] == [str(table.directory / "people.toml")]
    assert (table.directory / "people.toml").read_bytes() == people
    said = felt("explain", "restore.exists")
    assert "delete nothing" in said.stdout


def test_a_table_that_plays_meanwhile_is_copied_whole_each_time(table: House, tmp_path: Path) -> None:
    over = threading.Event()

    def play() -> None:
        while not over.is_set():
            table.deal_a_round()

    player = threading.Thread(target=play)
    player.start()
    try:
        made = [backup(table, tmp_path / f"{number}") for number in range(3)]
    finally:
        over.set()
        player.join()
    assert all(verify(tmp_path / f"{number}/journal.db").ok for number in range(3))
    records = [each["records"] for each in made]
    assert records == sorted(records) and records[0] < records[-1]


def test_the_prize_meter_of_the_table_comes_with_it(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    house = House(tmp_path / "house", game="caribbean-stud", options='jackpot = "nsw"\n')
    try:
        house.launch()
        running = backup(house, tmp_path / "running")
        house.stop()
        stopped = backup(house, tmp_path / "stopped")
        assert "jackpot.db" in running["files"] and "jackpot.db" in stopped["files"]
        (house.directory / "state").rename(tmp_path / "lost")
        assert str(house.directory / "state/jackpot.db") in restore(house, tmp_path / "running")["placed"]
        house.launch()
        assert house.client.get("/jackpot/verify")["ok"]
        house.stop()
        house.journal.rename(tmp_path / "journal.db")  # only the journal is lost: the meter knows more than the backup
        meter = (house.directory / "state/jackpot.db").read_bytes()
        assert restore(house, tmp_path / "running")["others"] == [str(house.directory / "state/jackpot.db")]
        assert (house.directory / "state/jackpot.db").read_bytes() == meter
    finally:
        house.close()


def test_archives_come_with_it_and_one_that_is_away_is_said(tmp_path: Path) -> None:
    """Records that have left the journal are nowhere else."""
    (tmp_path / "archives").mkdir()
    config = table_toml(tmp_path)
    with config.open("a") as file:
        file.write(f'[journal]\narchive = "{tmp_path}/archives"\n')
    journal = Journal.open(tmp_path / "state/journal.db", table="T1")
    journal.append([short(counter) for counter in range(1, RECORDS)])
    for last in ARCHIVED:
        asyncio.run(archive_to(journal, tmp_path / "archives", last))
    journal.close()
    archives = files(tmp_path / "archives")
    assert len(archives) == len(ARCHIVED)

    made = backup_writing.backed_up(tmp_path / "T1", config)
    assert {name for name in made.files if "/" in name} == {f"archives/{name}" for name in archives}
    (tmp_path / "state").rename(tmp_path / "lost")
    (tmp_path / "archives").rename(tmp_path / "away")
    done = backup_restoring.restored(tmp_path / "T1", config, made.seal)
    assert files(tmp_path / "archives") == archives and done.records == made.records

    first = sorted(archives)[0]
    (tmp_path / "archives" / first).unlink()
    made = backup_writing.backed_up(tmp_path / "T2", config)
    assert any(first in note for note in made.notes)
    (tmp_path / "state/journal.db").rename(tmp_path / "journal.db")
    (tmp_path / "archives" / sorted(archives)[1]).write_text("another one\n")
    with pytest.raises(FeltError) as refused:
        backup_restoring.restored(tmp_path / "T1", config)
    assert refused.value.code == "restore.exists" and not (tmp_path / "state/journal.db").exists()


def test_a_journal_that_is_always_changed_is_no_backup(
    stopped: tuple[House, Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, whole, _ = stopped
    shutil.copy(whole / "journal.db", house.journal)
    monkeypatch.setattr(backup_writing, "take", lambda path, to, copy: False)
    try:
        with pytest.raises(FeltError) as refused:
            backup_writing.backed_up(tmp_path / "T1", house.config)
    finally:
        house.journal.unlink()
    assert refused.value.code == "backup.busy" and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["journal.db", "table.toml", "backup.json", "SHA256SUMS"])
@pytest.mark.parametrize("harm", ["a bit", "the end", "all", "more"])
def test_a_backup_that_was_changed_is_refused_and_nothing_is_placed(
    stopped: tuple[House, Path, str], tmp_path: Path, name: str, harm: str
) -> None:
    house, whole, seal = stopped
    target = tmp_path / "T1"
    shutil.copytree(whole, target)
    data = bytearray((target / name).read_bytes())
    match harm:
        case "a bit":
            data[len(data) // 2] ^= 1
            (target / name).write_bytes(data)
        case "the end":
            (target / name).write_bytes(data[:-1])
        case "all":
            (target / name).unlink()
        case "more":
            (target / f"{name}-wal").write_bytes(data)
    before = files(house.directory)
    with pytest.raises(FeltError) as refused:
        backup_restoring.restored(target, house.config, seal)
    assert refused.value.code in {"backup.damaged", "backup.unfinished", "backup.other-seal"}
    assert files(house.directory) == before


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Path, str]]:
    """A table without a journal, a backup of it, and its seal."""
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.start().deal_a_round()
        house.stop()
        target = tmp_path_factory.mktemp("backup") / "T1"
        seal = backup(house, target)["seal"]
        house.journal.rename(house.journal.with_name("away"))
        yield house, target, seal
    finally:
        house.close()


def test_a_backup_that_somebody_made_anew_does_not_have_the_seal(
    stopped: tuple[House, Path, str], tmp_path: Path
) -> None:
    house, whole, seal = stopped
    target = tmp_path / "T1"
    shutil.copytree(whole, target)
    (target / "people.toml").write_text("# nobody\n")
    about = backup_folder.checked(whole)
    for name in ("backup.json", "SHA256SUMS"):
        (target / name).unlink()
    backup_folder.sealed(target, about)
    backup_folder.checked(target)
    with pytest.raises(FeltError) as refused:
        backup_restoring.restored(target, house.config, seal)
    assert refused.value.code == "backup.other-seal"


@pytest.mark.parametrize("name", ["archives/../../planted", "archives/../planted", "../planted", "nowhere"])
def test_a_backup_that_somebody_made_anew_places_nothing_elsewhere(
    stopped: tuple[House, Path, str], tmp_path: Path, name: str
) -> None:
    """Root restores it: a name in it must not lead to any other folder."""
    house, whole, _ = stopped
    target = tmp_path / "away" / "T1"
    shutil.copytree(whole, target)
    about = backup_folder.checked(whole)
    for each in ("backup.json", "SHA256SUMS"):
        (target / each).unlink()
    for place in (tmp_path / "away" / "planted", target / "planted"):
        place.write_text("what root would write\n")
    (target / "archives").mkdir()
    files_ = (*about.files, backup_folder.KeptFile(name, "root", "root", 0o644))
    backup_folder.sealed(target, msgspec.structs.replace(about, files=files_))
    before = files(house.directory)
    with pytest.raises(FeltError) as refused:
        backup_restoring.restored(target, house.config)
    assert refused.value.code == "backup.damaged"
    assert files(house.directory) == before


def test_nothing_is_written_through_a_link(stopped: tuple[House, Path, str], tmp_path: Path) -> None:
    """The folder of the state is the daemon's: whoever has its account lays links where root will write."""
    _, whole, _ = stopped
    (tmp_path / "to").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FeltError) as refused:
        backup_folder.copied(whole / "journal.db", tmp_path / "to")
    assert refused.value.code == "backup.unwritable"
    assert not (tmp_path / "elsewhere").exists()


def test_a_journal_that_is_damaged_is_not_sold_as_a_backup(stopped: tuple[House, Path, str], tmp_path: Path) -> None:
    house, whole, _ = stopped
    for name in ("table.toml", "people.toml"):
        shutil.copy(whole / name, tmp_path / name)
    config = tmp_path / "table.toml"
    config.write_text(config.read_text().replace(str(house.directory / "state"), str(tmp_path / "state")))
    (tmp_path / "state").mkdir()
    data = bytearray((whole / "journal.db").read_bytes())
    at = data.index(b"feltd", 0) if b"feltd" in data else len(data) // 2
    data[at] ^= 1
    (tmp_path / "state/journal.db").write_bytes(data)
    ran = felt("backup", str(tmp_path / "T1"), "--config", str(config), "--json")
    assert code(json.loads(ran.stdout)) in {"backup.unsound", "journal.corrupt"}
    assert not any("T1" in path.name for path in tmp_path.iterdir())


def test_no_folder_that_is_there_is_written_to(stopped: tuple[House, Path, str], tmp_path: Path) -> None:
    house, _, _ = stopped
    (tmp_path / "T1").mkdir()
    assert code(backup(house, tmp_path / "T1")) == "backup.exists"
    assert code(backup(house, tmp_path / "no/T1")) == "backup.unwritable"
    assert code(backup(house, tmp_path / "T2")) == "journal.missing"
    assert list(tmp_path.iterdir()) == [tmp_path / "T1"]


# ---- killed in the middle


def killed_at(nth: int, deed: Callable[[], object], patch: pytest.MonkeyPatch, *names: tuple[Any, str]) -> bool:
    """Does something in a process of its own that is killed at the `nth` of these calls; tells whether it was."""
    count = 0

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            nonlocal count
            count += 1
            if count == nth:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*words, **more)

        return call

    with patch.context() as here:
        for module, name in names:
            here.setattr(module, name, counting(getattr(module, name)))
        child = multiprocessing.get_context("fork").Process(target=deed)
        child.start()
        child.join(60)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def test_a_kill_in_the_middle_leaves_nothing_that_looks_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    try:
        assert felt("table", "init", str(house.config)).returncode == 0
        target = tmp_path / "T1"
        steps = [(os, "write"), (os, "fsync"), (os, "mkdir"), (Path, "rename")]
        nth = 1
        while killed_at(nth, lambda: backup_writing.backed_up(target, house.config), monkeypatch, *steps):
            if target.exists():  # the name is the last step but one
                backup_folder.checked(target)
                shutil.rmtree(target)
            nth += 1
        assert nth > 10
        backup_folder.checked(target)
        assert not list(tmp_path.glob(".T1*"))  # what the kills had left

        whole = files(tmp_path)
        house.journal.rename(tmp_path / "journal.db")
        house.config.rename(tmp_path / "away.toml")
        nth = 1
        while killed_at(nth, lambda: backup_restoring.restored(target, house.config), monkeypatch, *steps):
            if house.journal.exists():
                assert verify(house.journal).ok and house.config.exists()
                house.journal.unlink()
            nth += 1
        assert nth > 5
        left = files(tmp_path)
        assert {name: left[name] for name in whole} == whole
        assert not list(tmp_path.rglob(".*restoring*"))
    finally:
        house.close()
