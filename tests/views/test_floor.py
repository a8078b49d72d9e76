"""The floor as data: what a table tells of itself, what is shown of all, and what must be recorded."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from controller.table.facts import DeviceFault
from controller.table.state import KeptAlert
from controller.views.alerts import Alert, standing
from controller.views.floor import Loss, WatchedTable, changes, floor
from controller.views.meter_face import MeterFace
from controller.views.summary import TableSummary, pace, summary
from tests.service.neighbours import CALM, HELD
from tests.table.telling import Telling

LOST = Loss("T2 is not heard: connection refused.", "Go there.", 9_000_000)
NOW = 60_000_000
T2 = WatchedTable("T2", summary=CALM, at=NOW)
KEPT = KeptAlert("T2", HELD.kind, HELD.about, HELD.text, HELD.since)


def summed_up(t: Telling, stopped: str = "", face: MeterFace | None = None) -> TableSummary:
    at = standing(t.table, t.game, stopped)
    return summary("T1", at, t.game, face or MeterFace(), [300_000, 240_000, 180_000], "1.0", t.table.now)


# ---- what a table tells


def test_a_table_tells_game_limits_round_and_pace() -> None:
    t = Telling(min="10", max="1000")
    t.bet(1, war=10)
    said = summed_up(t)
    assert (said.table, said.game, said.title, said.open) == ("T1", "casino-war", "Casino War", True)
    assert said.document == t.game.document.number and said.version == "1.0"
    assert said.limits == (("Minimum", "$10"), ("Maximum", "$1,000"))
    assert (said.round, said.phase, said.pace, said.ended) == (1, "betting", 60, 300_000)
    assert said.meter is None and said.fault is None and not said.alerts
    assert msgspec.json.decode(msgspec.json.encode(said), type=TableSummary) == said


def test_it_tells_its_first_fault_and_its_meter() -> None:
    t = Telling()
    t.at = 7
    t.tell(DeviceFault("shoe", "shoe.jam"))
    t.at = 9
    t.tell(DeviceFault("lamps", "lamps.open-circuit"))
    said = summed_up(t, face=MeterFace("running", 1_000_028_600))
    assert said.fault is not None and (said.faults, said.fault.since) == (2, 7)
    assert said.fault.text == "a card is jammed in the shoe"
    assert said.meter is not None and said.meter.cents == 10_000_286


def test_one_that_cannot_record_is_not_open() -> None:
    said = summed_up(Telling(), "Out of service: nothing can be recorded.")
    assert (said.open, said.limits, said.phase, said.waits) == (False, (), "out of service", "")


def test_no_card_is_told() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("2h 3h 4h 5h 7h 9c 9d 9s Kc Kd")
    said = repr(summed_up(t)).lower()
    for word in ("2h", "9c", "kc", "king", "nine", "deuce"):
        assert word not in said


@pytest.mark.parametrize(
    ("ended", "rounds"),
    [
        ([], None),
        ([5], None),
        ([60_000, 0], None),
        ([0, 0, 0], None),
        ([90_000, 45_000, 0], 80),
        ([9_000_000, 8_940_000, 60_000], None),
        ([1_800_000, 900_000, 0], 4),
        ([1_800_001, 900_000, 0], None),
    ],
)
def test_the_pace_needs_three_rounds(ended: list[int], rounds: int | None) -> None:
    assert pace(ended) == rounds


# ---- what is shown


def test_a_table_that_is_lost_is_shown_as_lost_with_what_was_known() -> None:
    shown = floor([T2._replace(loss=LOST)], {}, NOW)
    (table,) = shown.tables
    assert (table.state, table.last_heard, table.summary) == ("lost", NOW // 1000, CALM)
    (alert,) = shown.alerts  # not recorded yet, and shown all the same
    assert (alert.alert, alert.kind, alert.urgency, alert.text) == (None, "unreachable", "stands", LOST.cause)


def test_one_that_was_never_heard_is_not_well() -> None:
    assert floor([WatchedTable("T2")], {}, NOW).tables[0].state == "waited"


@pytest.mark.parametrize(
    ("kind", "state"), [("held", "stands"), ("ruling", "waits"), ("fault", "fault"), ("of-tomorrow", "waits")]
)
def test_the_worst_alert_is_the_state(kind: str, state: str) -> None:
    told = replace(CALM, alerts=(Alert("fault", "x", "y"), Alert(kind, "a", "b")))
    assert floor([T2._replace(summary=told)], {}, NOW).tables[0].state == state
    assert floor([T2._replace(summary=replace(CALM, open=False))], {}, NOW).tables[0].state == "closed"


def test_what_stands_comes_before_what_is_over_and_the_acknowledged_stand_apart() -> None:
    kept = {
        1: replace(KEPT, over=5_000),
        2: replace(KEPT, kind="fault", about="f"),
        3: replace(KEPT, kind="unreachable", about=""),
        4: replace(KEPT, about="k", by="Floor Eight", acknowledged=7_000),
    }
    shown = floor([T2], kept, NOW)
    assert [alert.alert for alert in shown.alerts] == [3, 2, 1]
    assert [(alert.alert, alert.by, alert.acknowledged) for alert in shown.acknowledged] == [(4, "Floor Eight", 7)]
    assert shown.tables[0].alerts == 3


def test_times_are_by_the_clock_of_whoever_watches() -> None:
    told = replace(CALM, ended=100_000, alerts=(replace(HELD, since=50_000_000),))
    shown = floor([T2._replace(summary=told, ahead=20_000_000)], {}, NOW)
    assert (shown.tables[0].ended, shown.alerts[0].since) == (80_000, 30_000)


# ---- what must be recorded

HELD_NOW = T2._replace(summary=replace(CALM, alerts=(HELD,)))


def test_a_new_alert_is_raised_once() -> None:
    assert changes([HELD_NOW], {}).raised == [("T2", HELD)]
    assert changes([HELD_NOW], {1: KEPT}) == ([], [])
    assert changes([HELD_NOW], {1: replace(KEPT, by="Floor Eight")}) == ([], [])


def test_one_that_went_and_came_again_between_two_looks_is_raised_again() -> None:
    assert changes([HELD_NOW], {1: replace(KEPT, since=1)}).raised == [("T2", HELD)]
    assert changes([HELD_NOW], {1: replace(KEPT, over=5)}).raised == [("T2", HELD)]
    early = replace(HELD, since=1)
    assert changes([T2._replace(summary=replace(CALM, alerts=(early,)))], {1: KEPT}).raised == [("T2", early)]


def test_one_that_is_gone_is_over() -> None:
    assert changes([T2], {1: KEPT}).over == [KEPT]
    assert changes([T2], {1: replace(KEPT, over=5)}) == ([], [])
    assert changes([], {1: KEPT}).over == [KEPT]  # the table is on this floor no more


def test_what_a_silent_table_would_say_is_not_known() -> None:
    lost = T2._replace(loss=LOST)
    assert [alert.kind for _, alert in changes([lost], {1: KEPT}).raised] == ["unreachable"]
    assert changes([lost], {1: KEPT}).over == []
    unheard = {1: KEPT, 2: replace(KEPT, kind="unreachable", about="")}
    assert changes([WatchedTable("T2")], unheard) == ([], [])  # after a restart, before the first answer
    assert [each.kind for each in changes([HELD_NOW], unheard).over] == ["unreachable"]
