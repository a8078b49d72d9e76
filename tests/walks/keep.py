"""Keeps the digests of all walks, when a change was meant: `python -m tests.walks.keep`."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from tests.walks.walks import Walk, digest, walks

KEPT = Path(__file__).parent / "kept.txt"


@cache
def kept() -> dict[str, str]:
    """Returns what is kept of the walks, by their names."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    return {name: found for name, _, found in (line.partition(": ") for line in lines)}


def line(walk: Walk) -> str:
    """Returns the line to be kept of a walk."""
    return f"{walk.name}: {digest(walk)}"


def main() -> int:
    """Writes the file."""
    with ProcessPoolExecutor() as pool:
        written = list(pool.map(line, walks()))
    KEPT.write_text("\n".join(written) + "\n", encoding="utf-8")
    print(f"{len(written)} walks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
