"""Spans of the table's time, which counts microseconds."""

from __future__ import annotations

from typing import Final

MILLISECOND: Final = 1000
SECOND: Final = 1000 * MILLISECOND
HOUR: Final = 60 * 60 * SECOND
TWENTY_MINUTES: Final = 20 * 60 * SECOND  # several documents count with it: notices on a sign, places that are kept
