"""The chain of a meter's ledger as the store keeps it: read for a check, and made once for older entries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

import msgspec
import structlog

from controller.jackpot.audit import MOST_NAMED, Audit
from controller.jackpot.chain import ChainCheck, EntryRow, entry_hash, lines_hash, mark_of
from controller.jackpot.marks import LedgerMark
from controller.jackpot.stores.books import M_LINE, PAGE, WITHIN, Books, Row, posting_of, with_numbers
from controller.jackpot.stores.store import failed

log = structlog.get_logger()

ENTRY = "seq, table_name, first_number, size, recorded_at, holds, awarded"
E_ENTRY = "e." + ENTRY.replace(", ", ", e.")
CHAINED = "chained:"  # the setting that says how many entries of a meter were there before there was a chain
CHECKPOINTS = 10  # of which a check asks
_WIDTH = len(ENTRY.split(", "))


class EntryRows(msgspec.Struct, frozen=True):
    """One entry of the ledger with its movements, as their rows say."""

    entry: EntryRow
    hash: str
    lines: tuple[Row, ...]


async def pages(books: Books, group: str, after: int, until: int) -> list[EntryRows]:
    """Returns the next entries of a ledger, so many at a time; an entry all of whose movements are gone has none."""
    wanted = "SELECT * FROM jackpot_entries WHERE meter = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
    sql = f"SELECT {E_ENTRY}, e.hash, {M_LINE} FROM ({wanted}) AS e LEFT JOIN jackpot_movements AS m {WITHIN}"
    rows = await books.query(f"{sql} ORDER BY e.seq, m.number", (group, after, until, PAGE))
    return [_page(list(lines)) for _, lines in groupby(rows, itemgetter(0))]


def _page(rows: Sequence[Row]) -> EntryRows:
    seq, table, first, size, at, holds, awarded, hashed = rows[0][: _WIDTH + 1]
    if not all(isinstance(each, int) for each in (seq, first, size, at, holds)):
        raise failed("jackpot.corrupt", f"entry {seq} of the ledger has no number where one belongs")
    lines = tuple(with_numbers(row[_WIDTH + 1 :]) for row in rows if row[_WIDTH + 2] is not None)
    return EntryRows(EntryRow(seq, table, first, size, at, holds, bool(awarded)), str(hashed), lines)


class LedgerCheck:
    """Applies every movement of a meter once more and follows its chain, page by page."""

    def __init__(self, audit: Audit, lasts: dict[str, int], chain: ChainCheck) -> None:
        self._audit, self._lasts, self.chain = audit, lasts, chain
        self.seq, self.until = 0, audit.meter.recorded

    @classmethod
    async def begin(cls, group: str, evidence: Sequence[LedgerMark], books: Books) -> LedgerCheck:
        """Returns a check of the ledger up to the newest entry of this moment."""
        audit, lasts = await books.audit(group)
        return cls(audit, lasts, ChainCheck(group, await books.genesis(group), evidence))

    def follow(self, page: EntryRows) -> None:
        """Takes in the next entry."""
        self.chain.follow(page.entry, lines_hash(page.lines), page.hash)
        after = page.entry.holds - sum(line[7] for line in page.lines)
        for line in page.lines:
            after += line[7]
            seq = page.entry.seq + line[1] - page.entry.first_number
            self._audit.post(posting_of(line, seq, page.entry.recorded_at, after))
        self.seq = page.entry.seq

    def done(self) -> list[str]:
        """Returns everything that does not fit, in words."""
        recorded = {table: last for table, last in self._audit.last.items() if table}
        if recorded != self._lasts:
            self._audit.say(f"the tables told {recorded}, and {self._lasts} is kept")
        links = self.chain.done()
        return [*self._audit.done()[: MOST_NAMED - len(links)], *links]


async def chain_older_entries(books: Books) -> dict[str, int]:
    """Chains the entries of a store that had no chain yet; returns how many of each meter, and leaves a word of it."""
    chained: dict[str, int] = {}
    for (group,) in await books.query("SELECT meter FROM jackpot_meters ORDER BY meter", ()):
        head, seq, count = await books.genesis(group), 0, 0
        while page := await pages(books, group, seq, 2**62):
            for each in page:
                head, seq, count = entry_hash(head, each.entry, lines_hash(each.lines)), each.entry.seq, count + 1
                await books.query("UPDATE jackpot_entries SET hash = ? WHERE meter = ? AND seq = ?", (head, group, seq))
        if count:
            chained[group] = count
            await books.query("INSERT INTO jackpot_settings VALUES (?, ?)", (CHAINED + group, str(count)))
    return chained


async def keep_checkpoint(books: Books, group: str, table: str, size: int, note: str) -> None:
    """Keeps a checkpoint; of the same entries one is enough."""
    row = (group, size, table, await books.now(), note)
    await books.query("INSERT INTO jackpot_checkpoints VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)


async def checkpoints(books: Books, group: str) -> list[str]:
    """Returns the newest checkpoints of a ledger, the newest first."""
    sql = "SELECT note FROM jackpot_checkpoints WHERE meter = ? ORDER BY size DESC, table_name LIMIT ?"
    notes = [str(note) for (note,) in await books.query(sql, (group, CHECKPOINTS))]
    try:
        for note in notes:
            mark_of(note)
    except ValueError as bad:
        raise failed("jackpot.corrupt", f"{group}: a checkpoint of its ledger cannot be read: {bad}") from bad
    return notes


def tell_chained(chained: dict[str, int]) -> None:
    """Says in the log what an update has chained."""
    for group, count in chained.items():
        log.warning("jackpot.chained", group=group, entries=count)
