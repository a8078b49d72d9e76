"""Takes and pays of honest dealers raise no alarm; the one way of working that does is known."""

from __future__ import annotations

import pytest

from benchmarks.honest_dealers import Habits
from benchmarks.protection import takes

OFTEN = Habits(parts=30, corrected=20, anew=20, larger=20)


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker", "wsop-bonus-holdem"])
def test_honest_takes_and_pays_raise_nothing(game: str) -> None:
    table = takes(game, 4, 1, OFTEN)
    assert table.table.number >= 4 and not table.alerts
    assert {"parts", "anew"} <= table.worked.keys()


def test_a_stake_that_is_exchanged_is_no_alarm() -> None:
    table = takes("casino-war", 4, 1, Habits(parts=0, corrected=0, anew=0, larger=0, exchanged=100))
    assert table.worked["exchanged"]
    assert not table.alerts
