"""The one error that simulated hardware raises: somebody asked for what does not exist."""

from __future__ import annotations

from collections.abc import Iterable


class SimError(Exception):
    """A deed, fault or device that is not there; the text says what is."""


def unknown(what: str, name: str, known: Iterable[str]) -> SimError:
    """Returns the error for a name that is not among those known.

    >>> str(unknown("fault", "jem", ["jam", "low"]))
    "no fault 'jem'; there are: jam, low"
    """
    return SimError(f"no {what} {name!r}; there are: {', '.join(known) or 'none'}")
