"""The page of the float: what the table would take now, from whom; numbers for those who may see them."""

from __future__ import annotations

import pytest

from controller.rules import Role
from controller.table.state import TableFloat
from controller.table.table_float import DEEDS
from controller.views.chips_page import SHIFTS, chips_page, drops_to
from controller.views.record import Moment

WITNESSED = ("opening", "fill")


def taken(now: TableFloat, role: Role) -> list[str]:
    return [each.deed for each in chips_page(now, role, WITNESSED).deeds if not each.why]


def test_nobody_is_offered_anything() -> None:
    page = chips_page(TableFloat(5), None, WITNESSED)
    assert (page.open, page.deeds, page.sees) == (True, (), False)


@pytest.mark.parametrize(
    ("now", "role", "deeds"),
    [
        (TableFloat(), "dealer", []),
        (TableFloat(), "supervisor", ["opening"]),
        (TableFloat(0, (5,)), "area-manager", ["opening", "drop"]),
        (TableFloat(5), "dealer", ["buy-in"]),
        (TableFloat(5), "supervisor", ["closing", "fill", "credit", "buy-in", "marker"]),
        (TableFloat(5), "area-manager", [deed for deed in DEEDS if deed != "opening"]),
        (TableFloat(5), "inspector", []),
    ],
)
def test_what_the_table_would_take(now: TableFloat, role: Role, deeds: list[str]) -> None:
    assert taken(now, role) == deeds


def test_each_deed_says_why_not_who_may_and_whether_a_witness_confirms_it() -> None:
    page = chips_page(TableFloat(), "dealer", WITNESSED)
    told = {each.deed: each for each in page.deeds}
    assert told["fill"].why == "this needs the supervisor"
    assert told["buy-in"].why == "the float was not counted yet in this shift: count it first (opening)"
    assert (told["fill"].who, told["fill"].witness, told["buy-in"].witness) == ("supervisor", True, False)
    assert [chips_page(TableFloat(), role, ()).sees for role in ("dealer", "supervisor", "inspector")] == [
        False,
        True,
        True,
    ]


def test_a_drop_belongs_to_a_shift_that_the_table_still_knows() -> None:
    opened = [Moment(seq, f"at {seq}") for seq in range(1, 20)]
    assert drops_to(TableFloat(19, (2, 7)), opened) == (opened[18], opened[6], opened[1])
    assert len(drops_to(TableFloat(0, tuple(range(1, 20))), opened)) == SHIFTS
