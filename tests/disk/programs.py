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
import tempfile
import traceback
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog

from controller.cli import backup_folder
from controller.cli.backup_restoring import restored
from controller.cli.backup_writing import backed_up
from controller.config import cards_key
from controller.config.key_file import KeyFile
from controller.errors import Coded, FeltError
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Anchor, Entry, Journal, JournalError, Record, Writer
from controller.journal import key_file as signing_key
from controller.journal.archives import Archive, NamedArchive
from controller.journal.archiving import make
from controller.journal.copying import JournalCopy
from controller.journal.head_file import HeadFile
from controller.people.roster import Roster, parse
from controller.people.roster_file import RosterFile
from controller.service.card_veil import CardVeil
from controller.service.day_key_file import DayKeyFile
from controller.service.day_keys import DAY, DayKeys
from controller.service.round_store import Position, RoundStore, Waypoint
from tests.daemon.house import table_toml
from tests.disk import shim
from tests.jackpot.stores.telling import Teller
from tests.service.kept import NOTHING, ROYAL, Kept, until

TABLE: Final = "T1"
BURSTS: Final = (1, 1, 3, 1, 2, 9, 1, 1, 5, 1, 2, 1)
ATTEMPTS: Final = 4  # of each thing, on a disk that fails
CHECKPOINT: Final = 12  # pages in the write-ahead log: so that a short run sees some checkpoints
PATIENCE: Final = 60.0
DAYS: Final = 5  # that get a key
COPIED: Final = 20  # records of the table that is backed up


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


def day_keys(folder: Path) -> DayKeys:
    """Returns the day keys in a folder."""
    return DayKeyFile(folder / "day-keys.json", TABLE, bytes(32)).keys()


async def write_day_keys(folder: Path, telling: Telling) -> None:
    """Makes a key for each of some days, and then destroys the first one; each time as a start would."""

    async def make(number: int) -> None:
        if day_keys(folder).now(number * DAY).began != number * DAY:  # the last one serves on
            raise FeltError("cards.day-keys-unwritable", "there is no new key")

    async def destroy() -> None:
        keys = day_keys(folder)
        keys.destroy([keys.all()[0].name])

    for number in range(1, DAYS + 1):
        await _tried(partial(make, number), telling)
        telling.promise(number)
    await _tried(destroy, telling)
    telling.promise(DAYS + 1)


async def write_table_keys(folder: Path, telling: Telling) -> None:
    """Makes the key of the cards, then the one that signs checkpoints."""

    async def make_cards() -> None:
        cards_key.make(folder / "cards.key")

    async def make_journal() -> None:
        signing_key.make_key(folder / "journal.key", TABLE)

    for number, made in enumerate((make_cards, make_journal), 1):
        await _tried(made, telling)
        telling.promise(number)


async def write_copy(folder: Path, telling: Telling) -> None:
    """Copies a journal that grows, as the thread beside the table does."""
    journal = Journal.open(None, table=TABLE)
    copy = JournalCopy(journal, folder / "copy.db")

    async def go_on() -> None:
        while copy.go_on():
            pass

    try:
        for burst in BURSTS[:6]:
            first = journal.head.seq + 1
            journal.append([entry(counter) for counter in range(first, first + burst)])
            await _tried(go_on, telling)
            telling.promise(copy.copied)
    finally:
        copy.close()
        journal.close()


RECORDS: Final = 600
ARCHIVED: Final = (256, 512)  # where the archives end


def short(counter: int) -> Entry:
    """Returns the event that a journal that is archived has as this number."""
    return Entry(counter * 1000, b"card %d" % counter, "shoe", 1, counter)


def marker(archive: Archive) -> Entry:
    """Returns the record that names an archive; to the journal any record that has its digest will do."""
    return Entry(0, b"archived " + archive.file.encode() + archive.digest)


async def write_archive(folder: Path, telling: Telling) -> None:
    """Fills a journal, then lets its records leave for two archives on the same disk, as the daemon does."""
    journal = Journal.open(folder / "journal.db", table=TABLE)
    journal._connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")

    async def fill() -> None:
        first = journal.head.seq + 1
        journal.append([short(counter) for counter in range(first, min(first + 200, RECORDS + 1))])

    try:
        while journal.head.seq < RECORDS:
            await _tried(fill, telling)
            telling.promise(journal.head.seq)
        for last in ARCHIVED:
            await _tried(partial(archive_to, journal, folder, last), telling)
    finally:
        journal.close()


async def archive_to(journal: Journal, folder: Path, last: int) -> None:
    """Lets the records up to `last` leave; goes on where an earlier attempt ended."""
    named = next((each for each in journal.archives if each.archive.last == last), None)
    if named is None:
        made = make(journal, folder, last, None)
        (record,) = journal.append([marker(made)])
        assert isinstance(record, Record)
        named = NamedArchive(made, record.seq)
    while journal.base.seq < last:
        journal.cut(named)


@contextmanager
def table_elsewhere() -> Iterator[Path]:
    """Yields the table.toml of a table with some records, on a disk that nobody watches."""
    with tempfile.TemporaryDirectory(prefix="felt-elsewhere-") as name:
        file = table_toml(Path(name))
        journal = Journal.open(Path(name) / "state/journal.db", table=TABLE)
        try:
            journal.append([entry(counter) for counter in range(1, COPIED + 1)])
        finally:
            journal.close()
        yield file


async def write_backup(folder: Path, telling: Telling) -> None:
    """Makes a backup of a table that is on another disk."""
    with table_elsewhere() as file:

        async def back_up() -> None:
            if not (folder / "T1").exists():  # it had its name already, and could not say so
                backed_up(folder / "T1", file)

        await _tried(back_up, telling)
        telling.promise(1)


async def write_restored(folder: Path, telling: Telling) -> None:
    """Restores a table from a backup that is on another disk."""
    with tempfile.TemporaryDirectory(prefix="felt-elsewhere-") as name:
        with table_elsewhere() as file:
            text = file.read_text().replace(str(file.parent), str(folder)).replace(str(folder / "state"), str(folder))
            backed_up(Path(name) / "T1", file)
        _change(Path(name) / "T1", text)

        async def restore() -> None:
            if not (folder / "journal.db").exists():
                restored(Path(name) / "T1", folder / "table.toml")

        await _tried(restore, telling)
        telling.promise(1)


def _change(backup: Path, text: str) -> None:
    """Seals a backup anew, with another configuration."""
    about = backup_folder.checked(backup)
    for name in (backup_folder.ABOUT, backup_folder.SUMS):
        (backup / name).unlink()
    (backup / "table.toml").write_text(text)
    backup_folder.sealed(backup, about)


def meter(folder: Path) -> SqliteStore:
    """Returns the prize meter of the whole table."""
    return SqliteStore(folder / "jackpot.db", deadline=PATIENCE)


def veil(folder: Path) -> CardVeil:
    """Returns what hides and opens the cards of the whole table."""
    return CardVeil(day_keys(folder))


async def write_table(folder: Path, telling: Telling) -> None:
    """Plays rounds at a whole table: engine, hidden cards, prize meter and head file, all on one disk."""
    head = HeadFile(folder / "T1.head", TABLE)
    async with Kept(folder, meter(folder), TABLE, keeper="own", veil=veil(folder)) as table:

        def durable() -> None:
            telling.promise(table.journal.head.seq)
            head.write(Anchor(TABLE, *table.journal.head))

        for cards in (NOTHING, ROYAL, NOTHING):
            await table.registered()
            durable()
            await table.dealt(cards)
            durable()
            await table.told()
            durable()
            table.engine._snapshot()
            if cards == ROYAL:
                await table.role("casino-manager")
                await until(lambda: all(wager.prizes for wager in table.game.pending))
                await table.key("confirm-jackpot")
            await table.bet(1)
            await table.bet(2)


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
    "day-keys": write_day_keys,
    "table-keys": write_table_keys,
    "copy": write_copy,
    "archive": write_archive,
    "backup": write_backup,
    "restored": write_restored,
    "table": write_table,
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
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # what comes out is for the tests
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            print(json.dumps(run(json.loads(line))), flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps({"calls": 0, "promised": 0, "refused": [], "crash": f"ended with {status}"}), flush=True)


if __name__ == "__main__":
    main()
