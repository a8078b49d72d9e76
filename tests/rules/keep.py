"""Keeps digests of what every run tells and shows, when a change was meant: `python -m tests.rules.keep 002`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from controller.script.files import Complaint, read_script
from controller.script.play import play
from controller.testing.plugin import quiet_log
from tests.rules.detours import LEFT_OUT
from tests.rules.spectator import Digests, digests

RULES = Path(__file__).parent
KEPT = "kept.txt"  # in the folder of each document
WORDS = ("the JSON", "what is told of facts and rounds", "the pictures of the table", "what detours come to")


def run_name(path: Path, case: str | None) -> str:
    """Returns the name of a run within its document.

    >>> run_name(RULES / "000" / "05_wagers" / "5.1_minimum.felt", "too low")
    '05_wagers/5.1_minimum too low'
    """
    return " ".join(filter(None, (path.relative_to(RULES / document(path)).with_suffix("").as_posix(), case)))


def document(path: Path) -> str:
    """Returns the document that a script is about."""
    return path.relative_to(RULES).parts[0]


@cache
def kept(number: str) -> dict[str, str]:
    """Returns what is kept of the runs of a document, by their names."""
    lines = (RULES / number / KEPT).read_text(encoding="utf-8").splitlines()
    return {name: found for name, _, found in (line.rpartition(": ") for line in lines)}


def difference(name: str, before: str | None, now: str) -> str:
    """Returns in words what a run tells otherwise than what was kept; "" when it is the same.

    >>> difference("a", "1 2 3 4", "1 2 4 4")
    'a: the pictures of the table differ from what is kept; if that is meant: python -m tests.rules.keep'
    >>> difference("a", "1 2 3 4", "1 2 3 -")
    ''
    """
    if before is None:
        return f"{name}: nothing is kept of this run yet: python -m tests.rules.keep"
    pairs = zip(WORDS, before.split(), now.split(), strict=True)
    differ = [words for words, was, is_ in pairs if is_ not in (was, LEFT_OUT)]
    if not differ:
        return ""
    return f"{name}: {', '.join(differ)} differ from what is kept; if that is meant: python -m tests.rules.keep"


def runs_of(path: Path) -> list[tuple[str, str]]:
    """Plays a script; returns the names of its runs, and what is to be kept of each."""
    script = read_script(path.name, path.read_bytes())
    if isinstance(script, Complaint):
        raise SystemExit("\n".join(script.with_places()))
    out = []
    for run in script.runs:
        with quiet_log():
            seen = Digests()
            played = play(path.name, run, seen)
        name = run_name(path, run.case)
        out.append((name, digests(name, played, seen)))
    return out


def lines(number: str, pool: ProcessPoolExecutor) -> Iterator[str]:
    """Yields the lines to be kept of a document."""
    for runs in pool.map(runs_of, sorted((RULES / number).rglob("*.felt")), chunksize=8):
        yield from (f"{name}: {found}" for name, found in runs)


def main() -> int:
    """Writes the files: of the documents that are named, or of all."""
    documents = sys.argv[1:] or sorted(path.name for path in RULES.iterdir() if path.name.isdigit())
    with ProcessPoolExecutor() as pool:
        for number in documents:
            written = sorted(lines(number, pool))
            (RULES / number / KEPT).write_text("\n".join(written) + "\n", encoding="utf-8")
            print(f"document {number}: {len(written)} runs", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
