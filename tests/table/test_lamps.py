"""Every lamp is declared once and has a channel; `test_any_fact` shows that only declared ones are lit."""

from __future__ import annotations

import pytest

from controller.games import GAMES
from controller.table.lamps import EVERY_TABLE, Lamp
from drivers.lamps import AREA_LAMPS, TABLE_LAMPS

AT_OUR_TABLES = {lamp.name: lamp for rules in GAMES.values() for lamp in (*EVERY_TABLE, *rules.lights)}


@pytest.mark.parametrize("lamp", AT_OUR_TABLES.values(), ids=list(AT_OUR_TABLES))
def test_a_declared_lamp_has_a_channel(lamp: Lamp) -> None:
    required = [argument for argument in lamp.place if not argument.optional]
    if lamp.place:
        assert lamp.name in AREA_LAMPS
    if not required:
        assert lamp.name in TABLE_LAMPS


def test_every_channel_has_a_declared_lamp() -> None:
    assert {*TABLE_LAMPS, *AREA_LAMPS} == AT_OUR_TABLES.keys()
