"""Takes and pays at a table against the house, by the option `takes`."""

from __future__ import annotations

from controller.guard.takes import find
from controller.house.takes import settled
from controller.places import JACKPOT
from controller.table.facts import DeviceFault, Hold, Key, ProtectionCleared, ProtectionRaised
from controller.table.state import Line, clone
from controller.table.takes import NO_TAKES, PATIENCE
from controller.table.view import gate
from tests.table.telling import Telling


def war(takes: str, *areas: int) -> Telling:
    """A round of Casino War that area 1 wins and area 2 loses, with these areas besides; it is settled."""
    t = Telling("casino-war", takes=takes)
    for area in (1, 2, *areas):
        t.bet(area, war=10)
    t.draw(" ".join(["Kh", "2d", *["5c"] * len(areas), "9s"]))
    t.key("settle")
    assert t.table.round is not None and t.table.round.outcome == "settled"
    return t


def texts(t: Telling) -> list[str]:
    return [each.text for each in find(t.table, t.game)]


def next_betting_closes(t: Telling) -> None:
    t.bet(3, war=10)
    t.key("no-more-bets")


def test_nothing_is_watched_unless_it_is_asked_for() -> None:
    t = war("off")
    assert t.table.takes is NO_TAKES
    t.bet(1, war=20)
    assert t.table.round is not None and t.table.round.number == 2  # chips are the next wager, as they always were


def test_chips_that_are_paid_are_no_wager_until_they_are_lifted() -> None:
    t = war("watch")
    t.bet(2, war=0)
    t.bet(1, war=20)
    assert t.table.number == 1
    t.bet(1, war=0)
    assert t.table.takes == NO_TAKES and texts(t) == []
    t.bet(1, war=25)
    assert t.table.number == 2


def test_a_stake_that_is_left_there_is_the_next_wager() -> None:
    t = war("watch")
    t.bet(1, war=20)
    t.bet(1, war=10)
    assert t.table.number == 2 and t.table.round is not None
    assert t.table.round.wagers == {("1", "war"): 1000}


def test_a_lost_wager_that_is_not_taken_and_wrong_payments_are_found_when_the_next_betting_closes() -> None:
    t = war("watch")
    t.bet(1, war=25)
    next_betting_closes(t)
    assert texts(t) == [
        "Round 1, area 2, war: 10 of a lost wager was not taken.",
        "Round 1, area 1, war: 5 more than was due was paid.",
    ]
    assert t.table.round is not None and ("2", "war") not in t.table.round.wagers


def test_short_payments_are_found_when_they_are_lifted_and_chips_on_a_lost_wager_at_once() -> None:
    t = war("watch")
    t.bet(1, war=15)
    t.bet(1, war=0)
    t.bet(2, war=50)
    assert texts(t) == [
        "Round 1, area 1, war: 5 less than was due was paid.",
        "Round 1, area 2, war: 40 was put on a lost wager after it was settled.",
    ]


def test_a_winning_stake_that_is_lifted_and_put_back_with_the_payment_was_exchanged() -> None:
    t = war("watch")
    t.bet(2, war=0)
    t.bet(1, war=0)
    t.bet(1, war=20)
    assert t.table.number == 1 and texts(t) == []
    t.bet(1, war=0)
    assert t.table.takes == NO_TAKES
    t.bet(1, war=20)
    assert t.table.number == 2  # now it is a wager


def test_a_stake_that_was_swapped_for_chips_of_its_value_is_no_wager_once_it_is_paid() -> None:
    t = war("watch")
    t.bet(2, war=0)
    t.bet(1, war=0)
    t.bet(1, war=10)  # it may be a wager
    assert t.table.round is not None and t.table.round.wagers == {("1", "war"): 1000}
    t.bet(1, war=20)
    assert t.table.round.wagers == {}
    t.bet(1, war=0)
    next_betting_closes(t)
    assert texts(t) == [] and t.table.round.wagers == {("3", "war"): 1000}


def test_a_winner_who_was_never_paid_is_found_when_betting_closes_and_plays_on() -> None:
    t = war("watch")
    t.bet(2, war=0)
    t.bet(1, war=0)
    t.bet(1, war=15)
    t.bet(1, war=0)
    t.bet(1, war=10)
    assert texts(t) == []
    next_betting_closes(t)
    assert texts(t) == ["Round 1, area 1, war: 10 less than was due was paid."]
    assert t.table.round is not None and set(t.table.round.wagers) == {("1", "war"), ("3", "war")}
    assert not t.table.takes.waiting


def test_too_much_that_is_put_back_in_exchange_for_a_stake_is_found() -> None:
    t = war("watch")
    t.bet(2, war=0)
    t.bet(1, war=0)
    t.bet(1, war=50)
    t.bet(1, war=0)
    next_betting_closes(t)
    assert texts(t) == ["Round 1, area 1, war: 10 less than was due was paid."]


def test_a_payment_that_was_taken_back_and_the_stake_lifted_is_no_exchange() -> None:
    t = war("watch")
    for amount in (25, 10, 0):
        t.bet(1, war=amount)
    assert texts(t) == ["Round 1, area 1, war: 5 more than was due was paid."]


def test_hold_waits_for_the_payment_of_a_stake_that_is_exchanged() -> None:
    t = war("hold")
    t.bet(2, war=0)
    t.bet(1, war=0)
    t.bet(3, war=10)  # refused
    assert t.table.number == 1 and gate(t.table, t.game, "bets").why.endswith("war at 1")
    t.bet(1, war=20)
    t.bet(1, war=0)
    t.bet(3, war=10)
    assert t.table.number == 2 and texts(t) == []


def test_chips_that_came_late_and_lie_there_still_are_found_at_the_settlement() -> None:
    t = Telling("casino-war", takes="watch")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.draw("Kh 2d 9s")
    t.bet(1, war=60)  # refused
    t.bet(3, war=25)
    t.bet(4, war=25)
    t.bet(4, war=0)  # handed back
    assert texts(t) == []
    t.key("settle")
    assert texts(t) == [
        "Round 1, area 1, war: 50 came after betting was closed and lies there still.",
        "Round 1, area 3, war: 25 came after betting was closed and lies there still.",
    ]


def test_a_sensor_that_fails_accuses_nobody() -> None:
    t = Telling("casino-war", takes="watch")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.draw("Kh 2d 9s")
    t.tell(DeviceFault("sensor.1", "sensor.dark"))
    t.key("settle")
    assert list(t.table.takes.waiting) == [("2", "war")]
    t.tell(DeviceFault("sensor.2", "sensor.dark"))
    next_betting_closes(t)
    assert texts(t) == []


def test_a_settlement_that_is_reversed_waits_for_nothing() -> None:
    t = war("watch")
    assert set(t.table.takes.waiting) == {("1", "war"), ("2", "war")}
    s = t.game.begin(clone(t.table), t.seq, t.table)
    settled(s, [Line("1", "war", 0, "reversed", 0, ""), Line("2", JACKPOT, 500, "lose", -500, "")])
    assert set(s.t.takes.waiting) == {("2", "war")}


def test_a_void_round_gives_everything_back_and_what_was_wrong_before_stays_known() -> None:
    t = war("watch")
    t.bet(1, war=0)
    t.bet(2, war=0)
    t.bet(1, war=10)
    t.draw("Kh")
    assert len(t.table.takes.wrong) == 1
    t.role("area-manager")
    t.tell(Hold("x", "y"))
    t.key("void")
    assert t.table.round is not None and t.table.round.outcome == "void"
    assert not t.table.takes.waiting and len(t.table.takes.wrong) == 1


def test_a_bonus_is_paid_on_the_ante() -> None:
    t = Telling("three-card-poker", takes="watch")
    t.bet(1, ante=10)
    t.draw("Kh 2c Qh 3d Jh 7s")
    t.bet(1, play=10)
    t.key("settle")
    lines = {(line.spot): line.net for line in t.table.round.lines} if t.table.round is not None else {}
    assert lines.get("ante-bonus", 0) > 0
    want = 1000 + lines["ante"] + lines["ante-bonus"]
    assert t.table.takes.waiting["1", "ante"].want == want
    t.bet(1, ante=want // 100)
    t.bet(1, play=(1000 + lines["play"]) // 100)
    t.bet(1, ante=0, play=0)
    assert t.table.takes == NO_TAKES


def test_hold_takes_no_bets_until_the_last_round_is_taken_and_paid() -> None:
    t = war("hold")
    shut = gate(t.table, t.game, "bets")
    assert not shut.open and shut.why == "the last round is not taken and paid: war at 2"
    t.bet(3, war=10)
    assert t.table.number == 1 and t.refusals()[-1].why == shut.why
    t.bet(2, war=0)
    assert gate(t.table, t.game, "bets").why.endswith("war at 1")
    t.bet(1, war=20)
    assert gate(t.table, t.game, "bets").open  # paid; who lifts it when is the player's matter
    t.bet(3, war=10)
    assert t.table.number == 2 and texts(t) == []


def test_hold_ends_when_a_supervisor_clears_the_alert() -> None:
    t = war("hold")
    t.bet(1, war=15)
    t.bet(1, war=0)
    t.bet(2, war=0)
    assert gate(t.table, t.game, "bets").why == "takes and pays are looked at: war at 1"
    (wrong,) = find(t.table, t.game)
    t.tell(ProtectionRaised("takes", wrong.about, wrong.text))
    alert = t.seq
    t.tell(ProtectionRaised("cards", "x", "y"))
    who = ("Floor Eight", "supervisor", "socket")
    t.tell(ProtectionCleared(t.seq, "cards", "y", "counted", *who))
    t.tell(ProtectionCleared(alert, "takes", wrong.text, "", *who))
    assert not gate(t.table, t.game, "bets").open
    t.tell(ProtectionCleared(alert, "takes", wrong.text, "paid 5", *who))
    assert gate(t.table, t.game, "bets").open


def test_a_wager_that_nobody_takes_is_an_alert_after_a_minute_of_bets_that_wait() -> None:
    t = war("hold")
    t.bet(1, war=20)
    t.bet(3, war=10)
    assert texts(t) == []
    t.at = PATIENCE
    t.bet(3, war=0)
    assert texts(t) == []
    t.bet(3, war=10)
    assert texts(t) == ["Round 1, area 2, war: 10 of a lost wager was not taken."]


def test_a_closed_table_follows_takes_too() -> None:
    t = war("watch")
    t.role("supervisor")
    t.tell(Key("close-table"))
    t.table.open = False
    t.bet(2, war=0)
    assert ("2", "war") not in t.table.takes.waiting


def test_a_bonus_as_large_as_the_lost_ante_is_paid_after_it_was_taken_and_is_no_new_wager() -> None:
    t = Telling("three-card-poker", takes="watch")
    t.bet(1, ante=10)
    t.draw("4h Kd 5c Kh 6s Kc")
    t.bet(1, play=10)
    t.key("settle")
    lines = {line.spot: line.net for line in t.table.round.lines} if t.table.round is not None else {}
    assert (lines["ante"], lines["ante-bonus"]) == (-1000, 1000)
    t.bet(1, ante=0, play=0)
    t.bet(1, ante=10)
    assert t.table.number == 1
    t.bet(1, ante=0)
    assert t.table.takes == NO_TAKES and texts(t) == []


def test_of_a_wager_that_was_pinched_and_lost_no_more_is_due_than_lies_there() -> None:
    t = Telling("casino-war", takes="watch")
    t.bet(1, war=10)
    t.draw("2d 9s")
    t.bet(1, war=4)
    t.key("settle")
    t.bet(1, war=0)
    assert texts(t) == ["Round 1, area 1, war: 6 of the wager was taken off before it was settled."]
