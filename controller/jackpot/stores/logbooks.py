"""Logbooks in a store: lines that many tell, each once, in one order for all: that of the commits."""

from __future__ import annotations

from collections.abc import Sequence

from controller.jackpot.stores.books import Books
from controller.jackpot.stores.store import Appended, Logbook, LogLine, failed

PAGE = 1_000  # lines


async def open_logbook(books: Books, name: str, head: str) -> Logbook:
    """Opens a logbook; one that is there and begins with the same is that one, any other is a conflict."""
    opened = await _find(books, name)
    if opened is None:
        sql = "INSERT INTO logbooks VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING"  # somebody may be quicker
        await books.query(sql, (name, head, await books.now()))
        opened = await _find(books, name)
    if opened is None or opened.head != head:
        raise failed("logbook.conflict", f"there is another {name}")
    return opened


async def logbooks(books: Books) -> list[Logbook]:
    """Returns all logbooks, the newest first."""
    sql = "SELECT logbook, head, opened_at, last FROM logbooks ORDER BY opened_at DESC, logbook"
    return [Logbook(*row) for row in await books.query(sql, ())]


async def lines(books: Books, name: str, after: int = 0) -> list[LogLine]:
    """Returns the lines after this one, a page of them at a time; [] at the end."""
    sql = "SELECT seq, name, recorded_at, line FROM logbook_lines WHERE logbook = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [LogLine(*row) for row in await books.query(sql, (name, after, PAGE))]


async def append(books: Books, logbook: str, after: int, name: str, line: str) -> Appended:
    """Writes a line behind the one of this number, which must be the newest that its teller knows."""
    rows = await books.query(f"SELECT last FROM logbooks WHERE logbook = ?{books.for_update}", (logbook,))
    if not rows:
        raise failed("logbook.unknown", f"there is no {logbook}")
    last = int(rows[0][0])
    known = await books.query("SELECT seq FROM logbook_lines WHERE logbook = ? AND name = ?", (logbook, name))
    if known:
        return Appended(last, int(known[0][0]))
    if last != after:
        return Appended(last, 0)
    row: Sequence[object] = (logbook, last + 1, name, await books.now(), line)
    await books.query("INSERT INTO logbook_lines VALUES (?, ?, ?, ?, ?)", row)
    await books.query("UPDATE logbooks SET last = ? WHERE logbook = ?", (last + 1, logbook))
    return Appended(last + 1, last + 1)


async def _find(books: Books, name: str) -> Logbook | None:
    rows = await books.query("SELECT logbook, head, opened_at, last FROM logbooks WHERE logbook = ?", (name,))
    return Logbook(*rows[0]) if rows else None
