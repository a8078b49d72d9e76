"""Which tables take part in a prize meter, as a floor sees it; and whether a store is one for tests."""

from __future__ import annotations

import msgspec

from controller.jackpot.stores.books import Books, text
from controller.jackpot.stores.store import Member

TESTS = "test-database"  # the setting that lets simulated tables in
_notices = msgspec.json.Decoder(dict[str, int])


async def announce(books: Books, group: str, table: str, notices: dict[str, int]) -> None:
    """Records that the table is present, and what its sign announces."""
    sql = "UPDATE jackpot_tables SET seen = ?, notices = ? WHERE meter = ? AND table_name = ?"
    await books.query(sql, (await books.now(), text(notices), group, table))


async def members(books: Books) -> list[Member]:
    """Returns every table that takes part now, by group and name."""
    sql = "SELECT meter, table_name, described, seen, notices FROM jackpot_tables WHERE present ORDER BY 1, 2"
    rows = await books.query(sql, ())
    now = await books.now()
    return [
        Member(group, table, words, seen, _notices.decode(signs), (now - seen) // 1_000_000)
        for group, table, words, seen, signs in rows
    ]


async def setting(books: Books, name: str) -> str:
    """Returns a setting of the store; "" when nobody set it."""
    rows = await books.query("SELECT value FROM jackpot_settings WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else ""
