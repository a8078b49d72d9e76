"""A table whose cards are stored hidden: rounds of Three Card Poker in which one hand is never turned."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.games import defaults
from controller.journal.database import connect
from controller.journal.records import chained, genesis, pack, seal, unsealed
from controller.journal.store import Journal
from controller.journal.veil import Veil
from controller.journal.writer import InlineWriter
from controller.service.card_veil import CardVeil
from controller.service.day_key_file import DayKeyFile
from controller.service.engine import Engine
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot, Started

KEY: Final = bytes(range(32))
THREE: Final = Started("three-card-poker", defaults("three-card-poker") | {"seats": "2"})
DEAL: Final = ("Kh", "9d", "Qs", "5d", "9c", "3d", "2c", "2h", "7s")  # area 1, area 2, the dealer; around the table


def round_of(cards: Sequence[str], *, over: bool = True) -> list[AnyFact]:
    """A round in which area 1 folds: its cards, the first of each three, are never turned."""
    bets: list[AnyFact] = [Chips(area, (Spot("ante", 1, 1000),)) for area in (1, 2)]
    end: list[AnyFact] = [Key("fold", ("1",)), Chips(2, (Spot("play", 1, 1000),)), Key("settle")]
    cleared: list[AnyFact] = [Chips(area, ()) for area in (1, 2)]
    return [*bets, *(CardOut(card) for card in cards), *(end + cleared if over else [])]


def veil_in(directory: Path, key: bytes = KEY) -> CardVeil:
    """The veil of a table whose day keys are in a directory beside its state."""
    return CardVeil(DayKeyFile(directory / "keys" / "day-keys.json", "T1", key).keys())


def play(directory: Path, veil: Veil, *facts: AnyFact, at: int = 0, snapshot: bool = False) -> None:
    """Tells these facts to the table whose journal is in a directory, as a start and an end of the daemon would."""
    journal = Journal.open(directory / "state" / "journal.db", table="T1", veil=veil)
    try:
        asyncio.run(_told(journal, facts, at, snapshot=snapshot))
    finally:
        journal.close()


async def _told(journal: Journal, facts: Sequence[AnyFact], at: int, *, snapshot: bool) -> None:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: at)
    engine.recover()
    await engine.start(THREE)
    for fact in facts:
        await engine.submit(fact)
    if snapshot:
        engine._snapshot()
    while engine.pending:  # noqa: ASYNC110
        await asyncio.sleep(0)


def journal_in(directory: Path, veil: Veil | None = None) -> Journal:
    """The journal for reading; without a veil as somebody has it who copied the state directory."""
    path = directory / "state" / "journal.db"
    return Journal.inspect(path) if veil is None else Journal.inspect(path, veil)


def stored(directory: Path) -> list[bytes]:
    """The payloads as the file has them."""
    journal = journal_in(directory)
    try:
        return [journal.stored_payload(seq) for seq in range(1, journal.head.seq + 1)]
    finally:
        journal.close()


def words(payload: bytes) -> Iterator[str]:
    """Every word anywhere in a stored payload."""
    yield from _words(msgspec.msgpack.decode(payload))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in (*value, *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _words(each)


def forge(directory: Path, seq: int, payload: bytes) -> None:
    """Puts another payload into a record and makes the whole chain anew, as somebody could who knows the form."""
    connection, table = connect(directory / "state" / "journal.db", None, create=False)
    digest = genesis(table)
    try:
        for place, sealed in connection.execute("SELECT seq, sealed FROM record ORDER BY seq").fetchall():
            record = unsealed(sealed)
            assert record is not None
            body = pack(place, msgspec.structs.replace(record, payload=payload) if place == seq else record)
            digest = chained(digest, body)
            connection.execute("UPDATE record SET sealed = ? WHERE seq = ?", (seal(body, digest), place))
        connection.execute("DELETE FROM snapshot")
    finally:
        connection.close()
