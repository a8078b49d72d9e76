"""Decks with an identity: where each comes from, who looked through it, what was done with it, why it left."""

from __future__ import annotations

import pytest

from controller.games import defaults
from controller.table.deck_book import (
    NO_DECKS,
)
from controller.table.deck_watch import inspected_for
from controller.table.facts import (
    Badge,
    ClockStepped,
    CuttingCard,
    DeckIn,
    Hold,
    Key,
    Shuffled,
    Started,
)
from controller.table.state import decode, encode, round_runs
from tests.table.deck_deeds import THREE, deal_three, decks, deed, story
from tests.table.telling import Telling

# ---- decks that nobody named


@pytest.mark.parametrize(
    ("game", "options", "colours"),
    [
        ("three-card-poker", {}, [""]),
        ("three-card-poker", {"shoe": "shuffler"}, ["red", "blue"]),
        ("casino-war", {"decks": "4"}, [""] * 4),
        ("casino-war", {"decks": "4", "shoe": "csm"}, [""] * 4),
        ("holdem", {}, [""]),
    ],
)
def test_a_table_starts_with_decks_that_nobody_named(game: str, options: dict[str, str], colours: list[str]) -> None:
    t = Telling(game, **options)
    assert [deck.colour for deck in decks(t, "play")] == colours
    assert not any(deck.serial or deck.inspected for deck in decks(t))
    assert decode(encode(t.table)).decks == t.table.decks


def test_a_table_of_an_older_snapshot_gets_its_decks_with_the_next_fact() -> None:
    t = Telling(THREE)
    t.table.decks = NO_DECKS
    t.bet(1, ante=10)
    assert len(decks(t, "play")) == 1


def test_another_configuration_keeps_named_decks_and_forgets_others() -> None:
    t = Telling(THREE, shoe="shuffler")
    assert t.do(deed("name", deck=1, serial="A1")) == []
    t.tell(Started("casino-war", {**defaults("casino-war"), "decks": "4"}))
    assert [(d.number, d.serial) for d in decks(t, "play")] == [(1, "A1"), (2, ""), (3, ""), (4, "")]
    t.tell(Started(THREE, {**defaults(THREE), "shoe": "shuffler", "backs": "green,blue"}))
    assert [(d.serial, d.standing, d.colour) for d in decks(t)] == [
        ("A1", "reserve", "red"),
        ("", "play", "blue"),
        ("", "play", "green"),
    ]


# ---- what keys tell


def test_the_keys_of_a_round_are_in_the_book_with_who_pressed_them() -> None:
    t = Telling(THREE, gates="manual")
    t.tell(Badge("dealer", "Ann"))
    t.do("checked", "shuffled", "cut 20")
    assert story(t) == ["checked", "shuffled", "cut 20"]
    assert {(x.by.person, x.by.role, x.by.place) for x in t.table.decks.story} == {("Ann", "dealer", "console")}
    deal_three(t)
    assert [(deck.shuffles, deck.hands, deck.inspected) for deck in decks(t)] == [(1, 1, 1)]
    made = t.table.decks.inspection(1)
    assert made is not None
    assert (made.why, made.decks, made.counted, made.rule, made.is_right) == ("gaming", (1,), None, "3.2", True)
    t.do("shuffled")
    assert story(t) == ["shuffled"]
    assert decks(t)[0].shuffles == 2


def test_a_key_from_a_page_names_its_place() -> None:
    t = Telling(THREE, gates="manual")
    t.tell(Key("checked", (), 7, "Eve", "supervisor", "page"))
    by = t.table.decks.story[0].by
    assert (by.person, by.role, by.place) == ("Eve", "supervisor", "page")


def test_a_refused_key_is_not_in_the_book() -> None:
    t = Telling(THREE, gates="manual")
    t.do("shuffled")
    before = t.table.decks
    assert t.do("shuffled") == ["refused: no shuffle is due; the supervisor may order one (4.1.1(c))"]
    assert t.table.decks == before


def test_cards_that_are_shuffled_by_themselves_are_counted_without_a_name() -> None:
    t = Telling(THREE)
    deal_three(t)
    deal_three(t)
    assert [(deck.shuffles, deck.hands) for deck in decks(t)] == [(2, 2)]
    assert [(x.what, x.by.role) for x in t.table.decks.story] == [("shuffled", "")]


def test_a_round_without_a_card_is_no_hand_of_a_deck() -> None:
    t = Telling(THREE)
    t.bet(1, ante=10)
    t.tell(Hold("test.hold", "for a test"))
    t.do("role supervisor", "void")
    assert not round_runs(t.table)
    assert (t.table.number, decks(t)[0].hands) == (1, 0)


@pytest.mark.parametrize(
    ("words", "why", "rule"),
    [
        (("checked", "count 52"), "between", "9.10"),
        (("count 52",), "gaming", "9.10"),
        (("role area-manager", "close-table", "count 52"), "close", "3.2"),
    ],
)
def test_a_count_says_why_it_was_made(words: tuple[str, ...], why: str, rule: str) -> None:
    t = Telling(THREE, gates="manual")
    t.do(*words)
    made = t.table.decks.inspections[-1]
    assert (made.why, made.rule, made.counted, made.expected) == (why, rule, 52, 52)


def test_a_count_that_a_machine_or_a_misdeal_asked_for_says_so() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(Shuffled(51, False))
    t.do("count 52")
    assert t.table.decks.inspections[-1].why == "machine"
    t = Telling("wsop-bonus-holdem")
    t.table.deck.must_be_counted("11.2.2", after_misdeal=True)
    t.do("count 51")
    made = t.table.decks.inspections[-1]
    assert (made.why, made.is_right, made.rule) == ("misdeal", False, "11.2.2")
    assert decks(t)[0].inspected == 0


def test_a_count_in_the_middle_of_a_round_is_an_inspection_too() -> None:
    t = Telling(THREE)
    deal_three(t, end=False)
    t.do("count 52")
    assert (t.table.decks.inspections[-1].why, t.table.decks.story[-1].in_round) == ("round", True)


def test_opening_the_table_asks_for_every_deck_again() -> None:
    t = Telling(THREE, gates="manual")
    t.do("checked", "role area-manager", "close-table", "open-table")
    assert (decks(t)[0].inspected, t.table.deck.checked) == (0, False)


# ---- the cutting card


def test_the_story_of_the_cutting_card() -> None:
    t = Telling("casino-war", gates="manual")
    t.do("checked", "shuffled")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.do("refuse-cut 1", "cut 80", "cutting-card 100", "no-more-bets", "draw 5h")
    t.tell(CuttingCard())
    assert story(t)[-1] == "out 2"
    t.do("draw 6h 7h", "settle")
    expected = ["checked", "shuffled", "offered 1", "declined 1", "offered 2", "cut 2 80", "placed 100", "out 2"]
    assert story(t) == expected
    t.do("shuffled")
    assert story(t) == ["shuffled", "offered 2"]


def test_a_corrected_round_says_who_really_got_the_cutting_card() -> None:
    t = Telling("casino-war", gates="manual")
    t.do("checked", "shuffled", "cut")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.do("no-more-bets", "draw 5h")
    t.tell(CuttingCard())
    t.do("draw 6h 7h", "short 2", "draw 8h", "settle")
    assert [x.at for x in t.table.decks.story if x.what == "out"] == ["dealer"]


def test_everybody_declines() -> None:
    t = Telling("casino-war", gates="manual")
    t.do("checked", "shuffled", "seat 1,2", "refuse-cut 1", "refuse-cut 2", "role supervisor", "cut 60")
    offered = ["offered 1", "declined 1", "offered 2", "declined 2", "offered supervisor", "cut supervisor 60"]
    assert story(t) == ["checked", "shuffled", *offered]


def test_the_cutting_card_of_a_machine_has_no_story() -> None:
    t = Telling("casino-war", shoe="csm")
    t.tell(CuttingCard())
    assert story(t) == []


def test_a_shoe_that_runs_empty_is_shuffled_within_its_story() -> None:
    t = Telling("casino-war", gates="manual")
    t.do("checked", "shuffled", "cut")
    t.bet(1, war=10)
    t.do("no-more-bets", "draw 5h")
    t.table.deck.refill = True
    t.do("shuffled")
    assert story(t) == ["checked", "shuffled", "cut", "shuffled", "offered 1"]
    assert decks(t)[0].shuffles == 2


# ---- machines with two decks


def test_a_machine_that_tells_colours_says_which_deck_is_dealt() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(DeckIn("shuffler", "red"))
    t.tell(Shuffled(52, True))
    t.bet(1, ante=10)
    assert [deck.colour for deck in t.table.decks.dealt] == ["red"]
    t.tell(DeckIn("shuffler", "blue"))
    t.tell(Shuffled(52, True))
    assert [deck.colour for deck in t.table.decks.dealt] == ["red"]
    assert [(deck.colour, deck.shuffles) for deck in decks(t)] == [("red", 1), ("blue", 1)]
    assert t.table.decks.story[-1].by.device


def test_a_machine_that_tells_no_colours_counts_for_both_decks() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(Shuffled(52, True))
    deal_three(t)
    t.tell(Shuffled(51, False))
    assert {(deck.shuffles, deck.hands) for deck in decks(t)} == {(1, 1)}


def test_a_shuffle_of_the_other_deck_is_not_counted_again_when_the_round_opens() -> None:
    t = Telling("wsop-bonus-holdem", shoe="batch")
    t.bet(1, ante=10)
    t.do("no-more-bets", "draw Kh 2c")
    t.tell(Shuffled(52, True))
    t.do("fold 1", "settle")
    t.bet(1, ante=10)
    assert {deck.shuffles for deck in decks(t)} == {2}


@pytest.mark.parametrize(
    ("colour", "text"),
    [
        ("green", "a deck with green backs is in the machine: this table plays with red and blue"),
        ("red", "the deck with red backs is dealt now: put the other one into the machine"),
    ],
)
def test_a_wrong_deck_in_the_machine_is_named(colour: str, text: str) -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(DeckIn("shuffler", "red"))
    deal_three(t, end=False)
    assert t.do(DeckIn("shuffler", colour)) == [f"{text} (3.1.1(b))"]


def test_colours_mean_nothing_where_all_backs_are_alike() -> None:
    t = Telling("casino-war", shoe="csm")
    assert t.do(DeckIn("shuffler", "green")) == []
    assert t.table.decks.in_machine == 0


def test_the_story_tells_the_time_of_day() -> None:
    t = Telling(THREE, gates="manual")
    t.at = 1_000_000
    t.tell(ClockStepped(1_000_000, 9_000_000))  # set right: eight seconds ahead of the table's own time
    t.at = 10_000_000
    t.key("checked")
    t.key("shuffled")
    t.bet(1, ante=10)
    assert {doing.by.at for doing in t.table.decks.story} == {10_000_000}


def test_nobody_tells_of_a_shuffle_before_a_round_and_it_has_its_time() -> None:
    t = Telling(THREE)
    t.at = 1_000_000
    t.tell(ClockStepped(1_000_000, 9_000_000))
    t.at = 10_000_000
    deal_three(t)
    assert {(doing.by.at, doing.by.person) for doing in t.table.decks.story if doing.what == "shuffled"} == {
        (10_000_000, "")
    }


def test_why_cards_are_counted() -> None:
    t = Telling(THREE, shoe="shuffler")
    assert inspected_for(t.table) == "gaming"
    t.tell(Shuffled(51, False))
    assert inspected_for(t.table) == "machine"
    t.key("count 52")
    t.key("checked")
    assert inspected_for(t.table) == "between"
    deal_three(t, end=False)
    assert inspected_for(t.table) == "round"
