"""How each store of the tests is looked at after a power cut or a failing disk: it must keep what it promised."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, Protocol

from controller.cli import backup_folder
from controller.config import cards_key
from controller.config.key_file import KeyFile
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Entry, Journal, verify
from controller.journal import key_file as signing_key
from controller.journal.archiving import ENDING
from controller.journal.head_file import HeadFile
from controller.journal.shelf import Shelf
from controller.people.roster_file import RosterFile
from controller.service import audit, continuity
from controller.service.day_keys import DAY
from controller.service.reconciling import movements_by, reconcile
from controller.service.round_store import RoundStore
from controller.table.facts import Hidden, decode
from tests.disk.programs import (
    ARCHIVED,
    COPIED,
    DAYS,
    PATIENCE,
    RECORDS,
    TABLE,
    archive_to,
    day_keys,
    entry,
    meter,
    roster,
    short,
    snapshot,
    veil,
)
from tests.service.kept import Kept


class Look(Protocol):
    """Opens a store below a folder; fails when it does not have everything up to `promised`."""

    def __call__(self, folder: Path, promised: int) -> None: ...


def look_at_journal(folder: Path, promised: int) -> None:
    """Checks a journal: sound, everything promised is there, in order, and it goes on."""
    path = folder / "journal.db"
    if not path.exists():
        assert not promised
        return
    journal = Journal.open(path, table=TABLE)
    try:
        check_records(journal)
        assert journal.head.seq >= promised, f"{promised} were promised, {journal.head.seq} are there"
        for seq, kept in journal.snapshots():
            assert kept is not None
            assert kept.payload == snapshot(seq)
        journal.append([Entry(1, b"goes on")])
        report = verify(journal, alone=True)
        assert report.ok, report
    finally:
        journal.close()


def check_records(journal: Journal) -> None:
    """Checks that the records are the first ones of those that were written."""
    expected = [(each.device, each.counter, each.payload) for each in map(entry, range(1, journal.head.seq + 1))]
    assert [(each.device, each.counter, each.payload) for each in journal] == expected
    assert journal.seen("shoe", 1).counter == journal.head.seq


def look_at_meter(folder: Path, promised: int) -> None:
    """Checks a prize meter: it adds up, and has every movement that it said to have."""
    asyncio.run(_meter(folder, promised))


async def _meter(folder: Path, promised: int) -> None:
    store = SqliteStore(folder / "jackpot.db", deadline=PATIENCE)
    await store.open()
    try:
        groups = [meter.group for meter in await store.meters()]
        if not groups:
            assert not promised
            return
        numbers = [posting.movement.number for posting in await store.ledger("G")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= promised
        assert await store.verify("G") == []
    finally:
        await store.close()


def look_at_keys(folder: Path, promised: int) -> None:
    """Checks the keys: whole, and none that was stored is gone."""
    keys = KeyFile(folder).all()
    assert keys == {f"S{number}": bytes([number]) * 32 for number in range(1, len(keys) + 1)}
    assert len(keys) >= promised


def look_at_people(folder: Path, promised: int) -> None:
    """Checks the roster: whole, and nobody who was written is gone."""
    file = RosterFile(folder / "people.toml")
    if not file.path.exists():
        assert not promised
        return
    people = file.read()
    assert people == roster(len(people.people))
    assert len(people.people) >= promised


def look_at_head(folder: Path, promised: int) -> None:
    """Checks a head file: whole, and not older than was said."""
    kept = HeadFile(folder / "T1.head", TABLE).read()
    if kept is None:
        assert not promised
        return
    anchor = kept.anchor
    assert anchor.hash == bytes([anchor.seq]) * 32
    assert anchor.seq >= promised


def look_at_rounds(folder: Path, promised: int) -> None:
    """Checks the index of rounds: it can be opened whatever happened, and is what it was at some time, or empty."""
    store = RoundStore.open(folder / "rounds.db", TABLE)
    try:
        position = store.position
        assert position.hash == (f"{position.seq:064x}" if position.seq else "")
    finally:
        store.close()


def look_at_day_keys(folder: Path, promised: int) -> None:
    """Checks the day keys: each one that was used can be read, and none that was destroyed."""
    keys = day_keys(folder).all()
    assert [day.began for day in keys] == [number * DAY for number in range(1, len(keys) + 1)]
    assert len(keys) >= min(promised, DAYS)
    assert all(day.secret for day in keys[1:])
    assert not (promised > DAYS and keys[0].secret)
    assert not keys or keys[0].secret or len(keys) == DAYS


def look_at_table_keys(folder: Path, promised: int) -> None:
    """Checks the table's own keys: each is whole, or it is not there and can be made."""
    for number, (name, read) in enumerate((("cards.key", cards_key.read), ("journal.key", _signing_key)), 1):
        assert (folder / name).exists() or number > promised
        if (folder / name).exists():
            read(folder / name)


def _signing_key(path: Path) -> object:
    return signing_key.read_key(path, TABLE)


def look_at_copy(folder: Path, promised: int) -> None:
    """Checks a copy: it is sound, has what it said to have, and a copier goes on with it."""
    path = folder / "copy.db"
    if not path.exists():
        assert not promised
        return
    copy = Journal.open(path, table=TABLE)
    try:
        check_records(copy)
        assert copy.head.seq >= promised, f"{promised} were promised, {copy.head.seq} are there"
        report = verify(copy, alone=True)
        assert report.ok, report
    finally:
        copy.close()


def look_at_archive(folder: Path, promised: int) -> None:
    """Checks a journal whose records leave it: each is in it or in an archive, once, and the next start goes on."""
    if not (folder / "journal.db").exists():
        assert not promised
        return
    journal = Journal.open(folder / "journal.db", table=TABLE)
    journal.shelf = Shelf(folder)
    try:
        _check_whole(journal, promised)
        while journal.head.seq <= RECORDS:
            journal.append([short(journal.head.seq + 1)])
        for last in ARCHIVED:
            if journal.base.seq < last:
                asyncio.run(archive_to(journal, folder, last))
        _check_whole(journal, RECORDS)
        assert journal.base.seq == ARCHIVED[-1]
        names = {each.archive.file for each in journal.archives}
        assert {path.name for path in folder.iterdir() if ENDING in path.name} == names
    finally:
        journal.close()


def _check_whole(journal: Journal, promised: int) -> None:
    report = verify(journal, alone=True)
    assert report.ok, report
    assert report.checked == journal.head.seq
    cards = [each for each in journal if each.device]
    assert [each.payload for each in cards] == [short(number).payload for number in range(1, len(cards) + 1)]
    assert len(cards) >= promised


def look_at_backup(folder: Path, promised: int) -> None:
    """Checks a backup: it has its name only when it is whole."""
    target = folder / "T1"
    if not target.exists():
        assert not promised
        return
    about = backup_folder.checked(target)
    report = verify(target / "journal.db")
    assert report.ok, report
    assert (report.checked, report.head.to_text()) == (COPIED, about.anchor)


def look_at_restored(folder: Path, promised: int) -> None:
    """Checks a table that was restored: it has a journal only when it has all that a start needs."""
    path = folder / "journal.db"
    if not path.exists():
        assert not promised
        return
    assert {"table.toml", "people.toml"} <= {each.name for each in folder.iterdir()}
    for name in ("table.toml", "people.toml"):
        assert (folder / name).read_text().endswith("\n")
    report = verify(path)
    assert report.ok, report
    assert report.checked == COPIED


def look_at_table(folder: Path, promised: int) -> None:
    """Checks the stores of a whole table against each other: none knows what another one has lost."""
    path = folder / "T1.db"
    kept = HeadFile(folder / "T1.head", TABLE).read()
    if not path.exists():
        assert not promised and kept is None
        return
    opening = veil(folder)  # a day key is on the disk before the first card that needs it
    journal = Journal.open(path, table=TABLE, veil=opening)
    try:
        assert journal.head.seq >= promised, f"{promised} were promised, {journal.head.seq} are there"
        assert continuity.by_anchor(journal, None if kept is None else kept.anchor) == ""
        facts = [decode(record.payload) for record in journal]
        assert not any(isinstance(fact, Hidden) for fact in facts), "a card is there, and not its key"
    finally:
        journal.close()
    report = audit.verify(path, replay=True, veil=opening)
    assert report.ok, report
    asyncio.run(_goes_on(folder))


async def _goes_on(folder: Path) -> None:
    """Starts the table again: what the meter had not been told it is told once, and nobody has to rule."""
    async with Kept(folder, meter(folder), TABLE, keeper="own", veil=veil(folder)) as table:
        await table.adds_up()
        assert table.table.holds == {}
        own = movements_by(table.journal)
        _, findings, others = await reconcile(table.store, TABLE, own)
        assert (findings, others) == ([], [])


LOOKS: Final[dict[str, Look]] = {
    "journal": look_at_journal,
    "meter": look_at_meter,
    "keys": look_at_keys,
    "people": look_at_people,
    "head": look_at_head,
    "rounds": look_at_rounds,
    "day-keys": look_at_day_keys,
    "table-keys": look_at_table_keys,
    "copy": look_at_copy,
    "archive": look_at_archive,
    "backup": look_at_backup,
    "restored": look_at_restored,
    "table": look_at_table,
}
