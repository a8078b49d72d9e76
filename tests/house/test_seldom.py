"""Keys and readings at house games where they do not apply: each is refused, or told with a rule."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.house.changes import carry_out
from controller.house.games.casino_war import CasinoWar
from controller.house.layout import Layout
from controller.house.script import Script
from controller.rules import Cited
from controller.table import facts as f
from controller.table.facts import AnyFact
from controller.table.requests import Request
from controller.table.state import Table, clone
from tests.table.telling import Telling

THREE_CARD = ("bet 1 ante=10 pair-plus=5", "no-more-bets", "draw Kh Qs 5d 3d 2c 2h")
ULTIMATE_VIC = ("bet 1 ante=10 blind=10", "no-more-bets", "draw Kh Qs 5d 3d")
CARIBBEAN = ("bet 1 ante=10", "no-more-bets", "draw Kh Qs 5d 3d 2c 2h 9c 9d Tc Td")
MISSISSIPPI = ("bet 1 ante=10", "no-more-bets", "draw Kh Qs")
WAR = ("bet 1 war=10", "no-more-bets", "draw Kh 5c")
SUPERVISOR = "role supervisor"

MOMENTS: list[tuple[str, tuple[str | AnyFact, ...], str]] = [
    ("three-card-poker", ("bet 99 ante=10",), "refused: this table has 9 places (2.1)"),
    ("three-card-poker", ("bet 1 play=10",), "refused: this wager is not offered here now (5.5.3)"),
    ("three-card-poker", ("bet 1 ante=10", "exposed 1"), "no card was dealt yet (7.3)"),
    ("three-card-poker", (*THREE_CARD, "exposed 5"), "no cards lie there (9.1)"),
    ("three-card-poker", (*THREE_CARD, "short 5"), "this area has no wager (9.4)"),
    ("three-card-poker", (*THREE_CARD, "order known"), "refused: no cards left together (9.4)"),
    ("three-card-poker", (*THREE_CARD, "stray 1"), "this area has a wager (9.7)"),
    ("three-card-poker", (*THREE_CARD, "burn 5"), "no stray cards lie there (9.8)"),
    ("three-card-poker", (*THREE_CARD, "viewed 1"), "the players may look at their cards (7.5.1)"),
    ("three-card-poker", (*THREE_CARD, "check 1"), "refused: each player folds or plays (7.5.2)"),
    ("three-card-poker", (*THREE_CARD, "taken 5 Kh"), "nothing is at stake there (9.9)"),
    ("three-card-poker", (*THREE_CARD, SUPERVISOR, "misdeal"), "refused: nothing was reported that makes a misdeal"),
    ("three-card-poker", (*THREE_CARD, SUPERVISOR, "void 1"), "refused: this key does not apply now (9)"),
    ("three-card-poker", (f.Shuffled(52, False),), "the cards are out of play: replace them (3.1)"),
    ("ultimate-texas-holdem-vic", (*ULTIMATE_VIC, "announced"), "the players may decide (7.4.1)"),
    ("ultimate-texas-holdem-vic", (*ULTIMATE_VIC, "keep 5"), "refused: nothing was offered there (11.6)"),
    ("ultimate-texas-holdem-vic", (*ULTIMATE_VIC, "taken 5 Kh"), "nothing is at stake there (11.7)"),
    ("ultimate-texas-holdem-vic", (*ULTIMATE_VIC, SUPERVISOR, "order known"), "refused: no cards left together (11.3)"),
    ("ultimate-texas-holdem-vic", (*ULTIMATE_VIC, SUPERVISOR, "burn 5"), "no cards were reported there (11.6)"),
    (
        "ultimate-texas-holdem-vic",
        (*ULTIMATE_VIC, "exposed 5"),
        "no card was dealt face down there: the round goes on (7.4.9)",
    ),
    (
        "ultimate-texas-holdem-vic",
        (*ULTIMATE_VIC, "role area-manager", "misdeal"),
        "refused: nothing was reported that makes a misdeal (11.5)",
    ),
    ("caribbean-stud", (*CARIBBEAN, "short 5"), "no cards were due there (13.2)"),
    ("caribbean-stud", (*CARIBBEAN, "short dealer all"), "count all the cards by spreading each hand (13.3)"),
    ("caribbean-stud", (*CARIBBEAN, "viewed 1"), "noted: this document asks for nothing here (8.5.5)"),
    ("caribbean-stud", (*CARIBBEAN, SUPERVISOR, "order known"), "refused: no cards left together (13.3)"),
    ("caribbean-stud", (*CARIBBEAN, "keep 1"), "refused: nobody was asked to take wagers back (13.2.2(b))"),
    ("caribbean-stud", (*CARIBBEAN, "count 52", "count 52"), "all 52 cards are there (13.6)"),
    (
        "caribbean-stud",
        (*CARIBBEAN, SUPERVISOR, "void"),
        "refused: no wrong number of cards was reported there (13.2.2)",
    ),
    ("caribbean-stud", ("bet 1 ante=10", SUPERVISOR, "refuse 2 ante"), "refused: there is no such wager (16.11)"),
    ("mississippi-stud", (*MISSISSIPPI, "exposed 5"), "no card lies there (13.1)"),
    (
        "ultimate-texas-holdem-nsw",
        ("bet 1 ante=10 blind=10", "draw 9d", "excess flop", SUPERVISOR, "order known"),
        "the game goes on: that card is the next one (13.3.1)",
    ),
    ("casino-war", (*WAR, SUPERVISOR, "looked"), "this game does not ask for that (7.3.1)"),
    ("casino-war", (f.HouseChanged("method", "9" * 50),), "must be one of A, B; it is not followed (6.4)"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "deeds", "text"), MOMENTS, ids=[f"{game}: {deeds[-1]}" for game, deeds, _ in MOMENTS])
def test_what_is_heard(game: str, deeds: tuple[str | AnyFact, ...], text: str) -> None:
    said = Telling(game).do(*deeds)
    assert any(text in each for each in said), said


def test_a_jackpot_is_not_closed_while_a_game_is_running() -> None:
    t = Telling("mississippi-stud", jackpot="nsw")
    said = t.do("bet 1 ante=10 jackpot=5", "no-more-bets", "role area-manager", "close-jackpot North")
    assert said == ["refused: a jackpot game is running (11.2.1(g))"]


def test_options_that_contradict_each_other_open_no_table() -> None:
    t = Telling("caribbean-stud", approved_min="20", min="10")
    assert t.table.game == "" and [refused.rule for refused in t.refusals()] == ["7.2.2"]


def test_no_change_of_a_ruling_is_passed_over() -> None:
    with pytest.raises(TypeError, match="nobody has said how"):
        carry_out(object(), None, "9.1")  # type: ignore[arg-type]


def test_a_machine_that_says_it_again_is_heard_once() -> None:
    """The cards are out of play already: nobody is called a second time."""
    t = Telling("three-card-poker")
    assert t.do(f.Shuffled(52, False)) != []
    assert t.do(f.Shuffled(52, False)) == []
    assert t.table.deck.bad == "3.1"


def test_what_is_no_wrong_number_does_not_join_the_count() -> None:
    """Another report waits for the count, and is ruled on after it (001 9.5)."""
    t = Telling("three-card-poker")
    assert t.do(*THREE_CARD, "short 1", "exposed dealer") == ["answer the open question first (9.5)"]
    assert t.table.talk is not None and t.table.talk.later == [f.Key("exposed", ("dealer",))]


def test_a_count_that_is_no_answer_to_the_open_question_does_not_verify_the_cards() -> None:
    t = Telling("caribbean-stud", shoe="shuffler")
    t.do(*CARIBBEAN, "short 1", f.DeviceFault("shuffler", "shuffler.count-wrong", "51 cards"))
    assert t.do("count 52") == ["answer the open question first (13.2.2)"]
    assert t.table.deck.unverified == "13.12"


class Ring(Request, frozen=True):
    """A request that only one game knows."""


class RingingWar(CasinoWar):
    """Casino War that waits for a bell."""

    def play(self, f: Layout) -> Script:
        yield (Ring("7.2"),)


def test_a_request_that_only_the_game_knows_is_told_by_its_name() -> None:
    t = Telling("casino-war")
    t.do("bet 1 war=10", "no-more-bets")
    assert RingingWar().duties(clone(t.table), None) == [Cited("7.2", "ring")]


@pytest.mark.parametrize(("game", "deeds"), [("casino-war", WAR), ("three-card-poker", THREE_CARD)])
def test_no_cards_are_judged_where_there_is_no_jackpot(game: str, deeds: tuple[str, ...]) -> None:
    t = Telling(game)
    t.do(*deeds)
    assert t.game.jackpot_cards(t.felt, "1") is None


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker", "caribbean-stud"])
def test_what_a_house_game_has_nothing_of(game: str) -> None:
    rules = find(game)
    assert list(rules.moments(Table())) == [] and rules.left_on_table(Table()) == ""
    t = Telling(game)
    assert rules.belongings(t.table) == {"cards": None}


def test_what_belongs_to_a_running_round() -> None:
    t = Telling("three-card-poker")
    t.do(*THREE_CARD)
    assert find("three-card-poker").belongings(t.table) == {"cards": THREE_CARD[2].split()[1:]}
