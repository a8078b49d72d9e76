"""A table in a tournament: who may wager what, what is secret, what the record hears; it survives a restart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.games import find, fold, restored, step
from controller.house.game import HouseGame
from controller.house.state import HouseRound
from controller.table import state
from controller.table.documents import Document
from controller.table.duties import due
from controller.table.effects import AnyEffect, Prompted, Refused
from controller.table.facts import (
    Badge,
    CardOut,
    Chips,
    Hold,
    Key,
    Pushed,
    Spot,
    TournamentSeat,
    TournamentTold,
)
from controller.table.state import Seen, Table
from controller.table.view import gate
from controller.tournament.deeds import (
    DeskKey,
    GotUp,
    MarkerUsed,
    PlaceDrawn,
    TableDesignated,
    TableFreed,
    TournamentAsked,
)
from controller.tournament.modes import tournament
from controller.tournament.play import TournamentPlay, chapter, play_in
from controller.tournament.reports import BeganReport, EndedReport
from controller.views.cards import judged, public
from controller.views.fact_text import tell
from tests.table.telling import Telling

LEFT = {"secret": 1, "all-in": 1, "pass": 1}
ANN = TournamentSeat("1", "Ann", 100_000, left=LEFT)
BOB = TournamentSeat("2", "Bob", 100_000, left=LEFT)
CY = TournamentSeat("3", "Cy", 100_000, left=LEFT)
CUP = TournamentTold("CUP", 1, 1, 1000, 50_000, seats=(ANN, BOB))
POKER = TournamentTold("CUP", 1, 1, 500, 1000, seats=(ANN, BOB))


def designated(game: str = "casino-war", news: TournamentTold = CUP) -> Telling:
    t = Telling(game)
    t.tell(news)
    return t


def own(t: Telling) -> TournamentPlay:
    play = play_in(t.table)
    assert play is not None
    return play


def refused(t: Telling, words: str) -> str:
    """Returns the rule by which a key is refused; "" when it is taken."""
    return next((effect.rule or "-" for effect in t.key(words) if isinstance(effect, Refused)), "")


def asked(t: Telling, words: str) -> list[object]:
    return [effect.deed for effect in t.key(words) if isinstance(effect, TournamentAsked)]


def lose(t: Telling) -> None:
    t.draw("2h 3d Kd")
    t.key("settle")


# ---- what the record says


def test_a_table_takes_level_people_and_banks_and_gives_them_back() -> None:
    t = designated()
    assert t.table.seats == {"1": "Ann", "2": "Bob"}
    assert (t.table.options["min"], t.table.options["max"]) == ("10", "500")
    t.tell(replace(CUP, level=2, least=2000, seats=(BOB,)))
    assert t.table.seats == {"2": "Bob"}
    assert t.table.options["min"] == "20"
    t.tell(TournamentTold(""))
    assert not t.table.seats and not t.table.mode.kind
    assert (t.table.options["min"], t.table.options["max"]) == ("5", "500")
    t.tell(TournamentTold(""))  # once more: nothing
    assert not t.table.mode.kind


def test_what_comes_within_a_round_holds_after_it() -> None:
    t = designated()
    t.bet(1, war=10)
    t.tell(replace(CUP, level=2, least=2000, recorded=1))
    assert (own(t).now.level, own(t).latest.level) == (1, 2)
    t.bet(2, war=10)
    t.key("no-more-bets")
    lose(t)
    assert own(t).now.level == 2
    assert t.table.options["min"] == "20"


def test_nobody_waits_for_the_wager_of_who_went_out_in_the_round() -> None:
    t = designated()
    t.bet(1, war=10)
    assert refused(t, "no-more-bets") == "10.4.4(b)"
    t.tell(replace(CUP, recorded=1, seats=(ANN, replace(BOB, out="10.4.8(a)(ii)"))))
    assert refused(t, "no-more-bets") == ""


def test_limits_that_the_table_cannot_have_change_nothing() -> None:
    t = designated(news=replace(CUP, least=-5, seats=(*CUP.seats, TournamentSeat("99", "Zoe", 1))))
    assert t.table.options["min"] == "5"
    assert t.table.seats == {"1": "Ann", "2": "Bob"}


def test_a_game_whose_document_knows_no_tournaments_is_played_as_ever() -> None:
    war = find("casino-war")
    plain = Document("004", war.document.citations, war.document.policy, war.document.powers)

    class Outside(type(war)):  # type: ignore[misc]
        document = plain

    outside = Outside()
    assert isinstance(outside, HouseGame)
    assert tournament(outside) is outside
    with pytest.raises(LookupError):
        chapter(outside)


# ---- what the record is told


def test_rounds_are_reported_and_kept_until_the_record_has_them() -> None:
    t = designated()
    t.bet(1, war=100)
    assert own(t).outbox == [BeganReport(1, 1)]
    t.bet(2, war=50)
    t.key("no-more-bets")
    t.tell(replace(CUP, recorded=1))
    lose(t)
    assert own(t).outbox == [EndedReport(2, 1, {"Ann": -10_000, "Bob": -5_000})]
    closed = gate(t.table, t.game, "bets")
    assert not closed.open and "not on the record of the tournament yet" in closed.why
    assert [each.text for each in due(t.table, t.game)] == [closed.why]
    t.tell(replace(CUP, recorded=2))
    assert own(t).outbox == [] and gate(t.table, t.game, "bets").open


def test_an_outcome_that_is_invalid_is_told_once() -> None:
    t = designated()
    t.bet(1, war=100)
    t.bet(2, war=50)
    t.key("no-more-bets")
    lose(t)
    t.role("casino-manager")
    t.key("invalidate fraud")
    back = EndedReport(3, 1, {"Ann": 10_000, "Bob": 5_000}, rounds=-1, corrects=True)
    assert own(t).outbox[2:] == [back]
    t.key("checked")
    assert len(own(t).outbox) == 3


def test_the_table_is_the_same_after_a_restart_and_from_its_facts() -> None:
    t = designated()
    t.tell(Chips(1, (Spot("war", 1, 5000),), covered=True))
    t.key("marker 2 pass")
    assert restored(state.encode(t.table)) == t.table
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.key("settle")
    again = fold(Table(), [Seen(seq, at, fact) for seq, at, fact in t.facts])
    assert again.mode == t.table.mode
    assert restored(state.encode(t.table)).mode == t.table.mode
    assert own(t).outbox[-1] == EndedReport(2, 1, {"Ann": -5000, "Bob": 0}, {"Ann": ("secret",), "Bob": ("pass",)})


def test_a_round_that_a_card_opened_is_told_to_the_dealer() -> None:
    t = designated(news=replace(CUP, shut=True, rule="10.2.3", why="the director is not present"))
    effects = t.tell(CardOut("Kh"))
    prompts = [effect.prompt for effect in effects if isinstance(effect, Prompted)]
    assert any("should not have begun" in prompt.text and prompt.rule == "10.2.3" for prompt in prompts)


# ---- keys


def test_keys_of_the_desk_are_asked_of_the_record_by_who_is_signed_in() -> None:
    t = designated()
    assert asked(t, "start") == [DeskKey("start", (), "dealer", "")]
    t.tell(Badge("tournament-director", "Dee"))
    assert asked(t, "penalty Ann 5") == [DeskKey("penalty", ("Ann", "5"), "tournament-director", "Dee")]
    assert refused(t, "level x") == "-"
    assert refused(t, "no-more-bets")  # no key of a game


def test_places_are_the_record_s() -> None:
    t = designated()
    assert asked(t, "seat 5 player=Cy") == [PlaceDrawn("", 5, "Cy")]
    assert refused(t, "seat 5") == "10.2.5"
    assert refused(t, "seat 5-6 player=Cy") == "10.2.5"
    assert refused(t, "seat 5 stack=100 player=Cy") == "10.4.3(b)"
    assert refused(t, "seat") == "-"
    assert refused(t, "owner 3 1") == "10.1"
    assert asked(t, "leave 1") == [GotUp("", 1)]
    assert asked(t, "leave 7") == []
    assert refused(t, "leave") == "-"
    t.bet(2, war=10)
    assert asked(t, "leave 2") == [GotUp("", 2)]
    assert "2" not in t.table.seats


def test_absence_and_markers_are_of_players() -> None:
    t = designated()
    assert refused(t, "absent 5") == "10.2.5"
    assert refused(t, "marker 5 pass") == "10.2.5"
    assert asked(t, "marker 5 re-buy") == [MarkerUsed("", 5)]
    t.role("supervisor")
    assert refused(t, "marker 1 min=5") == ""  # a limit of a player's own
    t.bet(1, war=10)
    assert refused(t, "marker 1 pass") == "10.4.4(e)"  # a wager lies there
    assert refused(t, "marker 1 all-in") == ""
    assert refused(t, "marker 1 pass") == "10.4.4(e)"  # one marker in a round
    t.bet(2, war=10)
    t.key("no-more-bets")
    assert refused(t, "marker 2 pass") == "10.4.4(e)"  # betting is closed


def test_all_in_with_a_side_wager_is_what_is_left() -> None:
    t = designated()
    t.bet(1, tie=100)
    assert refused(t, "marker 1 all-in") == ""
    assert t.table.round is not None
    assert t.table.round.wagers == {("1", "tie"): 10_000, ("1", "war"): 90_000}


def test_somebody_who_is_excluded_keeps_nobody_waiting() -> None:
    t = designated()
    t.bet(1, war=10)
    t.role("casino-manager")
    t.key("exclude 2")
    assert refused(t, "no-more-bets") == ""


def test_betting_is_closed_already() -> None:
    t = designated()
    assert refused(t, "no-more-bets")  # nobody has bet
    t.bet(1, war=10)
    t.bet(2, war=10)
    assert refused(t, "no-more-bets") == ""
    assert refused(t, "no-more-bets") not in ("", "10.4.4(b)")


def test_cards_before_everybody_has_wagered() -> None:
    t = designated()
    t.bet(1, war=10)
    effects = t.tell(CardOut("Kh"))
    prompts = [effect.prompt for effect in effects if isinstance(effect, Prompted)]
    assert [(prompt.place, prompt.rule) for prompt in prompts][:1] == [("2", "10.4.4(b)")]


# ---- wagers


def test_what_was_lost_in_this_round_is_no_longer_in_the_bank() -> None:
    t = designated(news=replace(CUP, seats=(replace(ANN, bank=10_000), BOB)))
    t.bet(1, war=40, tie=30)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("2h 3d 4d")  # nobody ties: all is decided
    t.key("settle")
    t.tell(replace(CUP, seats=(replace(ANN, bank=3000), BOB), recorded=2))
    t.bet(1, war=10)
    assert [effect.rule for effect in t.bet(1, war=31) if isinstance(effect, Refused)] == ["10.4.3(b)"]


@pytest.mark.parametrize(("bank", "rules"), [(80, []), (70, ["10.4.3(b)"])])
def test_a_wager_that_is_settled_is_at_stake_no_more(bank: int, rules: list[str]) -> None:
    t = designated(news=replace(CUP, seats=(replace(ANN, bank=100 * bank), BOB)))
    t.bet(1, war=40, tie=20)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("Kh 3d Ks")
    t.key("settle")  # the tie is paid
    assert [effect.rule for effect in t.bet(1, go_to_war=40) if isinstance(effect, Refused)] == rules


def test_chips_that_go_away_are_never_refused() -> None:
    t = designated()
    t.bet(1, war=10)
    assert t.bet(1, war=0) == []
    assert t.bet(9, war=0) == []


# ---- secret wagers


def covered(t: Telling, area: int, dollars: int) -> list[str]:
    effects = t.tell(Chips(area, (Spot("war", 1, 100 * dollars),), covered=True))
    return [effect.rule for effect in effects if isinstance(effect, Refused)]


def test_a_secret_wager_is_nowhere_before_betting_closes() -> None:
    t = designated()
    fact = Chips(1, (Spot("war", 1, 7700),), covered=True)
    t.tell(fact)
    assert t.table.round is None
    assert "77" not in str(t.game.waiting(t.table)) + tell(public(fact)) + str(due(t.table, t.game))
    assert tell(public(fact)) == "area 1: a secret wager"
    assert judged([(5, fact)], t.table, t.game) == ()
    t.bet(2, war=10)
    t.key("no-more-bets")
    assert judged([(5, fact)], t.table, t.game) == ((5, 0),)
    assert "77 on war" in tell(public(fact, (0,)))
    assert t.table.round is not None
    assert t.table.round.wagers["1", "war"] == 7700


def test_a_secret_wager_is_taken_back_or_made_openly() -> None:
    t = designated()
    assert covered(t, 1, 50) == []
    assert covered(t, 1, 0) == []
    assert not own(t).covered
    assert covered(t, 1, 50) == []
    t.bet(1, war=50)  # a sensor that was cut off reads it once more
    assert own(t).covered and t.table.round is None
    t.bet(1, war=60)
    assert not own(t).covered
    assert t.table.round is not None
    assert t.table.round.wagers == {("1", "war"): 6000}


def test_other_spots_of_the_area_leave_a_secret_wager_where_it_is() -> None:
    t = designated()
    covered(t, 1, 50)
    t.bet(1, tie=5)
    assert own(t).covered["1"].spots == (Spot("war", 1, 5000),)
    t.tell(Chips(1, (Spot("tie", 1, 1000),), covered=True))
    assert own(t).covered["1"].spots == (Spot("war", 1, 5000), Spot("tie", 1, 1000))
    t.bet(1, war=50)  # read once more
    assert len(own(t).covered["1"].spots) == 2
    t.tell(Chips(1, (Spot("war", 1, 0), Spot("tie", 1, 2000)), covered=True))
    assert own(t).covered["1"].spots == (Spot("tie", 1, 2000),)
    t.bet(1, tie=0)  # lifted
    assert not own(t).covered


def test_a_secret_wager_that_was_lifted_is_none() -> None:
    t = designated()
    covered(t, 1, 50)
    t.bet(1, war=0)
    assert not own(t).covered


@pytest.mark.parametrize("round_runs", [False, True])
def test_a_table_that_is_held_keeps_the_cover_on(round_runs: bool) -> None:
    t = designated()
    if round_runs:
        t.bet(2, war=10)
    t.tell(Hold("x", "somebody looks"))
    t.bet(1, war=0)
    t.bet(1, tie=5)
    effects = t.tell(Chips(1, (Spot("war", 1, 7700), Spot("tie", 1, 500)), covered=True))
    assert [type(each) for each in effects] == [Refused]
    t.bet(1, war=77)  # a sensor that was cut off reads it once more
    assert "77" not in str(effects) + str(t.table.round) + str(t.game.waiting(t.table))
    t.role("supervisor")
    t.key("resume")
    assert own(t).covered["1"].spots == (Spot("war", 1, 7700), Spot("tie", 1, 500))
    assert t.table.round is None or ("1", "war") not in t.table.round.wagers


def test_chips_of_cash_stay_what_they_are_while_the_table_is_held() -> None:
    t = designated()
    t.tell(Hold("x", "somebody looks"))
    t.bet(1, tie=5)
    t.tell(Chips(1, (Spot("war", 1, 5000),), cash=True))
    t.role("supervisor")
    t.key("resume")
    assert t.table.round is not None
    assert t.table.round.wagers == {("1", "tie"): 500}


def test_a_secret_wager_that_is_refused_is_seen_nowhere() -> None:
    t = designated(news=replace(CUP, seats=(replace(ANN, left={}), BOB)))
    t.bet(2, war=10)
    assert covered(t, 1, 77) == ["10.4.4(c)"]
    felt = t.table.round.play.read(HouseRound) if t.table.round is not None else None
    assert felt is not None and ("1", "war") not in felt.sensed


def test_a_secret_wager_after_the_close_is_a_late_one() -> None:
    t = designated()
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("2h")
    assert covered(t, 1, 20) == ["5.4"]


def test_a_secret_wager_that_is_covered_after_the_announcement_is_open_at_once() -> None:
    t = designated("caribbean-stud", CUP)
    for area in (1, 2):
        t.tell(Chips(area, (Spot("ante", 1, 1000),)))
    t.key("no-more-bets")
    effects = t.tell(Chips(1, (Spot("ante", 1, 1000),), covered=True))
    assert not own(t).covered
    assert not any(isinstance(effect, Refused) for effect in effects)


def test_a_secret_wager_that_cannot_be_taken_any_more_is_told_to_the_dealer() -> None:
    t = designated()
    covered(t, 1, 50)
    t.bet(2, war=10)
    t.role("casino-manager")
    t.key("exclude 1")
    effects = t.key("no-more-bets")
    texts = [effect.prompt.text for effect in effects if isinstance(effect, Prompted)]
    assert any(text.startswith("the secret wager is not taken") for text in texts)


def test_a_card_uncovers_secret_wagers_too() -> None:
    t = designated()
    covered(t, 1, 50)
    t.bet(2, war=10)
    t.tell(CardOut("Kh"))
    assert t.table.round is not None
    assert t.table.round.wagers["1", "war"] == 5000
    assert own(t).secrets == ["1"]


def test_chips_that_came_while_the_table_was_held_are_the_tournament_s() -> None:
    t = designated()
    t.tell(Hold("x", "somebody looks"))
    t.bet(1, war=5000)
    t.role("supervisor")
    t.key("resume")
    assert t.table.round is None  # more than the bank has


# ---- poker


def test_stakes_are_banks() -> None:
    t = designated("holdem", POKER)
    t.do("act 1 post 5", "act 2 post 10")
    t.tell(replace(POKER, seats=(ANN, replace(BOB, bank=50_000)), recorded=1))
    for card, reader in (("Kh", "1"), ("9d", "2"), ("7s", "1"), ("5d", "2")):
        t.do(f"read {reader} {card}")
    t.do("act 1 fold", "settle")
    assert own(t).outbox == [EndedReport(2, 1, {"Ann": -500, "Bob": 500})]
    t.tell(replace(POKER, seats=(BOB,), recorded=2))
    assert t.table.seats == {"2": "Bob"}
    t.tell(TournamentTold(""))
    assert t.table.seats == {} and t.table.options["blinds"] == "5,10"


def test_chips_of_who_may_not_wager_go_back() -> None:
    t = designated("holdem", replace(POKER, shut=True, rule="12.3", why="not started"))
    effects = t.tell(Pushed(1, (500,)))
    assert [effect.prompt.rule for effect in effects if isinstance(effect, Prompted)] == ["12.3"]
    assert t.table.round is None
    t.tell(POKER)
    t.tell(Pushed(1, (500,)))
    assert t.table.round is not None


def test_no_side_wager_is_taken_at_poker() -> None:
    t = designated("holdem", POKER)
    chips = Chips(1, (Spot("red", 1, 1000),))
    rules = [
        effect.rule
        for fact in (chips, replace(chips, covered=True), replace(chips, cash=True), Chips(1, (Spot("red", 1, 0),)))
        for effect in t.tell(fact)
        if isinstance(effect, Refused)
    ]
    assert rules == ["12.4.4", "12.4.4(c)", "12.4.4(a)"]
    assert refused(t, "move 1 5") == "12.4.3(a)(ii)"
    assert asked(t, "move Ann T2") == [DeskKey("move", ("Ann", "T2"), "dealer", "")]
    assert refused(t, "act") == "-"


def test_a_key_at_a_table_without_a_tournament_is_none() -> None:
    t = Telling("casino-war")
    assert [effect for effect in t.tell(Key("start")) if isinstance(effect, Refused)]
    assert step(Table(), 1, 0, CUP)[1]  # no game has begun


# ---- levels of poker


def test_a_table_of_an_older_snapshot_keeps_its_bets() -> None:
    t = Telling("holdem", limit="fixed")
    t.tell(POKER)
    own(t).before.pop("bets")  # as it was kept before levels knew bets
    t.tell(replace(POKER, level=2, least=1000, most=2000))
    assert (t.table.options["blinds"], t.table.options["bets"]) == ("10,20", "10,20")


# ---- who went out since


def test_who_went_out_since_the_round_began_wagers_no_more() -> None:
    t = designated(news=replace(CUP, seats=(ANN, BOB, CY)))
    t.bet(1, war=10)
    t.bet(2, war=10)
    gone = (ANN, replace(BOB, out="10.4.8(b)(vi)"), replace(CY, out="10.4.8(a)(ii)"))
    t.tell(replace(CUP, recorded=1, seats=gone))
    assert _why(t.tell(Chips(3, (Spot("war", 1, 1000),)))) == ["10.4.5(a)"]
    assert _why(t.tell(Chips(2, (Spot("war", 1, 2000),)))) == ["10.4.5(a)"]
    assert _why(t.tell(Chips(2, (Spot("war", 1, 1000),)))) == []  # what lies there is read again
    assert t.table.round is not None
    assert t.table.round.wagers == {("1", "war"): 1000, ("2", "war"): 1000}


def test_nothing_of_who_has_left_a_place_holds_for_who_comes_there() -> None:
    t = designated()
    t.tell(Chips(2, (Spot("war", 1, 5000),), covered=True))
    t.key("absent 2")
    t.key("marker 1 pass")
    effects = t.tell(replace(CUP, seats=(replace(ANN, person="Abe"), replace(BOB, person="Bea"))))
    assert [(each.prompt.place, each.prompt.rule) for each in effects if isinstance(each, Prompted)] == [
        ("2", "10.4.5(a)")
    ]
    assert (own(t).covered, own(t).absent, own(t).passing) == ({}, [], [])


def _why(effects: list[AnyEffect]) -> list[str]:
    return [effect.rule for effect in effects if isinstance(effect, Refused)]


# ---- designation by key


def test_a_manager_asks_for_a_tournament_and_hears_why_not() -> None:
    t = Telling("casino-war", seats="5")
    assert refused(t, "set tournament=CUP") == "10.2.4"
    t.role("area-manager")
    assert refused(t, "set tournament=CUP min=5") == "-"
    assert asked(t, "set tournament=none") == []
    (effect,) = (each for each in t.key("set tournament=CUP") if isinstance(each, TournamentAsked))
    assert (effect.deed, effect.tournament) == (TableDesignated("", "casino-war", 5), "CUP")
    effects = t.tell(TournamentTold("", refused="there is no tournament 'CUP'", refused_rule="10.2.1"))
    assert [each.prompt.rule for each in effects if isinstance(each, Prompted)] == ["10.2.1"]
    assert not t.table.mode.kind
    t.role("dealer")
    t.bet(1, war=10)
    t.role("area-manager")
    assert refused(t, "set tournament=CUP") == "10.2.5"


def test_a_table_of_one_tournament_is_freed_for_another() -> None:
    t = designated()
    t.role("area-manager")
    assert asked(t, "set tournament=CUP") == []
    assert asked(t, "set tournament=none") == [TableFreed("")]
    assert asked(t, "set tournament=Other") == [TableFreed(""), TableDesignated("", "casino-war", 9)]
