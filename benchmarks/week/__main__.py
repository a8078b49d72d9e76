"""`python -m benchmarks.week`: lives through the week of the floor and prints what it came to."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import structlog

from benchmarks.week.floor import FLOOR, TableWeek, Week, lines, live
from benchmarks.week.table import Plan


def main() -> int:
    """Returns 0 when all money agrees and all that was to be found was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.week", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=100, help="of a table and day [100]")
    parser.add_argument("--jobs", type=int, default=1, help="processes [1]")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="only these")
    asked = parser.parse_args()
    wanted = [plan for plan in FLOOR if not asked.tables or plan.name in asked.tables]
    week = Week(asked.seed, asked.days)
    with ProcessPoolExecutor(asked.jobs) as pool:
        week.tables = list(pool.map(partial(_one, asked.seed, asked.days, asked.rounds), wanted))
    print("\n".join(lines(week)))
    for deed in week.missed:
        print(f"NOT FOUND: {deed}")
    return int(bool(week.wrong or week.missed))


def _one(seed: int, days: int, rounds: int, plan: Plan) -> TableWeek:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    return live(plan, seed, days, rounds, lambda text: print(text, file=sys.stderr, flush=True))


if __name__ == "__main__":
    sys.exit(main())
