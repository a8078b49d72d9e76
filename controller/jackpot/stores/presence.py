"""Who takes part in a prize meter, as a floor sees it; and whether a store is one for tests."""

from __future__ import annotations

import msgspec

from controller.jackpot.stores.books import Books, text
from controller.jackpot.stores.store import Member

TESTS = "test-database"  # the setting that lets simulated tables in
_notices = msgspec.json.Decoder(dict[str, int])


async def announce(books: Books, group: str, table: str, notices: dict[str, int]) -> None:
    """The table is there, and its sign says this."""
    sql = "UPDATE jackpot_tables SET seen = ?, notices = ? WHERE meter = ? AND table_name = ?"
    await books.query(sql, (await books.now(), text(notices), group, table))


async def members(books: Books) -> list[Member]:
    """Every table that takes part now, by group and name."""
    sql = "SELECT meter, table_name, described, seen, notices FROM jackpot_tables WHERE present ORDER BY 1, 2"
    rows = await books.query(sql, ())
    now = await books.now()
    return [
        Member(group, table, words, seen, _notices.decode(signs), (now - seen) // 1_000_000)
        for group, table, words, seen, signs in rows
    ]


async def setting(books: Books, name: str) -> str:
    """What was written there; "" when nothing was."""
    rows = await books.query("SELECT value FROM jackpot_settings WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else ""
