"""`python -m benchmarks`: one table of what is measured, its floor, their ratio, the goal, and whether it is met."""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys

import msgspec
import structlog

from benchmarks.measure import ROOT, Measured, machine, python

NAMES = (
    *("latency", "links", "journal", "restart", "memory", "idle", "commands", "scripts", "settlement", "meters"),
    *("poker", "growth", "felt_page", "records", "wire"),
)
LONG = ("old_rounds", "protection", "floor")  # only when they are named
HEADINGS = ("what", "measured", "floor", "ratio", "goal", "met")
NUMERIC = (1, 2, 3)


def alone(name: str) -> list[Measured]:
    """One benchmark in a process of its own: none inherits another's memory or open files."""
    child = subprocess.run(python("-m", "benchmarks", "--here", name), cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if child.returncode:
        return [Measured(f"{name}: failed, see above", 0, "", None, "", False)]
    return msgspec.json.decode(child.stdout, type=list[Measured])


def cells(line: Measured) -> tuple[str, ...]:
    """
    >>> cells(Measured("restart", 0.5, "s", 0.02, "<= 1 s", True))
    ('restart', '0.500 s', '0.0200 s', '25.0', '<= 1 s', 'yes')
    """
    return (
        line.what,
        f"{_number(line.value)} {line.unit}",
        "" if line.floor is None else f"{_number(line.floor)} {line.unit}",
        "" if line.ratio is None else f"{line.ratio:#.3g}",
        line.goal,
        "" if line.met is None else ("yes" if line.met else "NO"),
    )


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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join((*NAMES, *LONG))}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--here", choices=(*NAMES, *LONG), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
        sys.stdout.buffer.write(msgspec.json.encode(importlib.import_module(f"benchmarks.{options.here}").measure()))
        return 0
    if unknown := set(options.names) - {*NAMES, *LONG}:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join((*NAMES, *LONG))}")
    lines: list[Measured] = []
    for name in options.names or NAMES:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        lines += alone(name)
    about = machine()
    if options.json:
        measured = [{**msgspec.to_builtins(line), "ratio": line.ratio} for line in lines]
        print(json.dumps({"machine": about, "measured": measured}))
    else:
        print(f"\n{about}\n\n{table(lines)}\n")
        print("\n".join(f"{line.what}: {line.note}" for line in lines if line.note))
    return int(any(line.unit == "" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
