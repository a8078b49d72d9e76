"""The power may go at any moment: whatever part of the unsynced writes the disk got, nothing promised is lost."""

from __future__ import annotations

import errno
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from controller.journal import Journal, JournalError, verify
from controller.service.journal_gaps import JournalGaps
from controller.table.holds import BEHIND
from controller.table.state import Table
from firmware_bridge.messages import Identity
from tests.disk import shim
from tests.disk.conftest import TIMES, Runner, tell
from tests.disk.images import Disk, Image, images
from tests.disk.programs import TABLE
from tests.disk.shim import Call
from tests.disk.stores import LOOKS, check_records

SAMPLE: Final = {
    "journal": 9,
    "meter": 2,
    "keys": 9,
    "people": 9,
    "head": 9,
    "rounds": 1,
    "day-keys": 9,
    "table-keys": 9,
    "copy": 3,
    "archive": 1,
    "backup": 2,
    "restored": 2,
    "table": 1,
}  # images after each call
MOST: Final = {"table": 40}  # images that are looked at, where a look takes long; a sample of them
LOST: Final = {"journal.corrupt", "journal.missing"}  # how a disk that lied is named

Promised = dict[tuple[tuple[str, bytes], ...], int]  # each image, and what must be in it


def left(calls: Sequence[Call], chance: random.Random, sample: int, *, lies: bool = False) -> Promised:
    """Returns each image that a cut at any point of these calls can leave, with the most that was promised by then."""
    disk, promised, found = Disk(lies=lies), 0, Promised()
    for call in calls:
        if call.word == "note":
            promised = int(call.name)
        disk.follow(call)
        for image in images(disk, chance, sample):
            key = tuple(sorted(image.items()))
            found[key] = max(promised, found.get(key, 0))
    return found


def put(image: Image, folder: Path) -> None:
    """Makes a folder with exactly these files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in image.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)


def told(counter: int) -> Identity:
    """Returns the greeting of a shoe that was told that its events up to this one are stored."""
    return Identity("shoe", "sim", "S1", "1.0", epoch=1, last=counter, first=counter + 1)


def recorded(runner: Runner, memory: Path, program: str, nth: int = 0, failure: int = 0) -> list[Call]:
    """Runs a program and returns what it did to the disk."""
    log = memory / "log"
    ran = runner.run(program, memory / f"{program}-{nth}", log, nth, failure)
    assert not ran.crash, ran.crash
    return shim.read(log)


@pytest.mark.parametrize("program", LOOKS)
def test_a_cut_at_any_moment_takes_nothing_that_was_promised(
    runner: Runner, memory: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = recorded(runner, memory, program)
    assert any(call.word == "note" for call in calls) or program == "rounds"
    chance = random.Random(program)
    found = list(left(calls, chance, SAMPLE[program] * TIMES).items())
    if len(found) > (most := MOST.get(program, len(found)) * TIMES):
        found = chance.sample(found, most)
    for image, promised in found:
        put(dict(image), memory / "image")
        LOOKS[program](memory / "image", promised)
    tell(capsys, f"{program}: {len(found)} disk images of {len(calls)} calls")


@pytest.mark.parametrize(
    "program", ["journal", "meter", "keys", "people", "head", "day-keys", "table-keys", "copy", "archive"]
)
def test_a_cut_after_a_failed_sync_takes_nothing_either(
    runner: Runner, memory: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What waited for a sync that failed may be lost for ever, although later syncs succeed."""
    chance, tried = random.Random(program), 0
    whole = recorded(runner, memory, program)
    syncs = [nth for nth, call in enumerate((each for each in whole if each.word != "note"), 1) if call.word == "sync"]
    for nth in syncs if TIMES > 1 else chance.sample(syncs, min(6, len(syncs))):
        calls = recorded(runner, memory, program, nth, errno.EIO)
        found = list(left(calls, chance, TIMES).items())
        for image, promised in found if TIMES > 1 else chance.sample(found, min(60, len(found))):
            put(dict(image), memory / "image")
            LOOKS[program](memory / "image", promised)
            tried += 1
    tell(capsys, f"{program}: {tried} disk images behind {len(syncs)} failed syncs")


def test_a_disk_that_only_says_that_it_synced_is_found_out(
    runner: Runner, memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal that it leaves is refused by name, or it went back; then the devices know more, and it is held."""
    calls = recorded(runner, memory, "journal")
    found = left(calls, random.Random("lies"), 12 * TIMES, lies=True)
    went_back = refused = 0
    for image, promised in found.items():
        put(dict(image), memory / "image")
        try:
            journal = Journal.open(memory / "image" / "journal.db", table=TABLE, create=False)
        except JournalError as error:
            assert error.code in LOST, error
            refused += 1
            continue
        try:
            report = verify(journal, alone=True)
            if report.ok:
                check_records(journal)
            if journal.head.seq < promised:
                went_back += 1
                missed = JournalGaps(journal, Table).compare("shoe", told(promised))
                assert missed is not None
                assert missed.code == BEHIND
        finally:
            journal.close()
    assert went_back
    assert refused
    tell(capsys, f"lying disk: {len(found)} images, {went_back} went back and were held, {refused} were refused")
