"""What the report page draws: the line of win and theory, and as many parts as a page lists."""

from __future__ import annotations

from datetime import UTC
from fractions import Fraction

from controller.money import decimals
from controller.views.gaming_day import Calendar
from controller.views.record import Paid
from controller.views.report_page import MOST, MOST_PARTS, course, listed
from tests.views.test_numbers import a_round

LOST = Paid("1", "war", "10.00", "lose", "-10.00")


def test_the_line_goes_through_every_round() -> None:
    points = course([a_round(n, n, LOST) for n in (1, 2, 3)])
    assert [(point.round, point.win) for point in points] == [(1, "10.00"), (2, "20.00"), (3, "30.00")]
    assert points[-1].theory == decimals(30 * Fraction(23138, 993023), 2)
    assert course([]) == ()


def test_of_many_rounds_some_are_left_out_and_never_the_last() -> None:
    points = course([a_round(n, n, LOST) for n in range(1, 3 * MOST)])
    assert len(points) <= MOST
    assert points[-1].round == 3 * MOST - 1


def test_a_page_lists_the_newest_parts() -> None:
    records = [a_round(n, n, LOST) for n in range(1, MOST_PARTS + 4)]
    made, left_out = listed(records, "round", Calendar(UTC))
    assert (len(made.parts), left_out, made.total.rounds) == (MOST_PARTS, 3, MOST_PARTS + 3)
    assert made.parts[-1].name.startswith(f"{MOST_PARTS + 3} ")
