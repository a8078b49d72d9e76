"""How far a long computation is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]  # done, of


def silent(done: int, of: int) -> None:
    """Reports nothing, for callers that do not want to know how far it is."""
