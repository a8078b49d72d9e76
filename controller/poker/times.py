"""Durations as options write them."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}


def microseconds(text: str) -> int:
    """How long that is.

    >>> microseconds("19m59s"), microseconds("500ms")
    (1199000000, 500000)
    """
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|s|m|h)", text))
