"""How every wager of a round stands: settled, or still at stake."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.places import At, area_of, order
from controller.table.state import Line, Round


def from_the_right(places: list[str]) -> list[str]:
    """Returns places in the order in which the dealer settles: furthest to the right first, bettors in their line."""
    return sorted(places, key=lambda p: (-area_of(p), order(p)[1]))


def standing(r: Round, spots: Sequence[str], still_open: Callable[[str, str], Line]) -> list[Line]:
    """Returns how every wager stands, in the order in which the dealer settles.

    `still_open` says it of those that are at stake.
    """
    out: dict[At, Line] = {}
    for line in r.lines:
        out.pop(line.at, None)
        if line.result != "reversed":
            out[line.at] = line
    still = [at for at in r.wagers if at not in out]
    for place in from_the_right(sorted({place for place, _ in still}, key=order)):
        for spot in spots:
            if (place, spot) in still:
                out[(place, spot)] = still_open(place, spot)
    return list(out.values())
