"""How `felt status` ends: all is well only when nobody is waited for."""

from __future__ import annotations

from typing import Any

import pytest

from controller.cli.status import conclusion
from controller.table.requests import Press
from controller.views.words import _PHASES, NEEDS_SOMEBODY

NOTICE = {"text": "a card could not be read"}


@pytest.mark.parametrize(
    ("phase", "notices", "end"),
    [
        ("dealing", [], "all is well"),
        ("dealing", [NOTICE], "somebody has to see to it"),
        ("stopped", [], "somebody has to see to it"),
        ("question", [], "somebody has to see to it"),
    ],
)
def test_all_is_well_only_when_nobody_is_waited_for(phase: str, notices: list[dict[str, str]], end: str) -> None:
    status: Any = {"trouble": [], "notices": notices, "protection": 0, "round": {"phase": phase}}
    [(line, _)] = conclusion(status)
    assert line.startswith(end)


def test_an_alert_that_nobody_has_cleared_is_not_well() -> None:
    status: Any = {"trouble": [], "notices": [], "protection": 1, "round": {"phase": "dealing"}}
    [(line, _)] = conclusion(status)
    assert line.startswith("somebody has to see to it")


def test_a_key_that_somebody_must_press_stops_the_table() -> None:
    assert _PHASES[Press] in NEEDS_SOMEBODY
