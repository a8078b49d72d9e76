"""Spans of the table's time, which counts microseconds."""

from __future__ import annotations

from typing import Final

MILLISECOND: Final = 1000
SECOND: Final = 1000 * MILLISECOND
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
TWENTY_MINUTES: Final = 20 * MINUTE  # several documents count with it: notices on a sign, places that are kept
