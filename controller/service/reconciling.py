"""Compares what tables' journals say they told their prize meter with what its ledger says it was told.

A journal has the facts; what was told follows from them, so the journal is followed once more from its first record.
Every movement must be on both sides, once, with the same content, to the ten-thousandth of a dollar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from controller.jackpot.ledger import CONTRIBUTION, Movement, Posting
from controller.jackpot.rules import Award
from controller.jackpot.stores.store import MeterStore
from controller.journal.store import Journal
from controller.service.follower import Follower
from controller.table import facts
from controller.table.facts import MeterTold
from controller.table.state import Table
from controller.views.meters import amount

MOST_NAMED: Final = 20
ANSWER: Final = b"meter-told"  # in the payload of such a fact
EVERY: Final = 1_000  # records between two words on how far it is
Side = Literal["journal.behind", "jackpot.behind", "jackpot.conflict", "jackpot.rewritten"]


class Mismatch(msgspec.Struct, frozen=True):
    """What does not agree: who went back, or that they say different things."""

    code: Side
    table: str
    text: str


class OwnMovements(msgspec.Struct):
    """What a journal says that it told one meter."""

    movements: dict[int, Movement] = {}
    recorded: int = 0  # the last one that the meter acknowledged
    awards: dict[int, Award] = {}
    heads: dict[int, str] = {}  # of the ledger, by the number of its last movement then


class Reconciled(msgspec.Struct, frozen=True):
    """One table's part of the comparison; money in ten-thousandths of a dollar."""

    table: str
    movements: int  # in the ledger
    journal: int  # what its wagers added, by the journal
    ledger: int  # and by the ledger
    waiting: int  # movements that are on their way


def movements_by(
    journal: Journal, progress: Callable[[int, int], None] = lambda done, all_: None
) -> dict[str, OwnMovements]:
    """Returns what a journal says that it told each meter, by the meter's name; follows it from the first record.

    Raises FeltError where nobody can follow it: a game or the key of a card is missing.
    """
    follower, meters, end = Follower(), dict[str, OwnMovements](), journal.head.seq
    for record in journal.iterate(1):
        follower.retell(record)
        if follower.defect is not None:
            raise follower.defect
        game = follower.table.jackpot
        if game.outbox:
            own = _of(meters, journal.table, follower.table)
            own.movements.update({m.number: m for m in game.outbox})
        if ANSWER in record.payload and isinstance(fact := facts.decode(record.payload), MeterTold):
            _answered(_of(meters, journal.table, follower.table), fact)
        if record.seq % EVERY == 0:
            progress(record.seq, end)
    return meters


def _of(meters: dict[str, OwnMovements], name: str, table: Table) -> OwnMovements:
    return meters.setdefault(table.options.typed.group or name, OwnMovements())


def _answered(own: OwnMovements, fact: MeterTold) -> None:
    own.recorded = max(own.recorded, fact.last)
    own.awards.update(fact.awards)
    seq, head = fact.ledger
    if head:
        own.heads[seq] = head


async def reconcile(
    store: MeterStore, meter: str, journals: Mapping[str, OwnMovements]
) -> tuple[list[Reconciled], list[Mismatch], list[str]]:
    """Compares a meter's ledger with what these tables' journals told it.

    Returns each table's part, what does not agree, and which tables of the ledger no journal was given of.
    """
    ledger: dict[str, dict[int, Posting]] = {}
    seq = 0
    while page := await store.ledger(meter, seq):
        for posting in page:
            ledger.setdefault(posting.table, {})[posting.movement.number] = posting
        seq = page[-1].seq
    findings: list[Mismatch] = []
    for table, own in journals.items():
        findings += _differences(table, own, ledger.get(table, {}))
        findings += [
            Mismatch(
                "jackpot.rewritten", table, f"movement {at} of the ledger does not end with the hash that was told"
            )
            for at, head in own.heads.items()
            if at <= seq and await store.hash_at(meter, at) != head
        ]
        if own.heads and max(own.heads) > seq:
            text = f"the ledger had {max(own.heads)} movements when it was heard, and has {seq}"
            findings.append(Mismatch("jackpot.behind", table, text))
    parts = [_part(table, own, ledger.get(table, {})) for table, own in journals.items()]
    return parts, findings[:MOST_NAMED], sorted(set(ledger) - set(journals) - {""})


async def reconciled(store: MeterStore, meter: str, journals: Mapping[str, OwnMovements]) -> dict[str, Any]:
    """Returns the same comparison as plain data, for people and programs."""
    parts, findings, others = await reconcile(store, meter, journals)
    tables = [
        {
            "table": part.table,
            "movements": part.movements,
            "journal": amount(part.journal),
            "ledger": amount(part.ledger),
            "waiting": part.waiting,
        }
        for part in parts
    ]
    named = [{"code": each.code, "table": each.table, "text": each.text} for each in findings]
    return {"group": meter, "ok": not findings, "tables": tables, "findings": named, "without_journal": others}


def _differences(table: str, own: OwnMovements, ledger: Mapping[int, Posting]) -> Iterator[Mismatch]:
    """Yields what the journal and the ledger do not agree on."""
    for number in sorted(own.movements.keys() | ledger.keys()):
        movement, posting = own.movements.get(number), ledger.get(number)
        if posting is None:
            if number <= own.recorded:
                yield Mismatch("jackpot.behind", table, f"movement {number} was acknowledged, and the ledger lacks it")
        elif movement is None:
            yield Mismatch("journal.behind", table, f"the ledger has movement {number}, and the journal lacks it")
        elif posting.movement != movement:
            yield Mismatch("jackpot.conflict", table, f"movement {number} is another one in the ledger")
        elif number in own.awards and own.awards[number] != posting.award:
            yield Mismatch("jackpot.conflict", table, f"the prizes of movement {number} are others in the ledger")


def _part(table: str, own: OwnMovements, ledger: Mapping[int, Posting]) -> Reconciled:
    waiting = sum(number not in ledger for number in own.movements if number > own.recorded)
    in_both = (m for m in own.movements.values() if m.number in ledger)
    return Reconciled(table, len(ledger), _added(in_both), _added(p.movement for p in ledger.values()), waiting)


def _added(movements: Iterable[Movement]) -> int:
    return sum(m.ticks for m in movements if m.kind == CONTRIBUTION)
