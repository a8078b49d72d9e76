"""A device that a script has mended is back with the next line, however long its link rests between two attempts."""

from __future__ import annotations

import random

import pytest

from controller.script import parse
from controller.script.play import Player
from hw_sim.loop import run

SCRIPT = """table wsop-bonus-holdem
bet 1 ante=10
key no-more-bets
fault shoe unplug
expect gate deal shut
fault shoe clear
expect gate deal open
"""


class Late(random.Random):
    """Lets a link try four times before a script goes on, and rest for long then."""

    def __init__(self) -> None:
        super().__init__(1)
        self.attempts = 0

    def uniform(self, a: float, b: float) -> float:
        self.attempts += 1
        return 0.95 if self.attempts <= 4 else b


def test_a_mended_device_is_ready_with_the_next_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.supervisor.random.Random", Late)
    (only,) = parse(SCRIPT).runs
    assert run(Player("a script", only).play()).failed == []
