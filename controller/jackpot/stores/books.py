"""What both stores do inside one transaction, in SQL that both understand.

The functions are coroutines: PostgreSQL answers later.  SQLite answers at once, so its thread runs them to their end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from controller.counts import many
from controller.jackpot.audit import Audit, unlinked
from controller.jackpot.chain import EntryRow, entry_hash, genesis, lines_hash
from controller.jackpot.lease import CLONED
from controller.jackpot.ledger import (
    ADJUSTMENT,
    CLOSING,
    CONTRIBUTION,
    OF_TABLES,
    OUTCOME,
    REFILL,
    REVERSAL,
    TERMS,
    TRANSFER,
    UNDO,
    Hit,
    LedgerError,
    Meter,
    Movement,
    Note,
    Posting,
    apply,
    began_anew,
    by_people,
    handed_on,
    hits_of,
    opened,
)
from controller.jackpot.linking import CLOSED, System
from controller.jackpot.rules import CENT, Award, Terms, misprints, surplus
from controller.jackpot.stores.store import Recorded, failed

Row = tuple[Any, ...]
Query = Callable[[str, Sequence[object]], Awaitable[list[Row]]]  # parameters are written ?

METER = (
    "meter, terms, value, startup, ceiling, spare, reserve, cap, wagers, contributions, reversals, overflow, hits,"
    " wins, house, adjustments, transfers, recorded, closed"
)
LINE = "table_name, number, round, kind, wager, ticks, flushes, moved, overflow, award, repeated, note"
M_LINE = "m." + LINE.replace(", ", ", m.")
WITHIN = (
    "ON m.meter = e.meter AND m.table_name = e.table_name"
    " AND m.number >= e.first_number AND m.number < e.first_number + e.size"
)
PAGE = 2_000  # entries
NEWEST = 100  # entries for a glance
NAMES = METER.split(", ")
_json = msgspec.json.Encoder()
_terms = msgspec.json.Decoder(Terms)
_award = msgspec.json.Decoder(Award)
_note = msgspec.json.Decoder(Note)
_flushes = msgspec.json.Decoder(tuple[tuple[str, str], ...])


def text(value: object) -> str:
    """Returns a value as JSON, as it stands in a column."""
    return _json.encode(value).decode()


def terms_of(group: str, column: str) -> Terms:
    """Returns the terms in a column; raises jackpot.corrupt when they cannot be read, or no document has them."""
    try:
        terms = _terms.decode(column)
    except (msgspec.MsgspecError, TypeError) as bad:
        raise failed("jackpot.corrupt", f"the meter {group} cannot be read: {bad}") from bad
    for _, why in misprints(terms.kind, terms.option, terms.reset * CENT, None):
        raise failed("jackpot.corrupt", f"the meter {group} has terms that no document has: {why}")
    return terms


def meter_of(row: Row, sound: bool = True) -> Meter:
    """Returns the meter of a row of METER. One that does not add up raises jackpot.corrupt, unless `sound` is false."""
    try:
        fields = dict(zip(NAMES[2:], row[2:], strict=True))
        meter = Meter(group=row[0], terms=terms_of(row[0], row[1]), **{**fields, "closed": bool(fields["closed"])})
        wrong = meter.wrong() if sound else ""
    except (msgspec.MsgspecError, TypeError) as bad:
        raise failed("jackpot.corrupt", f"the meter {row[0]} cannot be read: {bad}") from bad
    if wrong:
        raise failed("jackpot.corrupt", f"{row[0]}: {wrong}")
    return meter


def with_numbers(row: Row, *beside: object) -> Row:
    """Returns a row of LINE; raises jackpot.corrupt when it, or what stands beside it, lacks a number."""
    table, number, round_, _, _, ticks, _, moved, overflow, *_ = row
    if not all(isinstance(each, int) for each in (number, round_, ticks, moved, overflow, *beside)):
        raise failed("jackpot.corrupt", f"movement {number} of {table or 'people'} has no number where one belongs")
    return row


def posting_of(row: Row, seq: int = 0, when: int = 0, after: int = 0) -> Posting:
    """Returns the posting of a row of LINE.

    Where and when it was recorded is known to its entry alone, so the caller gives it.
    """
    with_numbers(row, seq, when, after)
    table, number, round_, kind, wager, ticks, flushes, moved, overflow, award, repeated, note = row
    try:
        movement = Movement(number, round_, kind, wager, ticks, _flushes.decode(flushes))
        prizes = None if award is None else _award.decode(award)
        remark = None if note is None else _note.decode(note)
    except (msgspec.MsgspecError, TypeError) as bad:
        name = f"movement {number} of {table or 'people'}"
        raise failed("jackpot.corrupt", f"{name} cannot be read: {bad}") from bad
    return Posting(seq, table, movement, when, after, moved, overflow, prizes, bool(repeated), remark)


class Books:
    """The tables of a store, within one transaction."""

    def __init__(self, query: Query, now: Callable[[], Awaitable[int]], for_update: str = "") -> None:
        self.query, self.now, self.for_update = query, now, for_update
        self._when: int | None = None  # of this transaction, once it has the lock
        self._fresh: dict[tuple[str, int], int] = {}  # what it wrote: table and number -> seq
        self._won: dict[tuple[str, int], int] = {}  # of that, prizes that emptied the meter: table and round -> seq
        self._written: list[Row] = []  # what it wrote since its last entry, as rows of LINE

    async def meter(self, group: str, lock: bool = False, sound: bool = True) -> Meter:
        """Returns the meter as it is now; with `lock`, locked for the rest of the transaction."""
        sql = f"SELECT {METER} FROM jackpot_meters WHERE meter = ?{self.for_update if lock else ''}"
        rows = await self.query(sql, (group,))
        if not rows:
            raise failed("jackpot.unknown", f"there is no prize meter system {group}")
        return meter_of(rows[0], sound)

    async def last(self, group: str, table: str, holder: str | None = None) -> int | None:
        """Returns the highest number known of a table that takes part, or None.

        Locks the table, always before its meter.  With a `holder`, only that daemon may speak for the table.
        """
        sql = f"SELECT last, holder FROM jackpot_tables WHERE meter = ? AND table_name = ? AND present{self.for_update}"
        rows = await self.query(sql, (group, table))
        if rows and holder is not None and rows[0][1] != holder:
            raise failed(CLONED, f"another daemon speaks for {table}")
        return int(rows[0][0]) if rows else None

    async def already_recorded(self, group: str, table: str, first: int, last: int) -> dict[int, Posting]:
        """Returns the movements of a table that are recorded already, by number."""
        where = "meter = ? AND table_name = ? AND number >= ? AND number <= ?"
        rows = await self.query(f"SELECT {LINE} FROM jackpot_movements WHERE {where}", (group, table, first, last))
        return {p.movement.number: p for p in map(posting_of, rows)}

    async def earlier(self, group: str, table: str, m: Movement) -> Posting | None:
        """Returns the posting that still stands of the same table, round and wager, or None."""
        kind = OUTCOME if m.kind in (OUTCOME, UNDO) else CONTRIBUTION
        where = "meter = ? AND table_name = ? AND round = ? AND wager = ? AND kind = ? AND standing"
        sql = f"SELECT {LINE} FROM jackpot_movements WHERE {where}"
        rows = await self.query(sql, (group, table, m.round, m.wager, kind))
        return posting_of(rows[0]) if rows else None

    async def post(self, meter: Meter, table: str, m: Movement, note: Note | None = None) -> tuple[Meter, Posting]:
        """Applies a movement and writes it down; `enter` and `save` come after the last."""
        earlier = await self.earlier(meter.group, table, m) if m.kind in OF_TABLES else None
        if self._when is None:
            self._when = await self.now()
        reset = m.kind == REVERSAL and earlier is not None and await self._reset_since(meter, earlier)
        try:
            meter, p = apply(meter, table, m, self._when, earlier, note, reset)
        except LedgerError as bad:
            raise failed(bad.code, bad.cause) from bad
        if m.kind in (REVERSAL, UNDO) and earlier is not None:
            sql = "UPDATE jackpot_movements SET standing = ? WHERE meter = ? AND table_name = ? AND number = ?"
            await self.query(sql, (False, meter.group, table, earlier.movement.number))
        standing = m.kind in (CONTRIBUTION, OUTCOME) and not p.repeat
        row = (
            *(meter.group, table, m.number, m.round, m.kind, m.wager, m.ticks, text(m.flushes), p.moved, p.overflow),
            *(p.award and text(p.award), p.repeat, note and text(note), standing),
        )
        marks = ", ".join("?" * len(row))
        await self.query(f"INSERT INTO jackpot_movements (meter, {LINE}, standing) VALUES ({marks})", row)
        self._written.append(row[1:-1])
        self._fresh[table, m.number] = p.seq
        if began_anew(meter, p):
            self._won[table, m.round] = p.seq
        elif m.kind == UNDO:
            self._won.pop((table, m.round), None)
        return meter, p

    async def _reset_since(self, meter: Meter, earlier: Posting) -> bool:
        """Tells whether a prize that still stands has emptied the meter since a wager was recorded."""
        at = self._fresh.get((earlier.table, earlier.movement.number))
        if at is not None or self._won:
            return any(seq > (at or 0) for seq in self._won.values())
        number, group = earlier.movement.number, meter.group
        wanted = "SELECT * FROM jackpot_entries WHERE meter = ? AND awarded ORDER BY seq DESC LIMIT ?"
        seq = "e.seq + m.number - e.first_number"
        sql = f"SELECT {M_LINE}, {seq} FROM ({wanted}) AS e JOIN jackpot_movements AS m {WITHIN}"
        rows = await self.query(f"{sql} WHERE m.award IS NOT NULL AND m.standing", (group, NEWEST))
        resets = [row[-1] for row in rows if began_anew(meter, posting_of(row[:-1]))]
        if not resets:
            return False
        entry = "meter = ? AND table_name = ? AND first_number <= ? AND first_number + size > ?"
        sql = f"SELECT seq - first_number FROM jackpot_entries WHERE {entry} ORDER BY seq DESC LIMIT 1"
        ((first,),) = await self.query(sql, (group, earlier.table, number, number))
        return int(max(resets)) > int(first) + number

    async def enter(self, group: str, postings: Sequence[Posting]) -> str:
        """Writes the entry of postings that were recorded together, chained to the one before; returns its hash."""
        first, last = postings[0], postings[-1]
        awarded = any(p.award is not None for p in postings)
        entry = EntryRow(first.seq, first.table, first.movement.number, len(postings), last.when, last.after, awarded)
        before = await self.hash_at(group, first.seq - 1)
        if before is None:
            raise failed("jackpot.corrupt", f"{group}: no entry of its ledger ends at movement {first.seq - 1}")
        hashed = entry_hash(before, entry, lines_hash(self._written))
        self._written.clear()
        row = (group, *msgspec.structs.astuple(entry), hashed)
        await self.query("INSERT INTO jackpot_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return hashed

    async def hash_at(self, group: str, seq: int) -> str | None:
        """Returns the hash of the entry that ends with this movement of a meter; None when no entry ends there."""
        if not seq:
            return await self.genesis(group)
        sql = "SELECT seq + size - 1, hash FROM jackpot_entries WHERE meter = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        rows = await self.query(sql, (group, seq))
        return str(rows[0][1]) if rows and int(rows[0][0]) == seq else None

    async def genesis(self, group: str) -> str:
        """Returns the hash on which the first entry of a meter stands."""
        sql = "SELECT meter, first_terms, startup, ceiling, spare FROM jackpot_meters WHERE meter = ?"
        ((meter, terms, startup, ceiling, spare),) = await self.query(sql, (group,))
        return genesis(meter, terms, startup, ceiling, spare)

    async def save(self, meter: Meter) -> Meter:
        """Writes the meter, after checking that it adds up, and returns it."""
        if wrong := meter.wrong():
            raise failed("jackpot.corrupt", f"{meter.group}: {wrong}")
        sets = ", ".join(f"{name} = ?" for name in NAMES[1:])
        values = (text(meter.terms), *(getattr(meter, name) for name in NAMES[2:]))
        await self.query(f"UPDATE jackpot_meters SET {sets} WHERE meter = ?", (*values, meter.group))
        return meter

    # ---- tables

    async def meet(self, group: str, terms: Terms, ceiling: int | None, spare: int) -> None:
        """Creates the meter if there is none; otherwise checks that it is as this table expects it."""
        _must(bool(group), "a group has a name")
        fresh = opened(group, terms, ceiling, spare)
        values = (text(terms), text(terms), *(getattr(fresh, name) for name in NAMES[2:]))
        marks = ", ".join("?" * (len(NAMES) + 1))
        sql = f"INSERT INTO jackpot_meters (meter, terms, first_terms, {', '.join(NAMES[2:])}) VALUES ({marks})"
        await self.query(f"{sql} ON CONFLICT DO NOTHING", (group, *values))
        meter = await self.meter(group)
        if meter.closed:
            raise failed("jackpot.closed", f"the prize meter system {group} is closed")
        if meter.terms != terms:
            raise failed("jackpot.differs", f"{group} has {text(meter.terms)}, this table {text(terms)}")
        if ceiling is not None and meter.ceiling != ceiling:
            raise failed("jackpot.differs", f"{group} has the ceiling {meter.ceiling}, this table {ceiling}")

    async def join(self, group: str, table: str, described: str, known_to_table: int, teller: str) -> Recorded:
        """Marks a table as taking part, and returns the meter with the last number recorded of this table."""
        _must(bool(table), "a table has a name")
        sql = "INSERT INTO jackpot_tables (meter, table_name, described, present, last) VALUES (?, ?, ?, ?, 0)"
        update = "ON CONFLICT (meter, table_name) DO UPDATE SET described = excluded.described, present = ?"
        await self.query(f"{sql} {update}", (group, table, described, True, True))
        last = await self.last(group, table) or 0
        await self._teller(group, table, teller)
        if known_to_table > last:
            raise failed(
                "jackpot.behind",
                f"{group} knows {many(last, 'movement')} of {table}, which was told of {known_to_table}",
            )
        meter = await self.meter(group)
        return Recorded(meter, last, head=await self.hash_at(group, meter.recorded) or "")

    async def _teller(self, group: str, table: str, teller: str) -> None:
        """Checks that the same journal speaks for this table as before.

        Two journals under one name would count as each other: the second one's wagers would be taken for repeats.
        """
        where = "WHERE meter = ? AND table_name = ?"
        ((known,),) = await self.query(f"SELECT teller FROM jackpot_tables {where}", (group, table))
        if known and teller and known != teller:
            raise failed("jackpot.conflict", f"another table or another journal tells {group} as {table}")
        if teller and not known:
            await self.query(f"UPDATE jackpot_tables SET teller = ? {where}", (teller, group, table))

    async def leave(self, group: str, table: str) -> None:
        """Marks a table as taking part no more; what it recorded stays."""
        sql = "UPDATE jackpot_tables SET present = ? WHERE meter = ? AND table_name = ?"
        await self.query(sql, (False, group, table))

    async def record(self, group: str, table: str, movements: Sequence[Movement], holder: str = "") -> Recorded:
        """Records all of these movements, in their order; those that are known are compared and dropped."""
        last, numbers = await self.last(group, table, holder), [m.number for m in movements]
        news = last is not None and any(number > last for number in numbers)
        meter = await self.meter(group, lock=news)  # what is only told again keeps nobody waiting
        if last is None:
            raise failed("jackpot.unknown", f"{table} takes no part in {group}")
        old = await self.already_recorded(group, table, numbers[0], last) if numbers and numbers[0] <= last else {}
        awards: dict[int, Award] = {}
        new: list[Posting] = []
        for m in movements:
            if m.kind not in OF_TABLES:
                raise failed("jackpot.refused", f"a table makes no {m.kind}")
            if m.number <= last:
                known = old.get(m.number)
                if known is None or known.movement != m:
                    raise failed("jackpot.conflict", f"{table} told something else as number {m.number}")
                posting = known
            elif m.number == last + 1:
                meter, posting = await self.post(meter, table, m)
                new.append(posting)
                last = m.number
            else:
                raise failed("jackpot.gap", f"{table} told number {m.number} after {last}")
            if posting.award is not None:
                awards[m.number] = posting.award
        repeats = tuple(n for n in numbers if n in old)
        if new:
            head: str | None = await self.enter(group, new)
            await self.save(meter)
            sql = "UPDATE jackpot_tables SET last = ? WHERE meter = ? AND table_name = ?"
            await self.query(sql, (last, group, table))
        else:
            head = await self.hash_at(group, meter.recorded)
        return Recorded(meter, last, awards, repeats, head or "")

    # ---- people

    async def _people(self, meter: Meter, kind: str, ticks: int, note: Note) -> Meter:
        one, other = (name.strip().casefold() for name in note.by)
        if not one or not other or one == other or not note.reason.strip():
            raise failed("jackpot.people", "this needs two different people and a reason")
        meter, posting = await self.post(meter, "", by_people(meter, kind, ticks), note)
        await self.enter(meter.group, [posting])
        return meter

    async def adjust(self, group: str, ticks: int, note: Note) -> Meter:
        """Records a correction. A meter that does not add up gets none: it would hide how it came to that."""
        meter = await self.meter(group, lock=True)
        if problems := await self.glance(group, NEWEST):
            raise failed("jackpot.corrupt", f"{group}: {problems[0]}")
        meter = await self._people(meter, ADJUSTMENT, ticks, note)
        return await self.save(meter)

    async def change_terms(self, group: str, note: Note) -> Meter:
        """Records other terms; a Victorian meter is filled up to the new seed (003 9.3)."""
        meter = await self.meter(group, lock=True)
        if note.terms is None or note.terms.kind != meter.kind:
            raise failed("jackpot.refused", f"{group} follows the rules of {meter.kind}")
        meter = await self._people(meter, TERMS, 0, note)
        if meter.kind == "vic":
            meter = await self._people(meter, REFILL, 0, note)
        return await self.save(meter)

    async def transfer(self, source: str, shares: Mapping[str, int], note: Note, closing: bool) -> list[Meter]:
        """Moves money from one meter to others.

        They are locked in the order of their names.  For a meter that is closed it is the last deed.
        """
        meters = {name: await self.meter(name, lock=True) for name in sorted({source, *shares})}
        meter = meters[source]
        if closing:
            _must(not meter.closed, f"{source} is closed already")
            over, sent = handed_on(meter), sum(shares.values())
            _must(sent == over, f"{over} ten-thousandths are to be handed on, no more and no less; these are {sent}")
            meter = await self._people(meter, CLOSING, 0, note)
        for name, ticks in sorted(shares.items()):
            target = meters[name]
            _must(name != source and not target.closed and target.kind == meter.kind, f"{name} cannot take it")
            _must(0 < ticks <= surplus(meter.terms, meter.value), f"{source} cannot spare {ticks}")
            given, taken = msgspec.structs.replace(note, other=name), msgspec.structs.replace(note, other=source)
            meter = await self._people(meter, TRANSFER, -ticks, given)
            target = await self._people(target, TRANSFER, ticks, taken)
            meters[name] = await self.save(target)
        meters[source] = await self.save(meter)
        return list(meters.values())

    # ---- readers

    async def meters(self) -> list[Meter]:
        """Returns all meters, by name."""
        return [meter_of(row) for row in await self.query(f"SELECT {METER} FROM jackpot_meters ORDER BY meter", ())]

    async def systems(self) -> dict[str, str]:
        """Returns each group in the words of `linking.described`, with the methods and games of all its tables."""
        rows = await self.query("SELECT meter, described FROM jackpot_tables WHERE present ORDER BY meter", ())
        known: dict[str, System] = {}
        for group, described in rows:
            system = System.read(str(described))
            if system is None:
                raise failed("jackpot.corrupt", f"a table of {group} is described as {str(described)[:80]!r}")
            known[group] = known[group].joined(system) if group in known else system
        closed = await self.query("SELECT meter FROM jackpot_meters WHERE closed", ())
        return {name: system.written() for name, system in known.items()} | {group: CLOSED for (group,) in closed}

    async def hits(self, group: str, last: int) -> list[Hit]:
        """Returns the newest prizes of a meter, the newest first."""
        await self.meter(group)
        wanted = "SELECT * FROM jackpot_entries WHERE meter = ? AND awarded ORDER BY seq DESC LIMIT ?"
        sql = f"SELECT {M_LINE}, e.recorded_at, m.standing FROM ({wanted}) AS e JOIN jackpot_movements AS m {WITHIN}"
        rows = await self.query(f"{sql} WHERE m.award IS NOT NULL ORDER BY e.seq DESC, m.number DESC", (group, last))
        by_award = [reversed(hits_of(posting_of(row[:-2], when=row[-2]), undone=not row[-1])) for row in rows]
        return [hit for hits in by_award for hit in hits][:last]

    async def audit(self, group: str) -> tuple[Audit, dict[str, int]]:
        """Returns an audit, to be fed with `page`, and the last number of each table, which must come out of it."""
        meter = await self.meter(group, lock=True, sound=False)
        rows = await self.query("SELECT first_terms FROM jackpot_meters WHERE meter = ?", (group,))
        lasts = await self.query("SELECT table_name, last FROM jackpot_tables WHERE meter = ? AND last > 0", (group,))
        return Audit(meter, terms_of(group, rows[0][0])), {str(table): int(last) for table, last in lasts}

    async def glance(self, group: str, newest: int) -> list[str]:
        """Returns what does not fit between the newest entries and the meter.

        No lock: what a meter counts is there, and stays.
        """
        meter = await self.meter(group, sound=False)
        wanted = "SELECT * FROM jackpot_entries WHERE meter = ? AND seq <= ? ORDER BY seq DESC LIMIT ?"
        return unlinked(meter, await self._lines(wanted, (group, meter.recorded, newest)))

    async def page(self, group: str, after: int, until: int) -> list[Posting]:
        """Returns the next page of the ledger."""
        wanted = "SELECT * FROM jackpot_entries WHERE meter = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        return await self._lines(wanted, (group, after, until, PAGE))

    async def _lines(self, entries: str, values: Sequence[object]) -> list[Posting]:
        """Returns the movements of these entries, in their order; each with what the meter held after it."""
        seq, rest = "e.seq + m.number - e.first_number", "sum(m.moved) OVER (PARTITION BY e.seq ORDER BY m.number DESC)"
        sql = f"SELECT {M_LINE}, {seq}, e.recorded_at, e.holds - CAST({rest} AS bigint) + m.moved FROM ({entries}) AS e"
        rows = await self.query(f"{sql} JOIN jackpot_movements AS m {WITHIN} ORDER BY e.seq, m.number", values)
        return [posting_of(row[:-3], *row[-3:]) for row in rows]


def _must(fits: bool, cause: str) -> None:
    if not fits:
        raise failed("jackpot.refused", cause)
