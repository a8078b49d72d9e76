"""What game protection reads in the record of a round."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from controller.table.pace import LONGEST
from controller.views.record import Called, Card, Decision, Hand, Moment, Paid, RoundRecord
from controller.views.round_watch import RoundsGuard, longest, results, times


def at(seq: int, second: int) -> Moment:
    return Moment(seq, f"2026-11-17T20:{second // 60:02}:{second % 60:02}.000+00:00")


PLAIN = RoundRecord(
    number=7,
    table="T1",
    game="casino-war",
    title="Casino War",
    called=Called("area", "round"),
    options={"decks": "6"},
    opened=at(10, 0),
    ended=at(20, 90),
    lasted=90_000,
    outcome="settled",
    rule="",
    hands=(Hand("1", (Card("Kh", at(12, 30)),)), Hand("dealer", (Card("Kd", at(13, 33)), Card("2c", at(15, 50))))),
    decisions=(Decision("1", "go-to-war", "goes to war", at(14, 45)),),
    settlement=(
        Paid("1", "war", "10.00", "stand-off", "0.00"),
        Paid("1", "go-to-war", "10.00", "win", "10.00"),
        Paid("1", "tie", "5.00", "win", "50.00"),
        Paid("2", "war", "10.00", "lose", "-10.00", token="kept"),
        Paid("3", "war", "0.33", "lose", "-0.33"),
    ),
)


def test_wagers_are_read_with_all_that_followed_from_them_and_their_exact_theory() -> None:
    war, tie = results(PLAIN)
    assert (war.place, war.stake, war.net, war.units) == ("1", 1000, 1000, 2)
    assert war.theory == 1000 * Fraction(23138, 993023)
    assert (tie.stake, tie.net, tie.units) == (500, 5000, 1)
    assert not list(results(replace(PLAIN, outcome="void")))
    assert not list(results(replace(PLAIN, options={"decks": "none"})))


def test_every_moment_of_a_round_is_counted_for_what_it_ended_with() -> None:
    took = times(PLAIN)
    assert took.took == {"betting": 30_000, "dealing": 8_000, "decisions": 12_000, "settlement": 40_000}
    assert took.plain and not times(replace(PLAIN, irregular=("hold",))).plain
    assert times(replace(PLAIN, ended=None, hands=(), decisions=())).took == {}


def test_a_round_is_followed_once_and_what_is_sure_is_told() -> None:
    guard = RoundsGuard()
    assert guard.follow(PLAIN) == [] and guard.follow(PLAIN) == []
    assert guard.follow(replace(PLAIN, opened=at(21, 0), ended=None)) == []
    slow = replace(PLAIN, number=8, opened=at(30, 0), ended=at(40, 1200))
    (told,) = guard.follow(slow)
    assert (told.kind, told.about, told.round) == ("pace", "settlement 8", 8)


def test_the_options_of_the_table_say_how_long_the_parts_of_a_round_may_take() -> None:
    quick = replace(PLAIN, options={**PLAIN.options, "pace-settlement": "39s", "pace-decisions": "none"})
    assert [told.about for told in RoundsGuard().follow(quick)] == [f"settlement {PLAIN.number}"]
    assert longest(quick) == {"dealing": 300_000, "settlement": 39_000}
    assert longest(replace(PLAIN, options={"decks": "none"})) == LONGEST
