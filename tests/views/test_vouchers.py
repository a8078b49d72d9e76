"""Vouchers in the float and in reports: chips that were given for them are where the count room finds them."""

from __future__ import annotations

from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from controller.games import step
from controller.house.promotions import MOST
from controller.money import cents, dollars
from controller.table.facts import Amend, AnyFact, Chips, FloatMoved, Key, Spot, Started
from controller.table.state import Table, Voucher
from controller.views import float_text, numbers_text
from controller.views.asides import Aside, aside
from controller.views.float_form import FloatEntry
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.promotion_prizes import prize_entry
from controller.views.round_notes import Happened
from controller.views.table_float import entry_of, float_report
from controller.views.vouchers import exchanged, float_entry

DAYS = Calendar(UTC)
ANTE = Chips(1, (Spot("ante", 1, 1000),))


class Told:
    """A table of Caribbean Stud that is told facts, with all that its float and its reports hear of them."""

    def __init__(self) -> None:
        self.table, self.seq = Table(), 0
        self.moved: list[FloatEntry] = []
        self.asides: list[Aside] = []
        self.tell(Started("caribbean-stud", {}))

    def tell(self, *facts: AnyFact) -> int:
        for fact in facts:
            self.seq += 1
            before = self.table
            self.table, effects = step(before, self.seq, self.seq * 1_000_000, fact)
            happened = Happened(self.seq, self.seq * 1_000_000, "", fact, before, self.table, effects)
            if isinstance(fact, FloatMoved):
                self.moved.append(entry_of(happened.moment, fact))
            if (entry := float_entry(happened)) is not None:
                self.moved.append(entry)
            if (prize := prize_entry(happened)) is not None:
                self.moved.append(prize)
            if (each := aside(happened)) is not None:
                self.asides.append(each)
        return self.seq

    def voucher(self, what: str, amount: str, place: str = "1") -> int:
        return self.tell(Key("voucher", (place, what, amount)))

    def float(self, deed: str, amount: str) -> None:
        self.tell(FloatMoved(deed, cents(amount), "Ann", "casino-manager", "socket", note="x", witness="Bob"))


def test_chips_for_vouchers_leave_the_float_and_the_vouchers_are_in_the_drop() -> None:
    t = Told()
    t.voucher("chips", "5")  # before any float was counted
    t.float("opening", "1000")
    t.float("buy-in", "200")
    t.voucher("chips", "50")
    t.voucher("tokens", "20")
    t.voucher("chips", "70", place="9")  # refused: there is no such place
    t.float("closing", "750")
    t.voucher("chips", "2.50")  # after it
    report = float_report(t.moved, [])
    (shift,) = report.shifts
    assert (shift.vouchers, shift.noted, shift.win, shift.difference) == ("50.00", "250.00", "0.00", "0.00")
    assert [(each.note, each.by.role) for each in shift.entries if each.deed == "voucher"] == [("area 1", "dealer")]
    assert report.alone_vouchers == "7.50"
    lines = list(float_text.lines(report))
    assert "  for vouchers, which are in the drop box: 50" in lines
    assert "chips for vouchers while no float was counted: 7.50" in lines
    t.float("drop", "200")  # a voucher is missing in the box
    (shift,) = float_report(t.moved, []).shifts
    assert shift.difference == "-50.00" and [each.amount for each in shift.named] == ["-50.00"]


def test_reports_tell_what_was_given_for_vouchers_and_win_has_none_of_it() -> None:
    t = Told()
    t.voucher("chips", "50")
    t.voucher("tokens", "20")
    made = numbers([], "game", DAYS, t.asides)
    assert (made.total.chip_vouchers, made.total.token_vouchers, made.total.win) == ("50.00", "20.00", "0.00")
    assert [(part.name, part.chip_vouchers) for part in made.parts] == [("caribbean-stud", "50.00")]
    assert "  given for vouchers, not in win: 50 in chips and 20 in tokens" in numbers_text.lines(made)
    assert not any("voucher" in line for line in numbers_text.lines(numbers([], "game", DAYS)))


def test_a_voucher_of_the_round_that_runs_is_corrected() -> None:
    t = Told()
    t.float("opening", "100")
    t.tell(ANTE)
    target = t.voucher("chips", "50")
    t.tell(Amend(target, Key("voucher", ("1", "chips", "5"))))
    t.tell(Amend(target, Key("voucher", ("1", "tokens", "5"))))
    t.tell(Amend(target, None))
    assert [(each.amount, each.note) for each in t.moved[1:]] == [
        ("50.00", "area 1"),
        ("-45.00", "corrected"),
        ("-5.00", "corrected"),
    ]
    (shift,) = float_report(t.moved, []).shifts
    assert shift.vouchers == "0.00"
    total = numbers([], "day", DAYS, t.asides).total
    assert (total.chip_vouchers, total.token_vouchers) == ("0.00", "0.00")


def test_what_the_table_no_longer_keeps_itself_was_not_given_back() -> None:
    full = [Voucher(seq, "1", "chips", 100, "dealer", "", 0) for seq in range(1, MOST + 1)]
    new = Voucher(MOST + 1, "1", "chips", 250, "dealer", "", 0)
    key = Key("voucher", ("1", "chips", "2.50"))
    happened = Happened(MOST + 1, 0, "", key, Table(vouchers=full), Table(vouchers=[*full[1:], new]), [])
    assert exchanged(happened)["chips"] == 250


@given(st.lists(st.tuples(st.sampled_from(["chips", "tokens"]), st.integers(1, 100_000)), max_size=8))
def test_float_and_reports_agree_to_the_cent(vouchers: list[tuple[str, int]]) -> None:
    """Chips that players have got are missing in the float, and stand in the drop."""
    t = Told()
    t.float("opening", "10000")
    for what, amount in vouchers:
        t.voucher(what, dollars(amount))
    chips = sum(amount for what, amount in vouchers if what == "chips")
    t.float("closing", dollars(1_000_000 - chips))
    (shift,) = float_report(t.moved, []).shifts
    total = numbers([], "day", DAYS, t.asides).total
    assert (shift.vouchers, shift.difference, shift.win) == (dollars(chips), "0.00", "0.00")
    assert total.chip_vouchers == shift.vouchers
    assert cents(total.token_vouchers) + chips == sum(amount for _, amount in vouchers)
