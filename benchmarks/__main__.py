"""`python -m benchmarks`: one table of what is measured, its floor, their ratio, the goal, and whether it is met."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys

import msgspec
import structlog

from benchmarks import history, instructions
from benchmarks.measure import REALTIME, ROOT, Measured, hurry, machine, priority, python

NAMES = (
    *("latency", "links", "journal", "restart", "memory", "idle", "commands", "scripts", "settlement", "meters"),
    *("poker", "growth", "felt_page", "records", "bursts", "devices", "slow_disks", "wire"),
    "instructions",
)
LONG = ("old_rounds", "protection", "floor")  # only when they are named
HEADINGS = ("what", "measured", "floor", "ratio", "above", "p99 above", "goal", "met")
NUMERIC = (1, 2, 3, 4, 5)


def alone(name: str) -> list[Measured]:
    """One benchmark in a process of its own: none inherits another's memory or open files."""
    child = subprocess.run(python("-m", "benchmarks", "--here", name), cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if child.returncode:
        return [Measured(f"{name}: failed, see above", 0, "", None, "", False)]
    return msgspec.json.decode(child.stdout, type=list[Measured])


def cells(line: Measured) -> tuple[str, ...]:
    """
    >>> cells(Measured("restart", 0.5, "s", 0.02, "<= 1 s", True))
    ('restart', '0.500 s', '0.0200 s', '25.0', '0.480 s', '', '<= 1 s', 'yes')
    """
    return (
        line.what,
        f"{_number(line.value)} {line.unit}",
        _with_unit(line.floor, line.unit),
        "" if line.ratio is None else f"{line.ratio:#.3g}",
        _with_unit(line.above, line.unit),
        _with_unit(line.tail, line.unit),
        line.goal,
        "" if line.met is None else ("yes" if line.met else "NO"),
    )


def _with_unit(value: float | None, unit: str) -> str:
    return "" if value is None else f"{_number(value)} {unit}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:#.3g}".rstrip(".")


def table(lines: list[Measured]) -> str:
    rows = [HEADINGS, *(cells(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in NUMERIC else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join((*NAMES, *LONG))}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument(
        "--keep", action="store_true", help=f"keep this run in {history.FILE.name}, and what was counted"
    )
    parser.add_argument("--compare", action="store_true", help="name what is worse than kept runs by a tenth, and fail")
    parser.add_argument("--realtime", action="store_true", help="with real-time priority, where that is permitted")
    parser.add_argument("--here", choices=(*NAMES, *LONG), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := set(given.names) - {*NAMES, *LONG}:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join((*NAMES, *LONG))}")
    return given


def here(name: str) -> None:
    """A child's part: one benchmark, and its lines as JSON."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    hurry()
    sys.stdout.buffer.write(msgspec.json.encode(importlib.import_module(f"benchmarks.{name}").measure()))


def main() -> int:
    given = options()
    if given.realtime:
        os.environ[REALTIME] = "1"
    if given.here:
        here(given.here)
        return 0
    lines: list[Measured] = []
    for name in given.names or NAMES:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        lines += alone(name)
    hurry()
    about = machine()
    run = history.run(lines, about, priority())
    worse = list[history.Worse]()
    if given.compare:
        compared, worse = history.compare(run, history.kept())
        print(f"{compared} ratios compared with kept runs on {run.kind}", file=sys.stderr)
    if given.keep:
        history.keep(run)
        instructions.keep(lines)
    if given.json:
        measured = [{**msgspec.to_builtins(line), "ratio": line.ratio, "above": line.above} for line in lines]
        words = {"machine": about, "kind": run.kind, "date": run.date, "commit": run.commit}
        print(json.dumps({**words, "measured": measured, "worse": msgspec.to_builtins(worse)}))
    else:
        print(f"\n{about}\n\n{table(lines)}\n")
        print("\n".join(f"{line.what}: {line.note}" for line in lines if line.note))
    for each in worse:
        print(f"worse: {each.text}", file=sys.stderr)
    return int(failed(lines, keeping=given.keep) or bool(worse))


def failed(lines: list[Measured], *, keeping: bool) -> bool:
    """Tells whether something was not measured, or has grown although it is guarded and is not kept anew."""
    grown = any(line.guarded and line.met is False for line in lines)
    return any(line.unit == "" for line in lines) or (grown and not keeping)


if __name__ == "__main__":
    sys.exit(main())
