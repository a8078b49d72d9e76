"""What binds a bettor's wagers."""

from __future__ import annotations

from controller.money import short
from controller.table.state import Limit, Table


def limit_now(table: Table, place: str) -> Limit:
    """Returns the limits of whoever plays at a place: personal ones, or those on the sign."""
    least, most = table.options.typed.min, table.options.typed.max
    person = table.people.get(table.seats.get(place, ""))
    if person is None:
        return Limit(least, most)
    return Limit(
        least if person.least is None else person.least,
        most if person.most is None else person.most,
        person.warned,
    )


def range_text(limit: Limit) -> str:
    """Returns limits in words."""
    return f"{short(limit.least)} to {short(limit.most)}"
