"""What came of a run: the table that people read, and the file that is kept with the digest of what was tried."""

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


def page_rows(kept: Iterable[dict[str, Any]]) -> list[str]:
    """Returns the rows of the table in docs/real-machines.md, one a check, with what came of it on each release."""
    runs = sorted(kept, key=lambda run: int(run["release"]))
    names = list(dict.fromkeys(one["name"] for run in runs for one in run["checks"]))
    head = [f"Debian {run['release']}, {run['kernel']}" for run in runs]
    rows = [f"| check | {' | '.join(head)} |", "|---" * (1 + len(runs)) + "|"]
    for name in names:
        rows.append(f"| {name} | {' | '.join(_cell(run, name) for run in runs)} |")
    return rows


def _cell(run: dict[str, Any], name: str) -> str:
    for one in run["checks"]:
        if one["name"] == name:
            return (
                f"{one['result']}, {one['seconds']} s" if one["result"] == PASSED else f"{one['result']}: {one['said']}"
            )
    return "not tried"


def digest(files: Iterable[Path], texts: Iterable[str]) -> str:
    """Returns the digest of these files, names and all, and of these texts."""
    whole = hashlib.sha256()
    for path in sorted(files):
        data = path.read_bytes()
        whole.update(f"{path.relative_to(ROOT)}\0{len(data)}\0".encode() + data)
    for text in texts:
        whole.update(f"{text}\0".encode())
    return whole.hexdigest()


def kept_file(release: int) -> Path:
    """Returns where the last run with nothing failed is kept."""
    return KEPT / f"debian-{release}.json"


def kept_run(release: int) -> dict[str, Any] | None:
    """Returns that run; None when there is none."""
    path = kept_file(release)
    if not path.is_file():
        return None
    run: dict[str, Any] = json.loads(path.read_text())
    return run


def keep(release: int, kernel: str, tried: str, date: str, results: Iterable[Result]) -> None:
    """Keeps a run in which nothing failed."""
    checks = [{key: value for key, value in asdict(one).items() if key not in ("release", "kernel")} for one in results]
    run = {"release": release, "kernel": kernel, "date": date, "digest": tried, "checks": checks}
    KEPT.mkdir(exist_ok=True)
    kept_file(release).write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n")
