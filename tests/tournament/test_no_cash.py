"""A round of a tournament is on record, and in no report of cash: neither staked, nor won, nor in the float."""

from __future__ import annotations

from controller.table.facts import TournamentSeat, TournamentTold
from controller.views.receipt import lines as receipt
from controller.views.record import cash
from controller.views.record_text import lines
from controller.views.report import report
from tests.views.following import Following

CUP = TournamentTold("CUP", 1, 1, 1000, 50_000, seats=(TournamentSeat("1", "Ann", 100_000),), recorded=9)


def test_a_round_of_a_tournament_is_on_record_and_in_no_report() -> None:
    t = Following("casino-war")
    t.tell(CUP)
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d")
    t.key("settle")
    t.tell(TournamentTold(""))
    t.bet(1, war=20)
    t.key("no-more-bets")
    t.draw("2h 9c")
    t.key("settle")
    cup, money = t.records
    assert (cup.tournament, money.tournament) == ("CUP", "")
    assert list(cash(t.records)) == [money]
    (counted,) = report(t.records)
    assert (counted.rounds, counted.total.staked, counted.total.house) == (1, "20.00", "20.00")
    assert any("tournament CUP" in line for line in lines(cup))
    assert any("tournament CUP" in line for line in receipt(cup))
    assert not any("tournament" in line for line in (*lines(money), *receipt(money)))
