"""Prizes of promotions: the cashier's, beside float and win; where the float paid one, all adds up to the cent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.house.promotions import MOST
from controller.money import dollars
from controller.table.facts import Amend, Badge, Key
from controller.table.state import Claim, Table
from controller.views import float_text, numbers_text
from controller.views.numbers import numbers
from controller.views.promotion_prizes import awarded
from controller.views.round_notes import Happened
from controller.views.table_float import float_report
from tests.views.test_vouchers import ANTE, DAYS, Told


class Promoted(Told):
    """A table where a promotion is offered, by an area manager."""

    def __init__(self) -> None:
        super().__init__()
        self.tell(Badge("area-manager"), Key("promotion", ("Gift", "5000")))

    def prize(self, amount: str, *more: str) -> int:
        return self.tell(Key("prize", ("Gift", "Ann", amount, *more)))


def test_a_prize_is_the_cashiers_and_moves_neither_float_nor_win() -> None:
    t = Promoted()
    t.prize("10")  # while no float is counted
    t.float("opening", "1000")
    t.prize("300")
    t.prize("50", "absent")
    t.prize("6000")  # refused: no prize of it is worth so much
    t.tell(Key("refuse-prize", ("Gift", "Bob", "200", "excluded")))
    t.float("closing", "1000")
    t.prize("20")  # after it
    (shift,) = float_report(t.moved, []).shifts
    assert (shift.promotions_awarded, shift.promotions_paid, shift.win, shift.difference) == (
        "350.00",
        "0.00",
        "0.00",
        "0.00",
    )
    note = "promotions gave 350.00, 0.00 of it out of the float, the rest by the cashier"
    assert note in shift.notes and any(
        "promotions gave 350.00" in line for line in float_text.lines(float_report(t.moved, []))
    )
    assert [(each.amount, each.note, each.by.role) for each in shift.entries if each.deed == "awarded"] == [
        ("300.00", "Gift: Ann", "area-manager"),
        ("50.00", "Gift: Ann", "area-manager"),
    ]
    made = numbers([], "game", DAYS, t.asides)
    assert (made.total.promotion_prizes, made.total.win) == ("380.00", "0.00")
    assert "  prizes of promotions, of the cashier, not in win: 380" in numbers_text.lines(made)
    assert not any("promotion" in line for line in numbers_text.lines(numbers([], "game", DAYS)))


def test_a_prize_that_the_float_paid_is_no_difference() -> None:
    t = Promoted()
    t.float("opening", "1000")
    t.prize("300")
    t.float("closing", "700")
    (shift,) = float_report(t.moved, []).shifts
    assert shift.difference == "-300.00"  # nobody has told that the float paid it
    t = Promoted()
    t.float("opening", "1000")
    t.prize("300")
    t.float("promotion", "300")
    t.float("closing", "700")
    (shift,) = float_report(t.moved, []).shifts
    assert (shift.win, shift.promotions_paid, shift.difference, shift.named) == ("-300.00", "300.00", "0.00", ())
    assert "promotions gave 300.00, 300.00 of it out of the float, the rest by the cashier" in shift.notes


def test_a_prize_of_the_round_that_runs_is_corrected() -> None:
    t = Promoted()
    t.float("opening", "100")
    t.tell(ANTE)
    target = t.prize("50")
    t.tell(Amend(target, Key("prize", ("Gift", "Ann", "5"))))
    t.tell(Amend(target, None))
    assert [(each.amount, each.note) for each in t.moved[1:]] == [
        ("50.00", "Gift: Ann"),
        ("-45.00", "corrected"),
        ("-5.00", "corrected"),
    ]
    (shift,) = float_report(t.moved, []).shifts
    assert shift.promotions_awarded == numbers([], "day", DAYS, t.asides).total.promotion_prizes == "0.00"


def test_what_the_table_no_longer_keeps_itself_was_not_given_back() -> None:
    full = [Claim(seq, "Gift", "Ann", 100, "area-manager", "", 0) for seq in range(1, MOST + 1)]
    new = Claim(MOST + 1, "Gift", "Ann", 250, "area-manager", "", 0)
    key = Key("prize", ("Gift", "Ann", "2.50"))
    happened = Happened(MOST + 1, 0, "", key, Table(claims=full), Table(claims=[*full[1:], new]), [])
    assert awarded(happened) == 250


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 500_000)), max_size=8))
def test_float_and_reports_agree_to_the_cent(prizes: list[tuple[bool, int]]) -> None:
    """Some of the prizes are paid out of the float, and told; the others by the cashier."""
    t = Promoted()
    t.float("opening", "100000")
    for from_float, amount in prizes:
        t.prize(dollars(amount))
        if from_float:
            t.float("promotion", dollars(amount))
    paid, every = sum(amount for from_float, amount in prizes if from_float), sum(amount for _, amount in prizes)
    t.float("closing", dollars(100_000_00 - paid))
    (shift,) = float_report(t.moved, []).shifts
    assert (shift.difference, shift.promotions_paid, shift.promotions_awarded) == (
        "0.00",
        dollars(paid),
        dollars(every),
    )
    assert numbers([], "day", DAYS, t.asides).total.promotion_prizes == dollars(every)
