"""Win as the count room counts it, beside the rounds: equal where all is on record, else the difference is named."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from controller.money import cents, dollars
from controller.table.facts import FloatMoved
from controller.views import float_text
from controller.views.float_form import FloatEntry, FloatReport
from controller.views.moments import iso
from controller.views.record import Moment, Paid, Pot, RoundRecord, Shared, Who
from controller.views.table_float import BELOW, DROP, REST, RUNNING, UNCOUNTED, entry_of, float_report

NOON = 1_700_000_000_000_000


def at(seq: int) -> Moment:
    return Moment(seq, iso(NOON + seq * 1_000_000))


def moved(seq: int, deed: str, amount: str, about: int = 0) -> FloatEntry:
    return entry_of(at(seq), FloatMoved(deed, cents(amount), "Ann", "supervisor", "socket", about, witness="Bob"))


def a_round(seq: int, *paid: Paid, ended: int = 0, **more: object) -> RoundRecord:
    told: dict[str, object] = {"game": "casino-war", "title": "Casino War", "outcome": "settled"}
    return RoundRecord(
        number=seq,
        opened=at(seq),
        ended=at(ended or seq + 1),
        settlement=paid,
        **told | more,  # type: ignore[arg-type]
    )


LOST = Paid("1", "war", "50.00", "lose", "-50.00")


def only(report: FloatReport) -> dict[str, object]:
    (shift,) = report.shifts
    return {name: getattr(shift, name) for name in shift.__struct_fields__}


def test_win_is_what_the_count_room_counts() -> None:
    shift = only(
        float_report(
            [
                moved(1, "opening", "1000"),
                moved(2, "buy-in", "200"),  # 200 of chips to a player
                moved(3, "marker", "100"),
                moved(5, "fill", "500"),
                moved(9, "credit", "300"),
                moved(10, "closing", "950"),  # 1000 - 200 - 100 + 500 - 300 + 50
                moved(12, "drop", "300"),
            ],
            [a_round(6, LOST)],
        )
    )
    assert (shift["win"], shift["rounds_win"], shift["difference"], shift["named"]) == ("50.00", "50.00", "0.00", ())
    assert (shift["hold"], shift["notes"]) == (16.67, ())
    assert (shift["noted"], shift["drop"], shift["fills"], shift["credits"]) == ("300.00", "300.00", "500.00", "300.00")


def test_a_drop_that_differs_is_named() -> None:
    entries = [
        moved(1, "opening", "1000"),
        moved(2, "buy-in", "200"),
        moved(9, "closing", "850"),
        moved(12, "drop", "180"),
    ]
    shift = only(float_report(entries, [a_round(6, LOST)]))
    assert (shift["win"], shift["difference"]) == ("30.00", "-20.00")
    assert [(each.what, each.amount) for each in shift["named"]] == [(DROP, "-20.00")]  # type: ignore[attr-defined]


def test_chips_that_are_missing_are_not_explained() -> None:
    entries = [moved(1, "opening", "1000"), moved(9, "closing", "1025"), moved(12, "drop", "5")]
    shift = only(float_report(entries, [a_round(6, LOST)]))
    assert [(each.what, each.amount) for each in shift["named"]] == [  # type: ignore[attr-defined]
        (DROP, "5.00"),
        (REST, "-25.00"),
    ]
    assert shift["difference"] == "-20.00"


def test_more_is_taken_back_than_was_told() -> None:
    told = [moved(1, "opening", "1000"), moved(2, "buy-in", "20"), moved(3, "fill", "5"), moved(4, "fill", "-5")]
    assert BELOW not in str(only(float_report(told, []))["notes"])
    notes = only(float_report([*told, moved(5, "buy-in", "-50")], []))["notes"]
    assert notes == (RUNNING, UNCOUNTED, f"{BELOW}: buy-in -30.00")


def test_a_shift_that_runs() -> None:
    shift = only(float_report([moved(1, "opening", "1000"), moved(2, "buy-in", "10")], [a_round(6, LOST)]))
    assert (shift["closed"], shift["closing"], shift["win"], shift["difference"], shift["hold"]) == (None,) * 5
    assert (shift["drop"], shift["noted"], shift["rounds_win"]) == (None, "10.00", "50.00")
    assert shift["notes"] == (RUNNING, UNCOUNTED)


def test_a_prize_out_of_the_float() -> None:
    prize = Paid("1", "jackpot", "5.00", "win", "495.00", prize="500.00")
    entries = [moved(1, "opening", "1000"), moved(9, "closing", "505")]
    said = only(
        float_report([entries[0], moved(8, "prize", "500"), entries[1]], [a_round(6, prize, game="caribbean-stud")])
    )
    assert (said["win"], said["rounds_win"], said["difference"], said["named"]) == ("-495.00", "5.00", "0.00", ())
    unsaid = only(float_report(entries, [a_round(6, prize, game="caribbean-stud")]))
    assert unsaid["difference"] == "-500.00"
    assert "the meter gave 500.00 in these rounds, 0.00 of it out of the float" in unsaid["notes"]  # type: ignore[operator]


def test_commission_goes_into_the_box_or_the_float() -> None:
    """000 7.2.1(b) and (c)."""
    pots = Shared((Pot("100.00", ("1", "2"), {"1": "95.00"}),), "5.00", {}, {})
    hand = a_round(6, game="holdem", shared=pots)
    boxed = [
        moved(1, "opening", "1000"),
        moved(2, "buy-in", "100"),
        moved(9, "closing", "900"),
        moved(10, "drop", "105"),
    ]
    shift = only(float_report(boxed, [hand]))
    assert (shift["noted"], shift["win"], shift["difference"], shift["named"]) == ("105.00", "5.00", "0.00", ())
    floated = [
        moved(1, "opening", "1000"),
        moved(2, "buy-in", "100"),
        moved(9, "closing", "905"),
        moved(10, "drop", "100"),
    ]
    shift = only(float_report(floated, [hand], "float"))
    assert (shift["noted"], shift["win"], shift["difference"], shift["named"]) == ("100.00", "5.00", "0.00", ())


def test_several_shifts_and_rounds_in_between() -> None:
    report = float_report(
        [
            moved(10, "opening", "1000"),
            moved(20, "closing", "1050"),
            moved(30, "opening", "1050"),
            moved(35, "drop", "7"),  # of the shift that was closed last
            moved(36, "drop", "3", about=30),
            moved(40, "closing", "1100"),
        ],
        [a_round(5, LOST), a_round(15, LOST, ended=22), a_round(25, LOST), a_round(35, LOST), a_round(45, LOST)],
    )
    first, second = report.shifts
    assert (first.rounds, first.win, first.drop) == (1, "57.00", "7.00")
    assert (second.rounds, second.win, second.drop) == (1, "53.00", "3.00")
    assert "rounds that ran when the float was counted: 15" in first.notes
    assert (report.alone, report.alone_win) == (3, "150.00")


def test_what_was_done_before_any_opening_is_of_no_shift() -> None:
    assert float_report([moved(1, "fill", "5")], []).shifts == ()


def test_a_drop_of_the_shift_that_runs() -> None:
    shift = only(float_report([moved(1, "opening", "5"), moved(2, "drop", "9")], []))
    assert shift["drop"] == "9.00"


def test_who_and_where() -> None:
    entry = moved(1, "fill", "5")
    assert (entry.by, entry.witness) == (Who("supervisor", "Ann"), Who("", "Bob"))


amounts = st.integers(0, 100_000)


@given(amounts, st.lists(amounts, max_size=4), st.lists(amounts, max_size=4), st.lists(amounts, max_size=4), st.data())
def test_chips_that_are_all_on_record_leave_no_difference(
    opening: int, fills: list[int], credits_: list[int], bought: list[int], data: st.DataObject
) -> None:
    """Chips are moved one by one, by code of its own; then the formula and the rounds agree to the cent."""
    tray = opening + sum(fills) - sum(credits_) - sum(bought)
    rounds = []
    for seq in range(100, 100 + data.draw(st.integers(0, 5))):
        net = data.draw(st.integers(-50_000, 50_000))
        tray -= net
        rounds.append(a_round(seq, Paid("1", "war", "10.00", "win" if net > 0 else "lose", dollars(net))))
    lost = data.draw(st.integers(-1000, 1000))  # chips that nobody can explain
    box = data.draw(st.integers(-1000, 1000))  # notes that were counted wrongly when they were taken
    entries = [
        moved(1, "opening", dollars(opening)),
        *(moved(2, "fill", dollars(amount)) for amount in fills),
        *(moved(3, "credit", dollars(amount)) for amount in credits_),
        *(moved(4, data.draw(st.sampled_from(("buy-in", "marker"))), dollars(amount)) for amount in bought),
        moved(200, "closing", dollars(tray - lost)),
        moved(201, "drop", dollars(sum(bought) + box)),
    ]
    (shift,) = float_report(entries, rounds).shifts
    assert shift.win is not None and shift.difference is not None
    assert cents(shift.win) == cents(shift.rounds_win) + box - lost
    assert cents(shift.difference) == box - lost == sum(cents(each.amount) for each in shift.named)
    assert {each.what: cents(each.amount) for each in shift.named}.get(REST, 0) == -lost


def test_for_people_and_for_a_spreadsheet() -> None:
    report = float_report(
        [
            moved(1, "opening", "1000"),
            moved(2, "buy-in", "200"),
            moved(9, "closing", "850"),
            moved(10, "drop", "180"),
            moved(20, "opening", "850"),
        ],
        [a_round(6, LOST), a_round(15, LOST)],
    )
    lines = list(float_text.lines(report))
    assert lines[0].startswith("float opened 2023-11-14 22:13:21 to 2023-11-14 22:13:29 UTC (fact 1)")
    words = [" ".join(line.split()) for line in lines]
    assert {"+ drop 180", "= win +30 16.67 % of the drop", "the 1 round +50", "+ closing float -"} <= set(words)
    assert "  -20: the drop box held more or less than was noted at the table" in lines
    assert lines[-1] == "rounds that were played while no float was counted: 1, win +50"
    assert all(len(line) <= 80 for line in lines)
    assert list(float_text.lines(float_report([], []))) == ["no float was counted"]
    nothing = float_report([moved(1, "opening", "5"), moved(2, "closing", "5")], [])
    assert not any("% of the drop" in line for line in float_text.lines(nothing))
    text = io.StringIO()
    csv.writer(text).writerows(float_text.rows(report))
    first, second = csv.DictReader(text.getvalue().splitlines())
    assert (first["win"], first["drop"], first["difference"]) == ("30.00", "180.00", "-20.00")
    assert (second["win"], second["closed"]) == ("", "")
