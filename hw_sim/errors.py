"""The one error that simulated hardware raises: somebody asked for what does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from firmware_bridge.errors import Coded

CAPTURE: Final = "simulator.capture"
NO_TABLE: Final = "simulator.no-table"


class SimError(Coded):
    """A deed, fault or device that is not there; the cause says what is."""

    def __init__(self, cause: str, code: str = "simulator.refused") -> None:
        super().__init__(code, cause)


def unknown(what: str, name: str, known: Iterable[str]) -> SimError:
    """Returns the error for a name that is not among those known.

    >>> unknown("fault", "jem", ["jam", "low"]).cause
    "no fault 'jem'; there are: jam, low"
    """
    return SimError(f"no {what} {name!r}; there are: {', '.join(known) or 'none'}")
