"""What one table of a system wins is announced at the others."""

from __future__ import annotations

from pathlib import Path

from controller.jackpot.ledger import Hit
from controller.jackpot.stores.postgres import PostgresStore
from tests.jackpot.stores.conftest import dsn, server
from tests.service.kept import ROYAL, SEED, Kept, until

__all__ = ["dsn", "server"]


async def test_the_others_hear_who_won_and_that_it_was_taken_back(dsn: str, tmp_path: Path) -> None:
    async with (
        Kept(tmp_path, PostgresStore(dsn), "A", jackpot_group="G") as a,
        Kept(tmp_path, PostgresStore(dsn), "B", jackpot_group="G") as b,
    ):
        heard: list[list[Hit]] = []
        own: list[list[Hit]] = []
        a.meter_sync.news.on_hits, b.meter_sync.news.on_hits = heard.append, own.append
        await b.round(ROYAL)
        await until(lambda: len(heard) == 1)
        (hit,) = heard[0]
        assert (hit.table, hit.place, hit.hand) == ("B", "1", "royal flush")
        await until(lambda: all(w.prizes for w in b.game.pending))
        await b.role("casino-manager")
        await b.key("confirm-jackpot")
        await b.key("invalidate fraud")
        await until(lambda: heard[1:] == [[]])
        await until(lambda: a.game.meter == SEED)
        assert own == [] or own == [[]]  # its own prizes it knows from its own table
