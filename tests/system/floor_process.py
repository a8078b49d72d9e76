"""Some tables of a floor in one process, each with a durable outbox; made to be killed at any moment.

`python -m tests.system.floor_process KIND DSN DIRECTORY FIRST COUNT ROUNDS`.  A `whole` table has its rules, journal
and meter synchronisation; a `bare` one, of which a small machine can run many more, only an outbox and the client of
the store.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import structlog

from controller.games import step
from controller.jackpot.ledger import Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.store import StoreError
from controller.journal.store import Journal
from controller.table.facts import AnyFact, Badge, CardOut, Chips, Key, Spot, decode
from controller.table.state import Table
from tests.service.kept import NOTHING, ROYAL, Kept

GROUP, TERMS, WORDS = "FLOOR", Terms("nsw", 1, 20_000, 500), "nsw 1 20000 5 A caribbean-stud"
PACE = 0.3  # seconds between the rounds of a table, at most


class Batch(msgspec.Struct, frozen=True):
    """A line of the outbox: what is told together."""

    round: int
    movements: list[Movement]


class Outbox:
    """A file that only grows: on the disk before anybody is told, and told again after a restart."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.batches = read(path)
        self._file = path.open("r+b" if path.exists() else "wb", buffering=0)
        self._file.seek(len(b"".join(map(_line, self.batches))))
        self._file.truncate()  # half a line of the process before

    def add(self, batch: Batch) -> None:
        self._file.write(_line(batch))
        os.fdatasync(self._file.fileno())
        self.batches.append(batch)


def read(path: Path) -> list[Batch]:
    """All whole lines."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [msgspec.json.decode(line, type=Batch) for line in lines]


def _line(batch: Batch) -> bytes:
    return msgspec.json.encode(batch) + b"\n"


def plan(table: str, last: int, number: int) -> Batch:
    """What happens in a round: the same after every restart."""
    chance = random.Random(f"{table} {number}")
    places = chance.sample("1234567", chance.randint(1, 5))
    told: list[tuple[str, str, int, tuple[tuple[str, str], ...]]] = [
        ("contribution", place, TERMS.increment, ()) for place in places
    ]
    if chance.random() < 0.06:  # cancelled and registered again
        told += [("reversal", places[0], TERMS.increment, ()), ("contribution", places[0], TERMS.increment, ())]
    if chance.random() < 0.06:
        hand = chance.choice(["ROYAL_FLUSH", "STRAIGHT_FLUSH", "STRAIGHT_FLUSH"])
        told.append(("outcome", "", 0, ((places[0], hand),)))
    if chance.random() < 0.03 and told[-1][0] == "outcome":
        told.append(("undo", "", 0, ()))
    return Batch(number, [Movement(last + i, number, *words) for i, words in enumerate(told, 1)])


async def play(dsn: str, directory: Path, table: str, rounds: int) -> None:
    """All rounds that are not played yet; everything of the last process's is told again first."""
    outbox, store = Outbox(directory / table), PostgresStore(dsn, deadline=8.0)
    await insist(store.open)
    await insist(lambda: store.join(GROUP, table, TERMS, WORDS))
    for batch in outbox.batches[-3:]:
        await insist(lambda batch=batch: store.record(GROUP, table, batch.movements))
    for number in range(len(outbox.batches) + 1, rounds + 1):
        await asyncio.sleep(random.uniform(0, PACE))
        last = outbox.batches[-1].movements[-1].number if outbox.batches else 0
        outbox.add(batch := plan(table, last, number))
        await insist(lambda batch=batch: store.record(GROUP, table, batch.movements))
    await store.close()


def _chips(**spots: int) -> Chips:
    return Chips(1, tuple(Spot(spot, 1, 100 * dollars) for spot, dollars in spots.items()))


WAGER = _chips(ante=10, jackpot=5)


def script(table: str, rounds: int) -> list[AnyFact]:
    """All that happens at a whole table."""
    chance, deeds = random.Random(table), list[AnyFact]()
    for _ in range(rounds):
        cards = ROYAL if chance.random() < 0.15 else NOTHING
        deeds += [Badge("dealer"), WAGER, Key("no-more-bets")]
        deeds += [CardOut(card) for card in cards.split()]
        deeds += [_chips(bet=20), Key("settle"), Badge("casino-manager"), Key("confirm-jackpot")]
    return deeds


async def play_whole(dsn: str, directory: Path, table: str, rounds: int) -> None:
    """Goes on where the journal ends, in the middle of a round if need be."""
    store = PostgresStore(dsn, deadline=8.0)
    async with Kept(directory, store, table, ready=False, jackpot_group=GROUP) as kept:
        deeds = script(table, rounds)
        done = sum(type(fact) in {type(deed) for deed in deeds} for fact in facts_of(kept.journal))
        for deed in deeds[done:]:
            while deed == WAGER and (kept.meter_sync.faults() or not kept.game.joined):  # noqa: ASYNC110
                await asyncio.sleep(0.02)  # no Jackpot wager is taken now
            await kept.tell(deed)
            await asyncio.sleep(random.uniform(0, PACE / 5))
        while kept.game.outbox:  # noqa: ASYNC110 - whatever happens to the server
            await asyncio.sleep(0.05)


def facts_of(journal: Journal) -> Iterator[AnyFact]:
    return (decode(record.payload) for record in journal.iterate())


def written(path: Path) -> list[Movement]:
    """Everything that a whole table ever put into its outbox, by its journal."""
    journal, table, found = Journal.open(path, table=path.stem), Table(), dict[int, Movement]()
    for record in journal.iterate():
        table, _ = step(table, record.seq, record.at_us, decode(record.payload))
        found |= {m.number: m for m in table.jackpot.outbox}
    journal.close()
    return list(found.values())


async def insist(call: object) -> None:
    """Until the server answers."""
    while True:
        try:
            await call()  # type: ignore[operator]
            return
        except StoreError as bad:
            if bad.code != "jackpot.unreachable":
                raise
            await asyncio.sleep(random.uniform(0.05, 0.2))


async def main(kind: str, dsn: str, directory: str, first: str, count: str, rounds: str) -> None:
    play_one = play_whole if kind == "whole" else play
    async with asyncio.TaskGroup() as group:
        for table in range(int(first), int(first) + int(count)):
            group.create_task(play_one(dsn, Path(directory), f"{kind}{table:03}", int(rounds)))


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    asyncio.run(main(*sys.argv[1:]))
