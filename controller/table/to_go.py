"""How long something must still stand on the sign before it may happen, in words for whoever is too early."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from controller.counts import many
from controller.table.state import Notice, Table
from controller.table.times import MINUTE, TWENTY_MINUTES

HANDS: Final = 3


def hands_over(t: Table, shown: Notice) -> int:
    """Returns how many rounds began after the notice was shown and are over."""
    running = t.round is not None and not t.round.outcome and t.number > shown.round
    return t.number - shown.round - (1 if running else 0)


def minutes_to_go(t: Table, notices: Iterable[Notice], otherwise: str) -> str:
    """Returns how many of twenty minutes are left for what these notices announce; `otherwise` when none does."""
    shown = [each.shown for each in notices]
    return to_go(min(shown) + TWENTY_MINUTES - t.now) if shown else otherwise


def to_go(left: int) -> str:
    """Returns a time that is left, in whole minutes and never less than it is.

    >>> to_go(TWENTY_MINUTES), to_go(1)
    ('20 minutes to go', '1 minute to go')
    """
    return f"{many(-(-left // MINUTE), 'minute')} to go"


def hands_to_go(t: Table, notices: Iterable[Notice], otherwise: str) -> str:
    """Returns how many of three hands are left for what these notices announce; `otherwise` when none does."""
    over = [hands_over(t, each) for each in notices]
    return f"{many(HANDS - max(over), 'hand')} to go" if over else otherwise
