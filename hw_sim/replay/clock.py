"""The time of captures that are played together."""

from __future__ import annotations

import asyncio
from typing import Final

LATE: Final = 0.02  # seconds that nobody waits for


class Clock:
    """The clock that turns the capture's time into the loop's.

    All devices of a table share it, so that they keep their order.
    """

    def __init__(self) -> None:
        self._offset: float | None = None

    def due(self, at: float) -> float:
        """Returns when a moment of the capture happens now; a clock that nobody has started begins with it."""
        if self._offset is None:
            self._offset = asyncio.get_running_loop().time() - at
        return at + self._offset

    def then(self, now: float) -> float:
        """Returns what time it was in the capture."""
        return now - (self._offset or 0.0)

    def no_earlier(self, at: float) -> None:
        """Moves the clock back to this moment of the capture when it is past: whoever is late, all wait for him."""
        late = asyncio.get_running_loop().time() - self.due(at)
        if late > LATE and self._offset is not None:
            self._offset += late
