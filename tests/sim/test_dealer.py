"""The dealer who deals by himself stops where only a person can go on."""

from __future__ import annotations

import pytest

from controller.script import parse
from controller.script.play import play
from controller.script.report import to_json


def test_a_table_that_is_held_is_not_dealt_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise KeyError("oops")

    monkeypatch.setattr("controller.house.games.casino_war.CasinoWar.decided", broken)
    played = play("held", parse("table casino-war seats=3\nplay 1 1\n", "held").runs[0])
    stuck = "a plain round came to wait for a supervisor: the table is held (table.defect)"
    assert stuck in to_json(played)
