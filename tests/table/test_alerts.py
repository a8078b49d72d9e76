"""Alerts of the floor: kept by facts alone until their cause is gone and somebody with the power acknowledges them."""

from __future__ import annotations

from controller.games import step
from controller.table.effects import Refused
from controller.table.facts import AlertAcknowledged, AlertOver, AlertRaised, Amend, Hold, Noted, Started
from controller.table.state import KeptAlert, decode, encode
from tests.table.telling import Telling

HELD = AlertRaised("T2", "held", "a1", "The table is held.", 5)
OVER = AlertOver("T2", "held", "a1")


def alert_of(t: Telling, fact: AlertRaised = HELD) -> int:
    """Raises an alert; its number."""
    t.tell(fact)
    return t.seq


def acknowledge(t: Telling, number: int, role: str = "supervisor", person: str = "Floor Eight") -> list[str]:
    effects = t.tell(AlertAcknowledged(number, "T2", "held", "The table is held.", person, role, "page 127.0.0.1"))
    return [effect.why for effect in effects if isinstance(effect, Refused)]


def kept(t: Telling) -> dict[int, KeptAlert]:
    return t.table.alerts


def test_an_alert_stays_when_its_cause_is_gone_until_somebody_acknowledges_it() -> None:
    t = Telling()
    number = alert_of(t)
    t.at = 77
    t.tell(OVER)
    assert kept(t)[number].over == 77
    assert acknowledge(t, number) == []
    assert kept(t) == {}


def test_one_that_was_acknowledged_stays_known_until_its_cause_is_gone() -> None:
    t = Telling()
    number = alert_of(t)
    assert acknowledge(t, number) == []
    assert kept(t)[number].by == "Floor Eight"
    t.tell(OVER)
    assert kept(t) == {}


def test_the_same_cause_is_counted_and_after_an_acknowledgement_begins_anew() -> None:
    t = Telling()
    number = alert_of(t)
    t.tell(OVER)
    t.tell(HELD)
    assert (kept(t)[number].times, kept(t)[number].over) == (2, 0)
    acknowledge(t, number)
    again = alert_of(t)
    assert {key: (each.times, each.by) for key, each in kept(t).items()} == {again: (1, "")}
    t.tell(AlertRaised("T3", "held", "a1", "The table is held.", 5))
    assert len(kept(t)) == 2  # of another table


def test_only_a_supervisor_or_somebody_above_acknowledges_and_each_alert_once() -> None:
    t = Telling()
    number = alert_of(t)
    for role in ("dealer", "technician", "inspector", "owner", ""):
        assert acknowledge(t, number, role) == ["this needs the supervisor"]
    assert not kept(t)[number].by
    assert acknowledge(t, number, "area-manager") == []
    assert acknowledge(t, number, person="Bay Six") == ["Floor Eight has acknowledged this alert already"]
    assert acknowledge(t, 4711) == ["somebody has acknowledged this alert already"]


def test_they_outlive_a_snapshot_and_another_configuration() -> None:
    t = Telling()
    number = alert_of(t)
    assert decode(encode(t.table)).alerts == kept(t)
    t.tell(Started("casino-war", dict(t.table.begun.options) if t.table.begun else {}))
    assert list(kept(t)) == [number]


def test_the_game_does_not_notice_them() -> None:
    t = Telling()
    t.bet(1, war=10)
    t.tell(Noted("shoe", "CardsLow"))
    before = t.table
    alert_of(t)
    t.tell(OVER)
    assert t.table.live == before.live and t.table.history == before.history
    t.tell(Hold("x", "y"))
    assert acknowledge(t, 4) == []  # a table that is held watches others all the same


def test_a_correction_of_the_round_keeps_them() -> None:
    t = Telling()
    t.bet(1, war=10)
    wager = t.seq
    number = alert_of(t)
    table, _ = step(t.table, t.seq + 1, 0, Amend(wager, None))
    assert list(table.alerts) == [number]
    assert table.round is None or not table.round.wagers
