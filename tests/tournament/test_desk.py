"""The record of a tournament: what each deed means, what is refused, and that a deed told twice counts once."""

from __future__ import annotations

import pytest

from controller.table.facts import TournamentSeat
from controller.tournament.deeds import (
    GotUp,
    MarkerUsed,
    PeopleEntered,
    PlaceDrawn,
    Substituted,
    TableDesignated,
    TableFreed,
    TableReported,
    TimePassed,
    Withdrew,
)
from controller.tournament.draw import TableSeat
from controller.tournament.news import FREED, news
from controller.tournament.reports import BeganReport, EndedReport
from controller.tournament.standing import everybody, places, pool
from controller.tournament.values import Level
from controller.views.tournament import limits
from tests.tournament.desks import Desk

MINUTE = 60_000


def test_a_key_that_there_is_not_and_words_that_do_not_fit_are_refused() -> None:
    desk = Desk()
    assert [desk.key(words) for words in ("jump", "start now", "level", "penalty Ann", "postpone soon")] == ["-"] * 5
    assert desk.key("postpone " + "9" * 9 + "h") == "10.4.1(b)"  # no clock tells that


def test_a_deputy_of_nobody_is_away_and_nothing_happens() -> None:
    desk = Desk()
    assert desk.key("away Zoe") == ""
    assert desk.cup.present and not desk.cup.deputies


@pytest.mark.parametrize("state", ["withdrawn", "disqualified"])
def test_who_is_gone_cannot_go_again(state: str) -> None:
    desk = Desk(people="Ann Bob Cy")
    assert (desk.do(Withdrew("Ann")) if state == "withdrawn" else desk.key("disqualify Ann")) == ""
    assert desk["Ann"].state == state
    assert desk.do(Withdrew("Ann")) == "10.4.2(d)"
    assert desk.key("disqualify Ann") == "10.4.8(a)(ii)"
    assert desk.key("retire Ann") == "10.4.8(b)(vi)"
    assert desk.key("penalty Ann warning") == "10.4.8(a)(i)"
    assert desk.do(Substituted("Ann", "Dan")) == "10.4.8(a)(iii)"
    assert desk.do(PlaceDrawn("T1", 3, "Ann")) == "10.2.5"
    assert desk.key("move Ann T1") == "10.2.5"
    desk.key("start")
    assert desk.key("rebuy Ann") == "10.4.3(a)(iv)"
    assert desk.key("add-on Ann") == "10.4.1(a)(ii)"


def test_names_that_look_alike_are_refused_where_that_is_asked_for() -> None:
    """The contract of scripts knows no such refusal; a desk of people asks for it."""
    desk = Desk()
    assert desk.do(PeopleEntered(("ann",), apart=True)) == "10.4.2(c)"
    assert desk.do(PeopleEntered(("Zoë", "ZOE\u0308"), apart=True)) == "10.4.2(c)"
    assert desk.do(Substituted("Bob", "ANN", apart=True)) == "10.4.8(a)(iii)"
    assert desk.do(PeopleEntered(("Ann",), apart=True)) == "10.4.2(c)"
    desk.do(Withdrew("Ann"))
    assert desk.do(PeopleEntered(("ann",), apart=True)) == "10.4.2(c)"  # write Ann: who withdrew enters again
    assert desk.do(PeopleEntered(("Ann", "Anne"), apart=True)) == ""
    assert desk.do(Substituted("Bob", "Cem", apart=True)) == ""
    assert desk.do(PeopleEntered(("bob", "ANN"))) == ""


def test_who_withdrew_may_enter_again() -> None:
    desk = Desk()
    desk.do(Withdrew("Ann"))
    assert desk.do(PeopleEntered(("Ann",))) == ""
    assert list(desk.cup.people) == ["Bob", "Ann"]
    assert desk.do(PeopleEntered(("Cy", "Cy"))) == "10.4.2(c)"


def test_a_penalty_needs_a_bank() -> None:
    desk = Desk()
    assert desk.key("penalty Ann 5") == "10.4.8(a)(i)"
    desk.key("start")
    assert desk.key("penalty Ann 5000") == ""  # no more than there is
    assert (desk["Ann"].bank, desk["Ann"].state, desk["Ann"].bank_before) == (0, "out", 100_000)


def test_a_penalty_within_a_round_puts_nobody_out_before_its_end() -> None:
    desk = Desk(people="Ann Bob Cy")
    desk.key("start")
    desk.begin()
    assert desk.key("penalty Ann 5000") == ""
    assert desk["Ann"].state == "in"
    desk.do(TableReported("T1", EndedReport(2, 1, {"Ann": 500})))
    assert (desk["Ann"].bank, desk["Ann"].state) == (500, "out")


def test_the_start_is_put_off_before_a_session_only() -> None:
    desk = Desk(hands="1", sessions="2", progress="2", people="Ann Bob Cy")
    desk.key("start")
    assert desk.key("postpone 5m") == "10.4.1(b)"
    desk.round(Ann=1)
    assert desk.stage() == "break"
    assert desk.key("postpone 5m") == ""
    assert desk.key("start") == "10.4.1(b)"
    desk.at = 5 * MINUTE
    assert desk.key("start") == ""  # nobody is advised of that


def test_who_got_up_for_good_retires_while_a_session_runs() -> None:
    desk = Desk(people="Ann Bob Cy")
    desk.do(GotUp("T1", 1))
    assert desk["Ann"].state == "in"
    desk.key("start")
    desk.do(GotUp("T1", 9))  # nobody sits there
    desk.do(GotUp("T1", 1))
    assert [desk[name].state for name in ("Ann", "Bob", "Cy")] == ["retired", "in", "in"]


def test_nobody_retires_from_what_is_over() -> None:
    desk = Desk(hands="1")
    desk.key("start")
    desk.round(Ann=1)
    assert desk.stage() == "over"
    assert desk.key("retire Ann") == "10.4.8(b)(vi)"
    assert desk.key("add-on Ann") == "10.4.1(a)(ii)"
    assert desk.key("rebuy Ann") == "10.4.3(a)(iv)"
    assert desk.key("end-table T1") == "10.4.8(d)"
    assert desk.key("start") == "10.4.3(a)(i)"


def test_why_somebody_cannot_buy_back() -> None:
    desk = Desk(rebuys="1", bank="100", levels="10-100/20-100", people="Ann Bob Cy")
    desk.key("start")
    desk.round(Ann=-100)
    desk.key("level 2")
    assert desk.key("rebuy Ann") == "10.4.3(a)(iv)"
    assert desk["Ann"].seat is None and desk["Ann"].was == TableSeat("T1", 1)
    desk.key("level 1")
    assert desk.key("rebuy Ann") == "10.4.3(a)(iv)"  # the place was not kept


def test_nobody_buys_back_into_the_next_session() -> None:
    desk = Desk(rebuys="1", re_buy="1", bank="100", hands="1", sessions="2", progress="2", people="Ann Bob Cy")
    desk.key("start")
    desk.round(Ann=-100)
    assert desk.key("start") == ""
    assert desk.key("rebuy Ann") == "10.4.3(a)(iv)"


def test_a_marker_of_nobody() -> None:
    desk = Desk(re_buy="1")
    desk.key("start")
    assert desk.do(MarkerUsed("T1", 5)) == "10.2.5"
    assert desk.do(MarkerUsed("T1", 1)) == "10.4.4(f)"


def test_a_marker_of_who_is_out_for_good() -> None:
    desk = Desk(re_buy="1", bank="100", people="Ann Bob Cy")
    desk.key("start")
    desk.round(Ann=-100)
    assert desk.do(MarkerUsed("T1", 1)) == ""
    desk.round(Ann=-100)
    assert desk["Ann"].seat is None
    assert desk.do(MarkerUsed("T1", 1)) == "10.4.4(f)"


def test_a_table_is_designated_once_and_freed_when_all_is_over() -> None:
    desk = Desk(hands="1")
    assert desk.do(TableDesignated("T1", "casino-war", 7)) == ""
    assert list(desk.cup.tables) == ["T1"]
    assert desk.do(TableFreed("T9")) == "10.2.4"
    assert desk.do(TableFreed("T1")) == "10.2.5"
    desk.key("start")
    desk.round(Ann=1)
    assert desk.do(TableDesignated("T2", "casino-war", 7)) == "10.2.4"
    assert desk.do(TableFreed("T1")) == ""
    assert news(desk.cup, "T1") == FREED
    assert desk.cup.level == 1
    desk.round(Ann=5)  # of a table that is the tournament's no more
    assert desk["Ann"].bank == 100_100


def test_places_of_the_draw() -> None:
    desk = Desk(tables=2)
    assert desk.do(PlaceDrawn("T9", 1, "Ann")) == "10.2.4"
    assert desk.do(PlaceDrawn("T1", 8, "Ann")) == "10.4.3(a)(ii)"
    assert desk.do(PlaceDrawn("T1", 2, "Ann")) == ""
    assert desk.do(PlaceDrawn("T1", 2, "Ann")) == ""  # the same once more
    desk.key("start")
    assert desk.do(PlaceDrawn("T1", 5, "Ann")) == "10.4.3(a)(ii)"


def test_the_draw_for_the_next_session() -> None:
    desk = Desk(tables=2, people="Ann Bob Cy Dan", hands="1", sessions="2", progress="1")
    desk.key("start")
    desk.round("T1", Ann=1)
    desk.round("T2", Bob=1)
    assert desk.stage() == "break"
    assert desk.do(PlaceDrawn("T1", 6, "Bob")) == ""
    desk.key("start")
    assert [desk[name].seat for name in ("Ann", "Bob", "Cy")] == [TableSeat("T1", 1), TableSeat("T1", 6), None]


def test_a_table_of_which_nobody_goes_on_is_none_to_wait_for() -> None:
    desk = Desk(tables=2, people="Ann Bob Cy Dan Eve", hands="1", bank="100")
    desk.key("start")
    desk.round("T2", Bob=-100, Dan=-100)
    assert desk.stage() == "running"
    desk.round("T1", Ann=5)
    assert desk.stage() == "over"
    assert places(desk.cup) == {"Ann": 1, "Cy": 2, "Eve": 2, "Bob": 4, "Dan": 4}


def test_only_one_goes_on_so_that_no_session_is_left() -> None:
    desk = Desk(hands="1", sessions="3", progress="1")
    desk.key("start")
    desk.round(Ann=1)
    assert desk.stage() == "over"


def test_a_tournament_of_one_is_played_to_its_end() -> None:
    desk = Desk(people="Ann", players="1-5", hands="2")
    assert desk.key("start") == ""
    desk.round(Ann=5)
    assert desk.stage() == "running"
    desk.round(Ann=5)
    assert desk.stage() == "over"


def test_everybody_is_out_at_once() -> None:
    desk = Desk(bank="100")
    desk.key("start")
    desk.round(Ann=-100, Bob=-100)
    assert desk.stage() == "over"
    assert places(desk.cup) == {"Ann": 1, "Bob": 1}


def test_nobody_is_left_but_some_may_buy_back() -> None:
    desk = Desk(bank="100", rebuys="1", hands="1")
    desk.key("start")
    desk.round(Ann=-100, Bob=-100)
    assert desk.stage() == "running"
    assert desk.key("rebuy Ann") == ""
    assert desk["Ann"].state == "in"


def test_a_report_counts_once() -> None:
    desk = Desk()
    desk.key("start")
    report = TableReported("T1", EndedReport(2, 1, {"Ann": 500, "Zoe": 7}, {"Ann": ("secret",), "Zoe": ("secret",)}))
    for _ in range(3):
        desk.do(report)
    desk.do(TableReported("T1", BeganReport(1, 1)))
    desk.do(TableReported("T9", BeganReport(1, 1)))
    assert desk["Ann"].bank == 100_500
    assert desk["Ann"].spent == {"secret": 1}
    assert desk.cup.tables["T1"].played == 1
    assert desk.cup.tables["T1"].running == 0


def test_a_round_that_was_void_after_all() -> None:
    desk = Desk(bank="100", hands="5", people="Ann Bob")
    desk.key("start")
    desk.round(Ann=-100, Bob=-10)
    assert desk.stage() == "over"
    desk.correct(-1, Ann=100, Bob=10)
    assert desk.stage() == "running"
    assert [(desk[name].state, desk[name].bank) for name in ("Ann", "Bob")] == [("in", 10_000), ("in", 10_000)]
    assert desk["Ann"].seat == TableSeat("T1", 1)
    assert desk.cup.tables["T1"].played == 0


def test_who_comes_back_by_a_correction_gets_another_place_when_theirs_is_taken() -> None:
    desk = Desk(bank="100", hands="5", people="Ann Bob Cy")
    desk.key("start")
    desk.round(Ann=-100)
    assert desk.key("move Cy T1 1") == ""
    desk.correct(-1, Ann=100)
    assert [desk[name].seat for name in ("Ann", "Cy")] == [TableSeat("T1", 3), TableSeat("T1", 1)]


def test_who_comes_back_by_a_correction_may_have_kept_the_place() -> None:
    desk = Desk(bank="100", rebuys="1", people="Ann Bob Cy")
    desk.key("start")
    desk.round(Ann=-100)
    desk.correct(-1, Ann=100)
    assert desk["Ann"].seat == TableSeat("T1", 1)


def test_after_the_award_no_correction_opens_it_again() -> None:
    desk = Desk(bank="100", hands="5")
    desk.key("start")
    desk.round(Ann=-100, Bob=-10)
    desk.key("award")
    desk.correct(-1, Ann=100)
    assert desk.stage() == "over"
    assert [desk[name].bank for name in ("Ann", "Bob")] == [0, 9_000]


def test_a_correction_finds_anew_who_goes_on_and_keeps_when_that_was() -> None:
    desk = Desk(people="Ann Bob Cy Dee", hands="1", sessions="2", progress="2", bank="100")
    desk.key("start")
    desk.round(Ann=50, Bob=40, Cy=-10, Dee=-20)
    assert (desk.stage(), desk["Cy"].state, desk["Bob"].state) == ("break", "out", "in")
    desk.key("retire Ann")
    assert places(desk.cup) == {"Bob": 1, "Ann": 2, "Cy": 3, "Dee": 4}
    desk.correct(0, Bob=-80, Cy=60)
    assert (desk.stage(), desk["Cy"].bank, desk["Bob"].state) == ("break", 15_000, "out")
    assert places(desk.cup) == {"Cy": 1, "Dee": 2, "Ann": 3, "Bob": 4}  # she retired after the session was over


def test_a_session_that_was_taken_back_ends_later_than_who_retired_meanwhile() -> None:
    desk = Desk(people="Ann Bob Cy Dee", hands="1", sessions="2", progress="2", bank="100")
    desk.key("start")
    desk.round(Ann=50, Bob=40, Cy=-10, Dee=-20)
    desk.key("retire Ann")
    desk.correct(-1, Ann=-50, Bob=-40, Cy=10, Dee=20)
    assert desk.stage() == "running"
    desk.round(Bob=-10, Cy=0, Dee=10)
    assert desk.stage() == "break"
    assert places(desk.cup) == {"Dee": 1, "Cy": 2, "Bob": 3, "Ann": 4}


def test_a_correction_keeps_the_order_of_who_went_out() -> None:
    desk = Desk(people="Ann Bob Cy Dee Eve", tables=2, bank="100")
    desk.key("start")
    desk.round("T1", Ann=-50)
    desk.round("T1", Ann=-50, Cy=-100, Eve=0)
    desk.round("T2", Bob=-100)
    assert places(desk.cup) == {"Dee": 1, "Eve": 1, "Bob": 3, "Cy": 4, "Ann": 5}
    desk.correct(0, "T1", Ann=0, Cy=0, Eve=10)
    assert places(desk.cup) == {"Eve": 1, "Dee": 2, "Bob": 3, "Cy": 4, "Ann": 5}


def test_who_gave_up_to_buy_back_stays_retired_whatever_is_corrected() -> None:
    desk = Desk(people="Ann Bob Cy", rebuys="1", bank="100")
    desk.key("start")
    desk.round(Ann=-100, Bob=0, Cy=0)
    desk.key("retire Ann")
    desk.correct(-1, Ann=100)
    assert (desk["Ann"].state, desk["Ann"].bank) == ("retired", 0)


def test_a_practice_round_and_its_correction_change_nothing() -> None:
    desk = Desk()
    desk.key("practice 2")
    desk.do(TableReported("T1", BeganReport(1, 1)))
    desk.do(TableReported("T1", EndedReport(2, 1, {"Ann": 500}, practice=True)))
    desk.do(TableReported("T1", EndedReport(3, 1, {"Ann": -500}, practice=True, corrects=True)))
    assert desk.cup.tables["T1"].practice == 1
    assert desk["Ann"].bank == 0
    desk.key("start")
    assert desk["Ann"].bank == 100_000


def test_what_a_substitute_wins_in_the_round_that_ran() -> None:
    desk = Desk(substitute="always")
    desk.key("start")
    desk.begin()
    assert desk.do(Substituted("Ann", "Cy")) == ""
    assert desk.do(Substituted("Cy", "Dan")) == ""
    desk.do(TableReported("T1", EndedReport(2, 1, {"Ann": 500, "Bob": -500})))
    assert desk["Dan"].bank == 100_500
    assert [one.name for one in everybody(desk.cup)] == ["Ann", "Cy", "Dan", "Bob"]
    assert pool(desk.cup) == 20_000


def test_a_substitute_who_had_withdrawn() -> None:
    desk = Desk(people="Ann Bob Cy")
    desk.do(Withdrew("Cy"))
    assert desk.do(Substituted("Ann", "Cy")) == ""
    assert desk["Cy"].state == "in" and desk["Cy"].entered == 1


def test_moves_to_where_nobody_can_sit() -> None:
    desk = Desk(tables=2, people="Ann Bob Cy")
    desk.key("start")
    assert desk.key("move Ann T9") == "10.2.4"
    assert desk.key("move Ann T2 8") == "10.4.3(a)(ii)"
    assert desk.key("break T9") == "10.2.4"
    assert desk.key("break T2") == ""
    assert desk.key("break T2") == "10.2.4"
    assert desk.key("move Ann T2") == "10.2.4"
    assert desk.key("break T1") == "10.4.3(a)(ii)"


def test_a_full_table() -> None:
    desk = Desk(tables=1, people="A B C D E F G")
    desk.do(TableDesignated("T2", "casino-war", 1))
    desk.key("start")
    assert desk.cup.people["B"].seat == TableSeat("T2", 1)
    assert desk.key("move A T2") == "10.4.3(a)(ii)"
    assert desk.key("break T1") == "10.4.3(a)(ii)"


def test_time_moves_levels_and_ends_sessions() -> None:
    desk = Desk(hands="30m", levels="10-500/20-500/30-500", level_every="10m")
    desk.key("start")
    desk.at = 25 * MINUTE
    desk.do(TimePassed())
    assert desk.cup.level == 3
    desk.at = 24 * MINUTE  # a clock that was set back
    desk.do(TimePassed())
    assert desk.cup.level == 3
    desk.at = 30 * MINUTE
    desk.do(TimePassed())
    assert desk.stage() == "over"


def test_the_news_of_a_table_name_who_plays_and_who_has_played() -> None:
    desk = Desk(bank="100", people="Ann Bob Cy", secret="2")
    desk.key("start")
    desk.round(Ann=-100, Bob=-10)
    assert news(desk.cup, "T1").seats == (
        TournamentSeat("2", "Bob", 9_000, left={"secret": 2}),
        TournamentSeat("3", "Cy", 10_000, left={"secret": 2}),
        TournamentSeat("1", "Ann", 0, "10.4.5(a)", {"secret": 2}),
    )
    desk.key("move Cy T1 1")
    assert [seat.person for seat in news(desk.cup, "T1").seats] == ["Bob", "Cy"]


def test_a_level_of_poker_is_told_by_all_its_blinds_and_an_older_one_by_the_first_and_the_last() -> None:
    cup = Desk("holdem", people="Ann Bob", bank="100").cup
    assert limits(cup, Level(500, 2000, (500, 1000, 2000))) == "$5 / $10 / $20"
    assert limits(cup, Level(500, 1000)) == "$5 / $10"
