"""What was found of the planted faults, and how sure that is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import sqrt
from pathlib import Path
from typing import Any, Final, Literal

from tools.covered import ROOT, room_of
from tools.mutants.trial import Tried

KEPT: Final = ROOT / "docs" / "mutants.json"
SURE: Final = 1.96  # standard deviations: 95 of 100 such intervals hold the truth


def interval(noticed: int, of: int) -> tuple[float, float]:
    """Returns between which shares the truth lies with 95 % certainty, after Wilson.

    >>> [round(share, 3) for share in interval(18, 22)]
    [0.615, 0.927]
    """
    if not of:
        return 0.0, 1.0
    share, square = noticed / of, SURE * SURE
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = SURE * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def is_found(tried: Tried) -> bool:
    """Tells whether a test failed, or did not end."""
    return tried.verdict in ("found", "hangs")


def lines(tried: Sequence[Tried]) -> Iterable[str]:
    """Returns the report: each room, the whole with its interval, the survivors."""
    rooms: dict[str, list[Tried]] = {}
    for each in tried:
        rooms.setdefault(room_of(each.file), []).append(each)
    for room, planted in sorted(rooms.items()):
        count = sum(map(is_found, planted))
        yield f"{room:24} {count:5} of {len(planted):5} found  {100 * count / len(planted):6.1f} %"
    count = sum(map(is_found, tried))
    low, high = interval(count, len(tried))
    share = 100 * count / max(1, len(tried))
    yield f"{'all':24} {count:5} of {len(tried):5} found  {share:6.1f} %  (95 %: {100 * low:.1f} to {100 * high:.1f})"
    yield from (line(each) for each in sorted(tried) if not is_found(each))


def line(tried: Tried) -> str:
    """Returns a fault and what became of it, in one line."""
    fault = tried.fault
    return f"{tried.file}:{fault.line}: {tried.verdict}: {fault.kind}: {fault.was} -> {fault.becomes}"


Sample = Literal["faults", "each rule"]  # drawn from all faults alike; drawn for rules, which says nothing of the whole


def keep(tried: Sequence[Tried], seed: int, path: Path = KEPT, sample: Sample = "faults") -> None:
    """Writes the results of one sample, one line for each fault, and leaves the other sample as it is."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    rows = [
        [
            each.file,
            each.fault.line,
            each.fault.symbol,
            each.fault.kind,
            each.fault.was,
            each.fault.becomes,
            each.verdict,
        ]
        for each in sorted(tried)
    ]
    new = {"seed": seed, "date": date.today().isoformat(), "commit": _commit()}
    if sample == "faults":
        kept = {**new, "faults": rows, **{key: kept[key] for key in kept if key == "each rule"}}
    else:
        kept[sample] = {**new, "faults": rows}
    path.write_text(written(kept), encoding="utf-8")


def written(kept: Mapping[str, Any]) -> str:
    """Returns what is kept as text, each fault on a line of its own."""
    parts = []
    for key, value in kept.items():
        match value:
            case list():
                text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value)
                parts.append(f'"{key}": [\n{text}\n]')
            case dict():
                parts.append(f'"{key}": {written(value).rstrip()}')
            case _:
                parts.append(f'"{key}": {json.dumps(value)}')
    return f"{{{', '.join(parts)}}}\n"


def _commit() -> str:
    """Returns the commit in whose sources the faults were planted; with a +, something was not committed."""
    words = ("git", "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=+")
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
