"""Prize meters as data, straight from a store."""

from __future__ import annotations

from pathlib import Path

from controller.jackpot.ledger import Hit
from controller.jackpot.stores.sqlite import SqliteStore
from controller.views.meters import floor, history, hit, show, verified
from tests.jackpot.stores.telling import Teller


async def test_a_floor_with_one_meter(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "jackpot.db")
    await store.open()
    try:
        teller = Teller(store)
        await teller.join()
        shown = (await show(store, teller.group))["meter"]
        assert shown["group"] == teller.group and shown["closed"] is False and shown["hits"] == 0
        assert await history(store, teller.group) == {"group": teller.group, "hits": []}
        report = await store.check(teller.group)
        assert verified(report, await store.meter(teller.group), "note") == {
            "group": teller.group, "ok": True, "problems": [], "movements": shown["movements"],
            "entries": 0, "head": report.head, "unbound": 0, "checkpoint": "note",
        }  # fmt: skip
        (meter,) = (await floor(store))["meters"]
        assert meter["last_hit"] is None and [member["table"] for member in meter["tables"]] == [teller.table]
    finally:
        await store.close()


def test_a_hit() -> None:
    told = hit(Hit(1_000_000, "T1", 7, "3", "royal flush", 12_500_000, 1_250_000_000, 1_000_000_000, "12.5.1"))
    assert told["at"] == "1970-01-01T00:00:01+00:00"
    assert (told["prize"], told["before"], told["area"], told["undone"]) == ("125000.00", "125000.0000", "3", False)
