"""What is run on the watched disk: each program writes one of our stores, and promises what the store has promised.

Run as `python -m tests.disk.programs` with the library preloaded: one line of JSON in for each run, one out.  Every run
is a fork of this process, so that thousands of them cost no imports.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Final

from controller.config.key_file import KeyFile
from controller.errors import Coded
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Anchor, Entry, Journal, JournalError, Writer
from controller.journal.head_file import HeadFile
from controller.people.roster import Roster, parse
from controller.people.roster_file import RosterFile
from controller.service.round_store import Position, RoundStore, Waypoint
from tests.disk import shim
from tests.jackpot.stores.telling import Teller

TABLE: Final = "T1"
BURSTS: Final = (1, 1, 3, 1, 2, 9, 1, 1, 5, 1, 2, 1)
ATTEMPTS: Final = 4  # of each thing, on a disk that fails
CHECKPOINT: Final = 12  # pages in the write-ahead log: so that a short run sees some checkpoints
PATIENCE: Final = 60.0


class GaveUp(Exception):
    """The disk went on failing."""


class Telling:
    """What one run says of itself: its promises go into the log of the disk, the codes of refusals back."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.promised = 0

    def promise(self, number: int) -> None:
        """Notes that everything up to this number was promised to be kept."""
        self.promised = number
        shim.promise(str(number))

    def refuse(self, error: Coded) -> None:
        """Notes a refusal."""
        self.refused.append(error.code)


def entry(counter: int) -> Entry:
    """Returns the event that every journal here has as this number: a few of them need pages of their own."""
    size = 6000 if counter % 7 == 0 else 40
    return Entry(counter * 1000, (b"card %d " % counter) * (size // 8), "shoe", 1, counter)


def snapshot(seq: int) -> bytes:
    """Returns what a snapshot at this record has."""
    return b"table at %d" % seq * 30


async def write_journal(folder: Path, telling: Telling) -> None:
    """Appends bursts through the writer, one after the other; what fails is submitted again, as devices do."""
    journal = Journal.open(folder / "journal.db", table=TABLE)
    journal._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    writer = Writer(journal)
    try:
        for number, burst in enumerate(BURSTS):
            for _ in range(ATTEMPTS):
                if await _submitted(journal, writer, burst, telling):
                    break
            else:
                raise GaveUp
            if number % 3 == 2:
                seq = journal.head.seq
                writer.snapshot(seq, snapshot(seq))
    finally:
        await writer.close()
        journal.close()


async def _submitted(journal: Journal, writer: Writer, burst: int, telling: Telling) -> bool:
    """Submits the next burst; tells whether all of it was stored."""
    first = journal.seen("shoe", 1).counter + 1
    results: list[object] = []
    heard = asyncio.Event()

    def listener(result: object) -> None:
        results.append(result)
        if isinstance(result, JournalError):
            telling.refuse(result)
        elif not any(isinstance(each, JournalError) for each in results):
            telling.promise(first + len(results) - 1)
        if len(results) == burst:
            heard.set()

    for counter in range(first, first + burst):
        writer.submit(entry(counter), listener)
    await heard.wait()
    return not any(isinstance(each, JournalError) for each in results)


async def write_meter(folder: Path, telling: Telling) -> None:
    """Tells a prize meter what a table tells it, in batches."""
    store = SqliteStore(folder / "jackpot.db", deadline=PATIENCE)
    teller = Teller(store)
    await _tried(store.open, telling)
    try:
        await _tried(teller.join, telling)
        telling.promise(0)
        for round_, places in enumerate(("1", "123", "2", "45", "1234567", "3", "26"), start=1):
            movements = teller.bets(round_, places)
            await _tried(partial(teller.tell, *movements), telling)
            telling.promise(teller.last)
    finally:
        await store.close()


async def write_keys(folder: Path, telling: Telling) -> None:
    """Stores the keys of some devices, one after the other."""
    keys = KeyFile(folder)

    async def store(number: int) -> None:
        keys.store(f"S{number}", bytes([number]) * 32)

    for number in range(1, 7):
        await _tried(partial(store, number), telling)
        telling.promise(number)


def roster(people: int) -> Roster:
    """Returns a roster of so many people."""
    text = "".join(
        f'[[person]]\nname = "Dealer {number}"\nbadge = "D{number}"\nroles = ["dealer"]\npam = "d{number}"\n'
        for number in range(1, people + 1)
    )
    return parse(text, "people.toml")


async def write_people(folder: Path, telling: Telling) -> None:
    """Writes a roster that grows."""
    file = RosterFile(folder / "people.toml")

    async def write(number: int) -> None:
        file.write(roster(number))

    for number in range(1, 7):
        await _tried(partial(write, number), telling)
        telling.promise(number)


async def write_head(folder: Path, telling: Telling) -> None:
    """Renews a head file."""
    file = HeadFile(folder / "T1.head", TABLE)

    async def write(number: int) -> None:
        file.write(Anchor(TABLE, number, bytes([number]) * 32))

    for number in range(1, 7):
        await _tried(partial(write, number), telling)
        telling.promise(number)


async def write_rounds(folder: Path, telling: Telling) -> None:
    """Keeps the index of rounds, which promises nothing."""
    store = RoundStore.open(folder / "rounds.db", TABLE)
    try:
        store._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
        for number in range(1, 15):
            store.keep_waypoint(Waypoint(number, number, True, bytes([number]) * 3000))
            store.keep((), Position(number, f"{number:064x}"))
    finally:
        store.close()


async def _tried(deed: Callable[[], Coroutine[Any, Any, object]], telling: Telling) -> None:
    """Does something, again while the disk refuses it; raises GaveUp when it goes on refusing."""
    for _ in range(ATTEMPTS):
        try:
            await deed()
        except Coded as error:
            telling.refuse(error)
        else:
            return
    raise GaveUp


PROGRAMS: Final[dict[str, Callable[[Path, Telling], Coroutine[Any, Any, None]]]] = {
    "journal": write_journal,
    "meter": write_meter,
    "keys": write_keys,
    "people": write_people,
    "head": write_head,
    "rounds": write_rounds,
}


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Runs one program on the disk that the job describes, and returns what became of it."""
    folder, log = Path(job["folder"]), Path(job["log"]) if job["log"] else None
    telling = Telling()
    shim.arm(folder, log, job["nth"], job["failure"], lasts=job["lasts"])
    crash = ""
    try:
        asyncio.run(PROGRAMS[job["program"]](folder, telling))
    except (GaveUp, sqlite3.OperationalError):  # the index of rounds leaves naming it to its keeper
        pass
    except Coded as error:
        telling.refuse(error)
    except Exception:
        crash = traceback.format_exc()
    count = shim.calls()
    return {"calls": count, "promised": telling.promised, "refused": telling.refused, "crash": crash}


def main() -> None:
    """Serves jobs until there are no more."""
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            print(json.dumps(run(json.loads(line))), flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps({"calls": 0, "promised": 0, "refused": [], "crash": f"ended with {status}"}), flush=True)


if __name__ == "__main__":
    main()
