"""The float of a table: what is taken on record, in which order, and by whom."""

from __future__ import annotations

import pytest

from controller.table.effects import Refused
from controller.table.facts import Amend, FloatMoved, Started
from controller.table.state import NO_FLOAT, TableFloat, decode, encode
from controller.table.table_float import DEEDS, KEPT
from tests.table.telling import Telling


def move(
    t: Telling,
    deed: str,
    amount: int = 100_00,
    role: str = "area-manager",
    note: str = "",
    about: int = 0,
    witness: str = "",
) -> list[str]:
    """Does it; why it was refused."""
    effects = t.tell(FloatMoved(deed, amount, "Ann", role, "socket", about, note=note, witness=witness))
    return [effect.why for effect in effects if isinstance(effect, Refused)]


def test_a_shift_from_its_opening_to_its_closing() -> None:
    t = Telling()
    assert t.table.chips == NO_FLOAT
    assert move(t, "opening") == []
    opened = t.seq
    assert t.table.chips == TableFloat(opened)
    for deed in ("fill", "credit", "buy-in", "marker", "prize", "drop"):
        assert move(t, deed) == []
    assert move(t, "closing", 0) == []
    assert t.table.chips == TableFloat(0, (opened,))
    assert move(t, "drop") == []
    assert move(t, "opening") == []


def test_out_of_order() -> None:
    t = Telling()
    for deed in ("closing", "fill", "credit", "buy-in", "marker", "prize"):
        assert move(t, deed) == ["the float was not counted yet in this shift: count it first (opening)"]
    assert move(t, "drop") == ["no float was counted to which this drop could belong"]
    move(t, "opening")
    opened = t.seq
    assert move(t, "opening") == [f"the float was counted by fact {opened} already: count it at the end of that shift"]
    assert move(t, "drop", about=opened) == []
    assert move(t, "drop", about=opened + 1) == ["no float was counted to which this drop could belong"]
    assert move(t, "theft") == ["nothing that is done to a float is called theft"]


@pytest.mark.parametrize(("deed", "declared"), DEEDS.items())
def test_the_right_role(deed: str, declared: object) -> None:
    t = Telling()
    if deed != "opening":
        move(t, "opening")
    role = DEEDS[deed].role  # type: ignore[index]
    lower = {"supervisor": "dealer", "area-manager": "supervisor", "dealer": "technician"}[role]
    assert "this needs the" in move(t, deed, role=lower)[0]
    assert move(t, deed, role="nobody")[0].startswith("this needs the")
    assert move(t, deed, role=role) == []


def test_amounts() -> None:
    t = Telling()
    assert move(t, "opening", -1) == ["a float is nothing or more"]
    move(t, "opening", 0)
    assert move(t, "fill", 0) == ["an amount is missing"]
    assert move(t, "fill", -100) == ["a counter-entry needs a note that says why"]
    assert move(t, "fill", -100, note="written twice") == []
    assert move(t, "fill", 10**13) == ["no table has so many chips"]


def test_nobody_is_their_own_witness() -> None:
    t = Telling()
    assert move(t, "opening", witness="Ann") == ["Ann is no witness of what they do themselves"]
    assert move(t, "opening", witness="Bob") == []


def test_it_outlives_a_configuration_a_correction_and_a_snapshot() -> None:
    t = Telling()
    t.bet(1, war=10)
    bet = t.seq
    move(t, "opening")
    opened = t.seq
    t.tell(Amend(bet, None))
    assert t.table.chips == TableFloat(opened)
    assert decode(encode(t.table)).chips == TableFloat(opened)
    t.tell(Started("casino-war", {}))
    assert t.table.chips == TableFloat(opened)


def test_it_changes_nothing_of_a_round() -> None:
    t = Telling()
    t.bet(1, war=10)
    before = t.table.round
    move(t, "opening")
    assert t.table.round == before


def test_only_so_many_shifts_are_kept() -> None:
    t = Telling()
    for _ in range(KEPT + 3):
        move(t, "opening")
        move(t, "closing")
    assert len(t.table.chips.before) == KEPT
