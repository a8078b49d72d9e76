"""The schema, step by step: files are applied in the order of their numbers, each once, and never change afterwards."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

CHAIN: Final = 6  # after this step the entries that are there are chained


def steps(dialect: str) -> dict[int, str]:
    """Returns the SQL of each step for this dialect, by number.

    `0001_name.sql` is for all dialects, `0002_name.postgres.sql` for one.
    """
    scripts: dict[int, str] = {}
    for file in files(__name__).iterdir():
        number, _, rest = file.name.partition("_")
        if rest.endswith(".sql") and rest.count(".") == 1 + rest.endswith(f".{dialect}.sql"):
            scripts[int(number)] = file.read_text(encoding="utf-8")
    return dict(sorted(scripts.items()))
