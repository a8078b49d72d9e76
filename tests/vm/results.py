"""What came of a run: the table that people read, and the file that keeps what passed, and what was tried."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
KEPT: Final = Path(__file__).parent / "kept"
PASSED, FAILED, NOT_RUN = "passed", "FAILED", "not run"


@dataclass(frozen=True)
class Result:
    """What came of one check; `said`: why it failed or could not run, or what it measured."""

    name: str
    release: int
    kernel: str
    result: str
    seconds: int
    said: str = ""


def lines(results: Iterable[Result]) -> list[str]:
    """Returns the table for a terminal."""
    rows = [("check", "release", "kernel", "result", "seconds")]
    rows += [(one.name, f"Debian {one.release}", one.kernel, one.result, str(one.seconds)) for one in results]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def page_rows(runs: Iterable[Kept]) -> list[str]:
    """Returns the rows of the table in docs/real-machines.md, one a check, with what came of it on each release."""
    ordered = sorted(runs, key=lambda run: run.release)
    names = list(dict.fromkeys(name for run in ordered for name in run.checks))
    head = [f"Debian {run.release}, {run.kernel}" for run in ordered]
    rows = [f"| check | {' | '.join(head)} |", "|---" * (1 + len(head)) + "|"]
    return [*rows, *(f"| {name} | {' | '.join(_cell(run, name) for run in ordered)} |" for name in names)]


def _cell(run: Kept, name: str) -> str:
    one = run.checks.get(name)
    return "not tried" if one is None else f"passed, {one['seconds']} s"


def digest(files: Iterable[Path], texts: Iterable[str]) -> str:
    """Returns the digest of these files, names and all, and of these texts."""
    whole = hashlib.sha256()
    for path in sorted(files):
        data = path.read_bytes()
        whole.update(f"{path.relative_to(ROOT)}\0{len(data)}\0".encode() + data)
    for text in texts:
        whole.update(f"{text}\0".encode())
    return whole.hexdigest()


@dataclass(frozen=True)
class Kept:
    """What is kept of a release: for each check that has passed, how long it took, what it said, when, and of what."""

    release: int
    kernel: str
    checks: dict[str, dict[str, Any]]

    def since(self, names: Iterable[str], tried: str) -> str:
        """Returns the day since which all these have passed with what is tried now; "" when one of them has not."""
        found = [self.checks.get(name, {}) for name in names]
        if any(one.get("tried") != tried for one in found):
            return ""
        return min(str(one["date"]) for one in found)


def kept(release: int) -> Kept:
    """Returns what is kept of a release."""
    path = KEPT / f"debian-{release}.json"
    return Kept(**json.loads(path.read_text())) if path.is_file() else Kept(release, "", {})


def keep(one: Result, tried: str, date: str, order: Iterable[str]) -> None:
    """Keeps a check that has passed; `order`: the names of all checks, and what is called otherwise is forgotten."""
    checks = kept(one.release).checks | {
        one.name: {"date": date, "seconds": one.seconds, "said": one.said, "tried": tried}
    }
    written = Kept(one.release, one.kernel, {name: checks[name] for name in order if name in checks})
    KEPT.mkdir(exist_ok=True)
    text = json.dumps(asdict(written), indent=1, ensure_ascii=False)
    (KEPT / f"debian-{one.release}.json").write_text(text + "\n", encoding="utf-8")
