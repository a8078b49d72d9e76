"""How each store of the tests is looked at after a power cut or a failing disk: it must keep what it promised."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, Protocol

from controller.config.key_file import KeyFile
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Entry, Journal, verify
from controller.journal.head_file import HeadFile
from controller.people.roster_file import RosterFile
from controller.service.round_store import RoundStore
from tests.disk.programs import PATIENCE, TABLE, entry, roster, snapshot


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
    anchor = HeadFile(folder / "T1.head", TABLE).read()
    if anchor is None:
        assert not promised
        return
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


LOOKS: Final[dict[str, Look]] = {
    "journal": look_at_journal,
    "meter": look_at_meter,
    "keys": look_at_keys,
    "people": look_at_people,
    "head": look_at_head,
    "rounds": look_at_rounds,
}
