"""`python -m benchmarks.week`: lives through the week of the floor and prints what it came to."""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import structlog

from benchmarks.week.floor import FLOOR, TableWeek, Week, lines, live
from benchmarks.week.told import Plan

GRACE = 300.0  # seconds in which a table whose time is up must end its shift and count its money


def main() -> int:
    """Returns 0 when the week was lived to its end, all money agrees and all that was to be found was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.week", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=100, help="of a table and day [100]")
    parser.add_argument("--jobs", type=int, default=1, help="processes [1]")
    parser.add_argument("--minutes", type=float, default=60.0, help="for all of it, shared by the tables [60]")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="only these")
    asked = parser.parse_args()
    wanted = [plan for plan in FLOOR if not asked.tables or plan.name in asked.tables]
    week = Week(asked.seed, asked.days)
    turns = -(-len(wanted) // asked.jobs)  # one after the other; what one does not need of its time the next one has
    share, began = 60 * asked.minutes / turns, time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        one = partial(_one, asked.seed, asked.days, asked.rounds)
        ends = [began + share * (n // asked.jobs + 1) for n in range(len(wanted))]
        unended = _gather(week, wanted, [pool.submit(one, *each) for each in zip(ends, wanted, strict=True)])
    print("\n".join(lines(week)))
    for deed in week.missed:
        print(f"NOT FOUND: {deed}")
    for each in unended:
        print(f"TIME IS UP: {each} ({asked.minutes:g} minutes for all tables)")
    return int(bool(week.wrong or week.missed or unended))


def _gather(week: Week, plans: Sequence[Plan], tables: Sequence[Future[TableWeek]]) -> list[str]:
    """Takes in what the tables came to; returns which of them did not come to the end of the week."""
    unended = []
    for plan, table in zip(plans, tables, strict=True):
        try:
            week.tables.append(table.result())
        except BrokenProcessPool:
            unended.append(
                f"{plan.name} was ended from outside, or hung for {GRACE:.0f} seconds: nothing of it is counted"
            )
            continue
        told = week.tables[-1].told
        if told.days < week.days and not week.tables[-1].failed:
            played = f"{told.days} of {week.days} whole days, {sum(told.rounds.values())} rounds"
            unended.append(f"{plan.name} was ended after {played}; what it came to is counted above")
    return unended


def _one(seed: int, days: int, rounds: int, until: float, plan: Plan) -> TableWeek:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    began = time.monotonic()
    faulthandler.dump_traceback_later(max(0.0, until - began) + GRACE, exit=True)

    def show(text: str) -> None:
        print(f"{text} ({(time.monotonic() - began) / 60:.1f} minutes)", file=sys.stderr, flush=True)

    try:
        return live(plan, seed, days, rounds, show, until)
    finally:
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    sys.exit(main())
