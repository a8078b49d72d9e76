"""Prize meters as plain data for people and programs: the same from the running daemon and straight from a store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from controller.jackpot.ledger import Hit, Meter
from controller.jackpot.marks import LedgerReport
from controller.jackpot.stores.store import Member, MeterStore
from controller.money import dollars

Json = dict[str, Any]
DOLLAR = 10_000
LAST_HITS = 25


def amount(ticks: int) -> str:
    """Writes an amount in dollars with four decimals.

    >>> amount(1000028610), amount(-5)
    ('100002.8610', '-0.0005')
    """
    sign, ticks = ("-", -ticks) if ticks < 0 else ("", ticks)
    return f"{sign}{ticks // DOLLAR}.{ticks % DOLLAR:04}"


def clock(microseconds: int) -> str:
    """Writes a time as every other answer does: ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(microseconds / 1e6, UTC).isoformat(timespec="seconds")


def meter(m: Meter) -> Json:
    """Returns everything that a meter keeps."""
    terms = m.terms
    return {
        "group": m.group,
        "kind": m.kind,
        "option": terms.option,
        "reset": terms.reset,
        "cost": dollars(terms.cost),
        "increment": amount(terms.increment),
        "closed": m.closed,
        "value": amount(m.value),
        "startup": amount(m.startup),
        "seed": amount(m.seed),
        "ceiling": None if m.ceiling is None else amount(m.ceiling),
        "reserve": amount(m.reserve),
        "wagers": m.wagers,
        "contributions": amount(m.contributions),
        "reversals": amount(m.reversals),
        "overflow": amount(m.overflow),
        "hits": m.hits,
        "wins": amount(m.wins),
        "house": amount(m.house),
        "adjustments": amount(m.adjustments),
        "transfers": amount(m.transfers),
        "movements": m.recorded,
    }


def hit(h: Hit) -> Json:
    """Returns one prize that was won: where, with which hand, and what the meter held before and after it."""
    return {
        "at": clock(h.when),
        "table": h.table,
        "round": h.round,
        "area": h.place,
        "hand": h.hand,
        "prize": dollars(h.cents),
        "rule": h.rule,
        "before": amount(h.before),
        "after": amount(h.after),
        "undone": h.undone,
    }


def member(m: Member) -> Json:
    """Returns one table of a prize meter system: when it was last seen, and what its sign announces."""
    notices = {what: clock(since) for what, since in m.notices.items()}
    seen = {"seen": clock(m.seen), "silent": m.silent}
    return {"table": m.table, "described": m.described, **seen, "notices": notices}


async def show(store: MeterStore, group: str) -> Json:
    """Returns one meter of the store."""
    return {"group": group, "meter": meter(await store.meter(group))}


async def history(store: MeterStore, group: str, last: int = LAST_HITS) -> Json:
    """Returns the prizes of a meter, the newest first."""
    return {"group": group, "hits": [hit(h) for h in await store.hits(group, last)]}


def verified(report: LedgerReport, m: Meter, checkpoint: str) -> Json:
    """Tells whether every movement of a meter adds up, and where one does not; `checkpoint` is that of a sound one."""
    return {
        "group": m.group,
        "ok": not report.problems,
        "problems": report.problems,
        "movements": m.recorded,
        "entries": report.mark.size,
        "head": report.head,
        "unbound": report.unbound,
        "checkpoint": checkpoint,
    }


async def floor(store: MeterStore) -> Json:
    """Returns all meters with their tables."""
    members = await store.members()
    out = []
    for each in await store.meters():
        last = await store.hits(each.group, 1)
        out.append(
            meter(each)
            | {
                "last_hit": hit(last[0]) if last else None,
                "tables": [member(m) for m in members if m.group == each.group],
            }
        )
    return {"meters": out}
