"""When the table next wants to be woken because time alone makes a difference.  Pure; reads only.

Everybody who lets time pass asks here, the daemon with its timer and the simulated floor with its clock, so that the
same things happen at the same moments.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from controller.table.facts import Tick
from controller.table.follow import step
from controller.table.history import NOTHING
from controller.table.rules import Games
from controller.table.state import Table
from controller.table.times import TWENTY_MINUTES


def due_at(games: Games, t: Table) -> int | None:
    """Returns the table's time of the next tick; no later than now: at once; None: time alone changes nothing."""
    return min((*_notices(t), *_acting(games, t)), default=None)


def _notices(t: Table) -> Iterator[int]:
    """Returns when each notice will have been on the sign for twenty minutes.

    From then on what it announces may be done, and pages say so.
    """
    return (n.shown + TWENTY_MINUTES for n in t.notices if n.shown + TWENTY_MINUTES > t.now)


def _acting(games: Games, t: Table) -> Iterator[int]:
    """Yields the first of the moments at which a tick would do something: the table itself is asked."""
    asked = copy(t)
    asked.history = NOTHING  # the real one stays as it is
    for moment in sorted(games[t.game].moments(t) if t.game else ()):
        if step(games, asked, 0, max(moment, t.now) + t.ahead, Tick())[1]:
            yield moment
            return
