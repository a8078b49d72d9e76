"""What a journal or a store of prize meters says, in plain values that every later version must agree with.

The meaning is told, not the encoding: fields may be added, rule numbers may be corrected.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from controller.games import house_game, restored, step
from controller.house.layout import lay_out
from controller.house.state import HouseRound
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import InlineWriter, Journal, verify
from controller.poker.state import hand_in, room_in
from controller.service import older_snapshots
from controller.service.engine import Engine
from controller.table import facts
from controller.table.state import Line, Round, Table

Json = dict[str, Any]
NAMED = b"felt-"  # how the form of a snapshot begins since 0.2.0


def journal_says(path: Path) -> Json:
    """Verified, and told from record 1: every round's end, and what lies there now."""
    report = verify(path)
    journal = Journal.inspect(path)
    try:
        table, rounds = Table(), dict[str, Json]()
        for record in journal:
            table, _ = step(table, record.seq, record.at_us, facts.decode(record.payload))
            if table.round is not None and table.round.outcome:
                rounds[str(table.round.number)] = _ended(table.round)
        head = journal.head
    finally:
        journal.close()
    return {
        "table": journal.table,
        "ok": report.ok,
        "seq": head.seq,
        "hash": head.hash.hex(),
        "snapshots": snapshots(path),
        "rounds": rounds,
        "now": _now(table),
    }


def recovered(path: Path, table: str) -> Json:
    """As the daemon finds the table when it starts."""

    async def start() -> Json:
        journal = Journal.open(path, table=table)
        try:
            engine = Engine(journal, InlineWriter(journal), lambda: 0)
            engine.recover()
            assert engine.defect is None, engine.defect
            return _now(engine.table)
        finally:
            journal.close()

    return asyncio.run(start())


def goes_on(path: Path) -> list[Json]:
    """Told from each snapshot on, whether a start would believe it or not; one in another form is passed over."""
    journal = Journal.inspect(path)
    try:
        told = []
        for _, snapshot in journal.snapshots():
            assert snapshot is not None
            table = _read(snapshot.payload)
            if table is None:
                continue
            for record in journal.iterate(snapshot.seq + 1):
                table, _ = step(table, record.seq, record.at_us, facts.decode(record.payload))
            told.append(_now(table))
        return told
    finally:
        journal.close()


def _read(payload: bytes) -> Table | None:
    try:
        return restored(payload)
    except msgspec.DecodeError:
        return None if payload.startswith(NAMED) else older_snapshots.read(payload)


def meters_say(path: Path) -> Json:
    """What each meter holds, and whether its ledger adds up."""

    async def look() -> Json:
        store = SqliteStore(path)
        await store.open()
        try:
            groups = [str(row[0]) for row in _rows(path, "SELECT meter FROM jackpot_meters ORDER BY 1")]
            said = {}
            for group in groups:
                meter, problems = await store.meter(group), await store.verify(group)
                said[group] = {"value": meter.value, "reserve": meter.reserve, "problems": list(problems)}
            return said
        finally:
            await store.close()

    return asyncio.run(look())


def snapshots(path: Path) -> list[int]:
    return [int(row[0]) for row in _rows(path, "SELECT seq FROM snapshot ORDER BY seq")]


def _rows(path: Path, sql: str) -> list[Any]:
    database = sqlite3.connect(path)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def _ended(r: Round) -> Json:
    said: Json = {"outcome": r.outcome, "lines": [_line(line) for line in r.lines]}
    if r.meter_after is not None:
        said["meter"] = r.meter_after
    if (hand := hand_in(r)) is not None:
        said["pots"] = [[pot.amount, list(pot.eligible), pot.won, pot.rake] for pot in hand.pots]
        said["returned"] = hand.returned
        said["rake"] = hand.rake
    return said


def _line(line: Line) -> list[Any]:
    return [line.place, line.spot, line.stake, line.result, line.net, line.prize]


def _now(t: Table) -> Json:
    said: Json = {
        "game": t.game,
        "open": t.open,
        "number": t.number,
        "seats": t.seats,
        "meter": t.jackpot.meter,
        "registered": t.jackpot.registered,
        "numbered": t.jackpot.numbered,
        "told": t.jackpot.recorded,
        "faults": {device: sorted(codes) for device, codes in t.faults.items()},
    }
    if (room := room_in(t)) is not None:
        said |= {"stakes": room.stakes, "slide": room.slide, "dropped": room.dropped}
    if (r := t.round) is not None and not r.outcome:
        said["wagers"] = {" ".join(at): amount for at, amount in r.wagers.items()}
        dealt = r.play.read(HouseRound)
        said["cards"] = [drawn.card for drawn in dealt.tape] if dealt is not None else []
        if (hand := hand_in(r)) is None:
            felt = lay_out(t, r, house_game(t.game))
            said["hands"] = {place: list(cards) for place, cards in felt.hands.items()}
        else:
            said |= {"hands": hand.cards, "board": hand.board, "paid": hand.paid, "turn": hand.turn}
            said["bets"] = hand.betting.bets if hand.betting is not None else {}
    return said
