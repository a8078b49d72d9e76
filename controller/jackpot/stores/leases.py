"""The leases of tables in a store: one row of each table, in one transaction, by the store's clock."""

from __future__ import annotations

import msgspec

from controller.jackpot.lease import Holder, Lease, LeaseClaim, Verdict, contended, judge, taken
from controller.jackpot.stores.books import Books
from controller.jackpot.stores.store import Claimed

COLUMNS = "holder, renewed, contender, contended, contender_seen"
WHERE = "WHERE meter = ? AND table_name = ?"


async def claim(books: Books, group: str, table: str, wish: LeaseClaim) -> Claimed:
    """Lets a daemon speak for its table, or writes down that it wanted to; returns which, and who the other one is."""
    lease, now = await _lease(books, group, table), await books.now()
    verdict = judge(lease, wish, now)
    other = Holder.from_text(lease.holder)
    await _keep(books, group, table, (taken if verdict == "held" else contended)(lease, wish, now))
    return Claimed(verdict, None if verdict == "held" else other)


async def renew(books: Books, group: str, table: str, wish: LeaseClaim) -> Claimed:
    """Says that the holder still runs; returns which other daemon wanted to be it just now."""
    lease, now = await _lease(books, group, table), await books.now()
    verdict: Verdict = "held" if lease.holder == wish.holder.to_text() else "cloned"
    if verdict == "cloned":
        return Claimed(verdict, Holder.from_text(lease.holder))
    await books.query(f"UPDATE jackpot_tables SET renewed = ? {WHERE}", (now, group, table))
    return Claimed(verdict, lease.rival(now))


async def release(books: Books, group: str, table: str, wish: LeaseClaim) -> None:
    """Gives the lease back at a clean stop."""
    sql = f"UPDATE jackpot_tables SET holder = '' {WHERE} AND holder = ?"
    await books.query(sql, (group, table, wish.holder.to_text()))


async def _lease(books: Books, group: str, table: str) -> Lease:
    rows = await books.query(f"SELECT {COLUMNS} FROM jackpot_tables {WHERE}{books.for_update}", (group, table))
    return Lease(*rows[0]) if rows else Lease()


async def _keep(books: Books, group: str, table: str, lease: Lease) -> None:
    sets = " = ?, ".join(COLUMNS.split(", ")) + " = ?"
    values = msgspec.structs.astuple(lease)
    await books.query(f"UPDATE jackpot_tables SET {sets} {WHERE}", (*values, group, table))
