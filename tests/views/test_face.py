"""The face of a prize meter: what stands on its displays at each moment."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from controller.config.model import LONGEST_ROLL
from controller.jackpot import ledger
from controller.jackpot.rules import Award, Prize
from controller.table.facts import DeviceCleared, DeviceLost, MeterIs
from controller.table.state import Round, Table, Waiting
from controller.views.meter_face import (
    CLOSED,
    NO_JACKPOT,
    OUT_OF_ORDER,
    Frame,
    MeterFace,
    MeterStyle,
    announced,
    follow,
    frame,
    next_frame,
    roll,
    rolled,
    rolling,
    won_elsewhere,
)
from tests.table.telling import Telling

STYLE = MeterStyle(roll=600, hit=30_000, turn=4_000)
SEED = 1_000_000_000
CENTS = st.integers(0, 10**9).map(lambda cents: cents * 100)
PRIZES = (Prize("3.2", "royal flush", 12_499_800, "12.5.1"), Prize("1", "straight flush", 1_249_980, "12.5.2"))


def table(meter: int = SEED, **jackpot: object) -> Table:
    """A table with a Jackpot whose meter holds this."""
    t = Telling("caribbean-stud", jackpot="nsw")
    t.tell(MeterIs(meter))
    for name, value in jackpot.items():
        setattr(t.table.jackpot, name, value)
    return t.table


def hit(prizes: tuple[Prize, ...] = PRIZES[:1], number: int = 7, pending: bool = True) -> Table:
    """The same after a prize."""
    t = table()
    t.round = Round(number, 1, award=Award(SEED * 2, 200_000, prizes, 0, SEED))
    t.jackpot.pending = [Waiting(number, 1, 500, prizes)] if pending else []
    return t


def shows(face: MeterFace, *times: int) -> list[Frame]:
    return [frame(face, at, STYLE) for at in times]


# ---- the odometer


@given(start=CENTS, rise=CENTS, length=st.integers(0, LONGEST_ROLL), times=st.lists(st.integers(0, 1_000)))
def test_a_roll_never_goes_back_never_past_the_end_and_ends_in_time(
    start: int, rise: int, length: int, times: list[int]
) -> None:
    to = start + rise
    seen = [roll(start, to, at, length) for at in sorted(times)]
    assert seen == sorted(seen)
    assert all(start <= value <= to and value % 100 == 0 for value in seen)
    assert roll(start, to, length, length) == to


_TABLE = table()


def _holding(value: int) -> Table:
    game = msgspec.structs.replace(_TABLE.jackpot, meter=value)
    return msgspec.structs.replace(_TABLE, jackpot=game)


@given(
    changes=st.lists(st.tuples(st.integers(0, 1_500), st.integers(-(10**6), 10**7)), max_size=12),
    length=st.integers(0, LONGEST_ROLL),
)
def test_whatever_happens_each_value_stands_there_in_time_and_never_more_than_is_stored(
    changes: list[tuple[int, int]], length: int
) -> None:
    style = MeterStyle(roll=length)
    now, value = 0, SEED
    face = follow(MeterFace(), _holding(value), now, style)
    due: list[tuple[int, int]] = []  # when, at least what
    for pause, by in changes:
        before = rolled(face, now)
        for at in range(now, now + pause + 1, 37):
            shown = frame(face, at, style)
            assert isinstance(shown, int)
            assert before <= shown <= face.amount
            assert all(shown >= least for when, least in due if at >= when)
            before = shown
        now, value = now + pause, value + by
        face = follow(face, _holding(value), now, style)
        if by < 0:
            due = []
            assert frame(face, now, style) <= value // 100 * 100  # type: ignore[operator]  # nothing rolls backwards
        due.append((now + length, face.amount))
    assert frame(face, now + length, style) == face.amount == value // 100 * 100
    assert not rolling(face, now + length)
    assert next_frame(face, now + length, style) is None


def test_a_rise_rolls_and_a_fall_does_not() -> None:
    face = follow(MeterFace(), table(), 0, STYLE)
    assert shows(face, 0) == [SEED]  # nothing rolls up from zero at start
    face = follow(face, table(SEED + 60_000), 1_000, STYLE)
    assert face.amount == SEED + 60_000
    assert rolling(face, 1_000)
    first, middle, last = shows(face, 1_000, 1_300, 1_600)
    assert first == SEED < middle < last == SEED + 60_000  # type: ignore[operator]
    assert frame(face, 1_000, STYLE, still=True) == SEED + 60_000
    face = follow(face, table(SEED - 100), 1_300, STYLE)
    assert shows(face, 1_300) == [SEED - 100]
    assert not rolling(face, 1_300)


# ---- hits


def test_a_hit_shows_area_amount_and_new_base_in_turns_for_its_time() -> None:
    face = follow(MeterFace(), table(SEED * 2), 0, STYLE)
    face = follow(face, hit(PRIZES), 1_000, STYLE)
    assert shows(face, *range(1_000, 25_000, 4_000)) == [
        ("AREA 3", "ROYAL FLUSH"),
        ("WINS", "$124,998.00"),
        ("AREA 1", "STRAIGHT FLUSH"),
        ("WINS", "$12,499.80"),
        SEED,
        ("AREA 3", "ROYAL FLUSH"),
    ]
    assert next_frame(face, 1_000, STYLE) == 5_000
    assert shows(face, 31_000) == [SEED]
    assert not announced(face, 31_000)
    assert next_frame(face, 31_000, STYLE) is None


def test_what_is_won_next_counts_at_once_and_restarts_nothing() -> None:
    face = follow(MeterFace(), table(), 0, STYLE)
    face = follow(face, hit(), 0, STYLE)
    later = hit(pending=False)
    later.jackpot.meter += 28_600
    face = follow(face, later, 2_000, STYLE)
    assert shows(face, 8_000) == [SEED + 28_600]
    assert face.hit is not None
    assert (face.hit.at, face.hit.pending) == (0, False)
    later.round = Round(8, 2)
    assert announced(follow(face, later, 2_000, STYLE), 29_999)  # also when the next round runs


def test_a_hit_that_is_taken_back_is_not_announced_any_more() -> None:
    face = follow(MeterFace(), table(), 0, STYLE)
    face = follow(face, hit(), 0, STYLE)
    undone = table(SEED * 2)
    undone.round = Round(7, 1)
    assert shows(follow(face, undone, 500, STYLE), 500) == [SEED * 2]


def test_after_a_restart_only_a_prize_that_is_not_paid_is_news() -> None:
    assert announced(follow(MeterFace(), hit(), 0, STYLE), 0)
    face = follow(MeterFace(), hit(pending=False), 0, STYLE)
    assert not announced(face, 0)
    assert not announced(follow(face, hit(pending=False), 5, STYLE), 5)


def test_a_shared_system_may_answer_when_the_next_round_runs() -> None:
    """Then only the waiting prizes tell of the hit."""
    face = follow(MeterFace(), table(SEED * 2), 0, STYLE)
    late = hit(number=7)
    late.round = Round(8, 2)
    face = follow(face, late, 1_000, STYLE)
    assert shows(face, 1_000) == [("AREA 3", "ROYAL FLUSH")]
    late.jackpot.pending = []  # paid
    assert [h.pending for h in announced(follow(face, late, 2_000, STYLE), 2_000)] == [False]


def test_an_older_prize_that_still_waits_is_not_announced_again() -> None:
    both = hit(PRIZES[1:], number=8)
    both.jackpot.pending.insert(0, Waiting(7, 1, 500, PRIZES[:1]))
    face = follow(follow(MeterFace(), hit(), 0, STYLE), both, 1_000, STYLE)
    assert [h.round for h in announced(face, 1_000)] == [8]
    both.round, both.jackpot.pending = Round(9, 3), both.jackpot.pending[:1]
    assert [h.round for h in announced(follow(face, both, 2_000, STYLE), 2_000)] == [8]


def test_what_another_table_won_is_announced_with_its_name() -> None:
    face = follow(MeterFace(), table(SEED * 2), 0, STYLE)
    there = ledger.Hit(0, "T7", 12, "3", "royal flush", 12_499_800, SEED * 2, SEED, "12.2.1")
    face = won_elsewhere(face, [there], 1_000, STYLE)
    face = follow(face, table(), 1_000, STYLE)
    assert shows(face, 1_000, 5_000, 9_000) == [("TABLE T7 AREA 3", "ROYAL FLUSH"), ("WINS", "$124,998.00"), SEED]
    assert shows(face, 31_000) == [SEED]
    assert shows(won_elsewhere(face, [], 2_000, STYLE), 2_000) == [SEED]  # taken back


# ---- faults, and no Jackpot


def test_a_fault_alternates_with_the_amount() -> None:
    t = Telling("caribbean-stud", jackpot="nsw")
    face = follow(MeterFace(), t.table, 0, STYLE)
    t.tell(DeviceLost("meter", "link.silent"))
    face = follow(face, t.table, 10_000, STYLE)
    assert shows(face, 10_000, 13_999, 14_000, 18_000) == [OUT_OF_ORDER, OUT_OF_ORDER, SEED, OUT_OF_ORDER]
    t.tell(DeviceCleared("meter", "lost"))
    assert shows(follow(face, t.table, 19_000, STYLE), 19_000) == [SEED]
    assert shows(follow(face, t.table, 19_000, STYLE, trouble=True), 19_000) == [OUT_OF_ORDER]  # nothing starts anew


def test_a_fault_during_a_hit_is_one_more_turn() -> None:
    broken = hit()
    broken.faults["meter"] = {"lost": ""}
    face = follow(follow(MeterFace(), table(), 0, STYLE), broken, 0, STYLE)
    assert shows(face, 8_000, 12_000) == [OUT_OF_ORDER, SEED]


def test_closed_and_none_are_shown_as_such() -> None:
    assert shows(follow(MeterFace(), table(closed=True), 0, STYLE), 0) == [CLOSED]
    nothing = follow(MeterFace(), Telling("casino-war").table, 0, STYLE)
    assert shows(nothing, 0) == [NO_JACKPOT]
    assert next_frame(nothing, 0, STYLE) is None


@given(st.integers(0, 70_000), st.booleans(), st.booleans())
def test_nothing_changes_before_the_next_frame(now: int, hit_: bool, fault: bool) -> None:
    t = hit() if hit_ else table()
    t.faults = {"meter": {"lost": ""}} if fault else {}
    face = follow(follow(MeterFace(), table(), 0, STYLE), t, 100, STYLE)
    due = next_frame(face, now, STYLE, still=True)
    until = now + 100_000 if due is None else due
    assert until > now
    assert {frame(face, at, STYLE, still=True) for at in range(now, until, 997)} == {frame(face, now, STYLE)}
