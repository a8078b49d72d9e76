"""How long the parts of a round may take at a table before somebody looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Phase: TypeAlias = Literal["betting", "dealing", "decisions", "settlement"]
LONGEST: Final[Mapping[Phase, int]] = {  # milliseconds, unless the table says otherwise; betting takes its time
    "dealing": 300_000,
    "decisions": 900_000,
    "settlement": 300_000,
}
