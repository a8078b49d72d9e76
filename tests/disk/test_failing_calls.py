"""Each change of the disk may be refused: full, broken, read-only, or half done; it is named, and nothing is lost."""

from __future__ import annotations

import errno
import random
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.disk import shim
from tests.disk.conftest import TIMES, Runner, tell
from tests.disk.stores import LOOKS

FAILURES: Final = (
    (errno.EIO, False),
    (errno.ENOSPC, False),
    (shim.SHORT, False),
    (errno.EIO, True),
    (errno.ENOSPC, True),
    (errno.EROFS, True),
)
TRIED: Final = 50  # of all that can fail in a program, each time; FELT_DISK tries all
NAMES: Final = {
    "journal": {"journal.io", "journal.full"},
    "meter": {"jackpot.unreachable"},
    "keys": {"keys.unwritable"},
    "people": {"people.unwritable"},
    "head": {"head.unwritable"},
    "rounds": set(),
    "day-keys": {"cards.day-keys-unwritable", "cards.day-keys-unreadable"},
    "table-keys": {"cards.key-unwritable", "journal-key.unwritable", "journal-key.exists"},
    "copy": {"copy.unwritable"},
    "archive": {"journal.io", "journal.full", "archive.unwritable", "archive.full"},
    "backup": {"backup.unwritable", "backup.unreadable", "journal.io", "journal.full"},
    "restored": {"backup.unwritable", "backup.unreadable", "journal.io", "journal.full"},
}


@pytest.mark.parametrize("program", NAMES)
def test_whatever_call_fails_it_is_named_and_nothing_promised_is_lost(
    runner: Runner, memory: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = runner.run(program, memory / "whole").calls
    every = [(nth, *failure) for failure in FAILURES for nth in range(1, calls + 1)]
    tried = every if TIMES > 1 else random.Random(program).sample(every, min(TRIED, len(every)))
    refusals = 0
    for nth, failure, lasts in tried:
        ran = runner.run(program, memory / "failing", None, nth, failure, lasts=lasts)
        assert not ran.crash, ran.crash
        assert set(ran.refused) <= NAMES[program]
        LOOKS[program](memory / "failing", ran.promised)
        shutil.rmtree(memory / "failing")
        refusals += bool(ran.refused)
    assert refusals or program == "rounds"
    tell(capsys, f"{program}: {len(tried)} runs with a failing call, {refusals} refused something by name")


@pytest.mark.parametrize(
    "program", ["journal", "meter", "keys", "people", "day-keys", "table-keys", "copy", "archive", "backup", "restored"]
)
def test_a_disk_that_is_full_from_the_first_call_on_promises_nothing(
    runner: Runner, memory: Path, program: str
) -> None:
    ran = runner.run(program, memory / "full", None, 1, errno.ENOSPC, lasts=True)
    assert (ran.crash, ran.promised) == ("", 0)
    assert ran.refused
