"""Decks in the hands of people: brought, checked, counted, unfit, changed, boxed and sealed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.deck import deck_trouble
from controller.table.deck_book import (
    MOST_DECKS,
    MOST_INSPECTIONS,
    MOST_UNFIT,
    MOST_WAITING,
    NO_DECKS,
    DeckRecord,
    Inspection,
    changed,
    with_deck,
    with_inspection,
)
from controller.table.facts import (
    Amend,
    Badge,
    Chips,
    DeckDeed,
    DeckIn,
    Hold,
    Shuffled,
    Spot,
)
from controller.table.state import decode, encode, round_runs
from tests.table.deck_deeds import THREE, UNKNOWN, deal_three, decks, deed, seal, story
from tests.table.telling import Telling

# ---- a deck comes


def test_a_deck_comes_is_checked_and_takes_the_place_of_the_old_one() -> None:
    t = Telling(THREE, gates="manual")
    t.do("checked")
    assert t.do(deed("bring", "dealer", colour="blue", serial="B-17")) == []
    assert t.do(deed("check", "dealer", "Bob", deck=2, count=52)) == []
    t.do("role supervisor", "replaced")
    old, new = decks(t)
    assert (old.standing, old.left and old.left.why, old.left and old.left.rule) == ("out", "replaced", "3.4")
    assert (new.standing, new.serial, new.colour, new.came.person) == ("play", "B-17", "blue", "Ann")
    made = t.table.decks.inspection(new.inspected)
    assert made is not None
    assert (made.why, made.by.person, made.counted) == ("reserve", "Bob", 52)
    assert t.table.deck.checked, "it was checked before it came into play"
    assert story(t) == ["replaced"], "the check was one of the old deck"


def test_cards_without_a_name_are_still_good_when_cards_are_replaced() -> None:
    t = Telling(THREE, gates="manual")
    t.do("checked", "role supervisor", "replaced")
    assert [(d.number, d.standing, d.serial) for d in decks(t)] == [(1, "out", ""), (2, "play", "")]
    assert not t.table.deck.checked


def test_of_the_reserve_the_colour_that_is_missing_comes() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.do(deed("bring", colour="red", serial="R2"), deed("bring", colour="blue", serial="B2"))
    t.do(deed("unfit", deck=2, fault="bent"), "role supervisor", "replaced")
    assert [(d.colour, d.serial) for d in decks(t, "play")] == [("red", ""), ("blue", "B2")]


def test_of_several_decks_one_colour_stays() -> None:
    t = Telling("casino-war", decks="4")
    for number in range(1, 5):
        t.do(deed("name", deck=number, serial=f"R{number}", colour="red"))
    t.do(deed("bring", colour="blue", serial="B1"), deed("bring", colour="red", serial="R5"))
    t.do(deed("unfit", deck=2, fault="soiled"), "role supervisor", "replaced")
    assert [d.serial for d in decks(t, "play")] == ["R1", "R3", "R4", "R5"]
    assert [d.serial for d in decks(t, "reserve")] == ["B1"]


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (deed("eat"), 'nothing is done with decks that is called "eat" ()'),
        (deed("bring", person=""), "somebody has to sign in first: decks are handled by name (1.2)"),
        (deed("bring", "inspector"), "this needs the dealer (3.2)"),
        (deed("bring", "emperor"), "this needs the dealer (3.2)"),
        (deed("bring", colour="Red"), "a colour is one word in small letters (3.1)"),
        (deed("bring", serial="a b"), "a serial number has letters, digits and -_./: only, at most 40 (3.2)"),
        (deed("bring", serial="A1"), "A1 is here already, as deck 1 (3.2)"),
        (deed("bring", serial="a1"), "a1 is here already, as deck 1 (3.2)"),
        (deed("name", deck=1, serial="A2"), "deck 1 is A1 already (3.2)"),
        (deed("name", deck=9, serial="A2"), "there is no deck 9 at this table (3.2)"),
        (deed("name", deck=2), "say the serial number or the code on the box (3.2)"),
        (deed("name", deck=2, serial="A2", colour="blue"), "deck 2 has red backs (3.1)"),
        (deed("check", deck=9), "there is no deck 9 at this table (3.2)"),
        (deed("check", count=10_000), "nobody counts more than 9999 cards here (3.2)"),
        (deed("order", "dealer"), "this needs the supervisor (3.3)"),
        (deed("unfit", "dealer", fault="bent"), "this needs the supervisor (3.4)"),
        (deed("unfit", fault=""), "say what is wrong with them: marked, bent, torn, soiled, misprinted, other (3.4)"),
        (deed("unfit", fault="bent", cards=("Xx",)), "a card is written as rank and suit, such as Kh (3.4)"),
        (deed("change", deck=1, fault="bent"), "say which cards were changed (3.4)"),
        (deed("change", deck=1, fault="bent", cards=("Kh", "Kh")), "a deck has each card once: name it once (3.4)"),
        (seal(1), "deck 1 is in play: replace it first (3.4)"),
        (seal(2, slip=""), "say the number of the slip (3.4)"),
        (seal(2, seal=""), "say the number of the seal (3.4)"),
        (seal(2, witness=""), "say who saw it (3.4)"),
        (seal(2, witness="ANN"), "somebody else has to see it (3.4)"),
        (deed("seal", "dealer", deck=2), "this needs the supervisor (3.4)"),
    ],
)
def test_a_deed_that_cannot_be_is_refused_by_its_rule(wish: DeckDeed, why: str) -> None:
    t = Telling(THREE)
    t.do(deed("name", deck=1, serial="A1"), deed("bring", colour="red"))
    before = t.table.decks
    assert t.do(wish) == [f"refused: {why}"]
    assert t.table.decks == before


def test_a_colour_that_this_machine_has_not_is_refused() -> None:
    t = Telling(THREE, shoe="shuffler")
    assert t.do(deed("bring", colour="green")) == ["refused: this table plays with red and blue backs (3.1.1(b))"]
    assert t.do(deed("bring")) == ["refused: this table plays with red and blue backs (3.1.1(b))"]


def test_deeds_are_done_at_a_table_that_is_held() -> None:
    t = Telling(THREE)
    t.tell(Hold("test.hold", "for a test"))
    assert t.do(deed("bring", serial="A1")) == []
    assert len(decks(t, "reserve")) == 1


# ---- it is looked through


def test_checking_every_deck_opens_the_gate() -> None:
    t = Telling("casino-war", gates="manual", decks="4")
    for number in (1, 2, 3):
        t.do(deed("check", "dealer", deck=number))
        assert not t.table.deck.checked
    t.do(deed("check", "dealer", deck=4, count=52))
    assert t.table.deck.checked
    assert story(t) == ["checked", "checked", "checked", "counted 52"]


def test_a_closed_table_is_counted_by_deed_too() -> None:
    t = Telling(THREE, gates="manual")
    t.do("role area-manager", "close-table", deed("check", "dealer", count=52))
    made = t.table.decks.inspections[-1]
    assert (made.why, made.rule, t.table.deck.checked) == ("close", "3.2", False)


def test_a_wrong_number_takes_cards_in_play_out_and_asks_for_others() -> None:
    t = Telling("wsop-bonus-holdem")
    assert t.do(deed("check", count=51)) == ["the cards are out of play: replace them (11.9)"]
    t.do("role supervisor", "replaced")
    left = decks(t)[0].left
    assert left is not None
    assert (left.why, left.rule) == ("wrong count", "11.9")


def test_a_wrong_number_in_the_reserve_leaves_the_table_alone() -> None:
    t = Telling("wsop-bonus-holdem")
    assert t.do(deed("bring", serial="A1"), deed("check", deck=2, count=53)) == []
    left = decks(t)[1].left
    assert left is not None
    assert (left.why, left.rule, t.table.deck.bad) == ("wrong count", "11.2.2(b)", "")
    why = "refused: A1 left play as deck 2 (wrong count): it does not come back (11.2.2(b))"
    assert t.do(deed("bring", serial="A1")) == [why]
    assert t.do(deed("check", deck=2)) == []
    assert t.table.decks.inspections[-1].why == "left"


def test_cards_are_not_checked_in_the_middle_of_a_hand() -> None:
    t = Telling(THREE)
    deal_three(t, end=False)
    assert t.do(deed("check")) == ["refused: a hand is in progress: press count (3.2)"]


@pytest.mark.parametrize(
    ("game", "rule"), [("holdem", "3.4"), (THREE, "3.3"), ("caribbean-stud", "3.3"), ("wsop-bonus-holdem", "3.3")]
)
def test_a_supervisor_has_the_cards_counted_at_any_time(game: str, rule: str) -> None:
    t = Telling(game)
    assert t.do(deed("order", "supervisor")) == [f"Ann wants the cards counted now ({rule})"]
    assert deck_trouble(t.table, GAMES[game]) is not None
    t.do("count 52")
    made = t.table.decks.inspections[-1]
    assert (made.why, made.rule, made.ordered and made.ordered.person) == ("order", rule, "Ann")
    assert t.table.decks.ordered is None
    assert not t.table.deck.unverified


def test_an_order_is_answered_by_a_deed_too() -> None:
    t = Telling(THREE)
    t.do(deed("order"), deed("check", count=52))
    assert (t.table.decks.ordered, t.table.deck.unverified) == (None, "")
    assert t.table.decks.inspections[-1].why == "order"


def test_who_wants_the_cards_in_play_counted_orders_no_check_of_a_deck_that_waits() -> None:
    t = Telling(THREE)
    t.do(deed("bring", serial="A1"), deed("order", "supervisor"), deed("check", deck=2, count=52))
    made = t.table.decks.inspections[-1]
    assert (made.why, made.decks, made.ordered) == ("reserve", (2,), None)
    assert t.table.decks.ordered is not None


@pytest.mark.parametrize("at_once", [True, False])
def test_an_order_in_the_middle_of_a_hand_waits_for_its_end(at_once: bool) -> None:
    t = Telling(THREE)
    deal_three(t, end=False)
    assert t.do(deed("order", "supervisor")) == ["Ann wants the cards counted when the hand is over (3.3)"]
    if at_once:
        t.do("count 52")
    t.key("fold 1")
    t.key("settle")
    assert t.table.deck.unverified == ("" if at_once else "3.3")
    t.do("count 52")
    why = [made.why for made in t.table.decks.inspections]
    assert why == (["order", "gaming"] if at_once and not t.table.deck.checked else why)
    assert why[0] == "order"


# ---- it is unfit


@pytest.mark.parametrize(
    ("game", "role", "rule"),
    [
        ("holdem", "dealer", "5.3.1"),
        (THREE, "supervisor", "3.4"),
        ("caribbean-stud", "supervisor", "3.4"),
        ("wsop-bonus-holdem", "supervisor", "3.4"),
        ("casino-war", "area-manager", "4.4.2"),
    ],
)
def test_unfit_cards_leave_play_by_the_document(game: str, role: str, rule: str) -> None:
    t = Telling(game)
    wish = deed("unfit", role, fault="marked", cards=("Kh",), note="edge of Kh bitten")
    assert t.do(wish) == [f"the cards are out of play: replace them ({rule})"]
    assert decks(t)[0].unfit[0].note == "edge of ?? bitten"
    t.tell(Badge("supervisor", "Bob"))
    assert t.do("replaced") == []
    left = decks(t)[0].left
    assert left is not None
    assert (left.why, left.rule, left.by.person) == ("unfit", rule, "Bob")
    assert not any(deck.is_unfit for deck in decks(t, "play"))


def test_unfit_cards_of_a_running_hand_leave_when_it_is_over() -> None:
    t = Telling(THREE)
    deal_three(t, end=False)
    naming = deed("unfit", fault="torn", cards=("Kh",))
    assert t.do(naming) == ["refused: a hand is in progress: name the cards when it is over (3.4)"]
    assert t.do(deed("unfit", fault="torn")) == [
        "cards are unfit: they are replaced when the hand is over (3.4)",
    ]
    assert not t.table.deck.bad
    t.key("fold 1")
    t.key("settle")
    assert (t.table.deck.bad, t.table.decks.leaves_after) == ("3.4", "")


def test_a_deck_of_the_reserve_that_is_unfit_only_leaves_the_reserve() -> None:
    t = Telling(THREE)
    assert t.do(deed("bring", serial="A1"), deed("unfit", deck=2, fault="misprinted")) == []
    assert (decks(t)[1].standing, t.table.deck.bad) == ("out", "")
    assert story(t) == [], "the cards that are dealt are others"


def test_what_was_counted_of_other_cards_is_not_the_story_of_those_that_replace_them() -> None:
    t = Telling(THREE, gates="manual")
    t.do("count 51")
    assert story(t) == ["counted 51"]
    t.do("role supervisor", "replaced", "checked")
    assert story(t) == ["replaced", "checked"]


def test_single_cards_are_changed_and_all_are_counted_and_shuffled() -> None:
    t = Telling(THREE, gates="manual")
    t.do("checked", "shuffled", "cut")
    assert t.do(deed("change", deck=1, fault="bent", cards=("Kh", "2c"))) == [
        "cards were changed: count all of them (3.4)"
    ]
    assert (t.table.deck.unverified, t.table.deck.due) == ("3.4", "4.1.1(a)")
    assert not decks(t)[0].is_unfit
    assert story(t)[-1] == "changed 2"
    deal_three(t, end=False)
    assert t.do(deed("change", deck=1, fault="bent", cards=("Kh",))) == [
        "refused: a hand is in progress: cards are changed when it is over (3.4)"
    ]


def test_a_machine_that_shuffles_all_the_time_is_asked_for_no_shuffle_when_cards_are_changed() -> None:
    t = Telling("casino-war", shoe="csm")
    t.do(deed("change", deck=1, fault="bent", cards=("Kh",)))
    assert (t.table.deck.unverified, t.table.deck.due) == ("4.4.2", "")


def test_cards_of_the_reserve_are_changed_without_a_word_to_the_dealer() -> None:
    t = Telling(THREE)
    assert t.do(deed("bring"), deed("change", deck=2, fault="bent", cards=("Kh",))) == []


def test_backs_of_two_colours_are_why_a_deck_left() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(Shuffled(52, False))
    t.do("role supervisor", "replaced")
    assert {deck.left.why for deck in decks(t, "out") if deck.left} == {"two colours"}


def test_a_deck_that_left_play_is_unfit_without_harm_to_the_others() -> None:
    t = Telling(THREE)
    t.do("role supervisor", "replaced")
    assert t.do(deed("unfit", deck=1, fault="bent")) == []
    assert t.table.deck.bad == ""


def test_what_the_machine_finds_wrong_is_the_deck_in_it() -> None:
    t = Telling(THREE, shoe="shuffler")
    for colour in ("red", "blue"):
        t.tell(DeckIn("shuffler", colour))
        t.tell(Shuffled(52, True))
        t.bet(1, ante=10)
    assert [deck.colour for deck in t.table.decks.dealt] == ["red"], "the round opened with the first bet"
    t.tell(Shuffled(51, False))
    t.do("count 51", "role supervisor")
    assert t.table.decks.inspections[-1].decks == (2,)
    t.table.round = None
    t.do("replaced")
    assert [(deck.colour, deck.left and deck.left.why) for deck in decks(t, "out")] == [("blue", "wrong count")]
    t.tell(DeckIn("shuffler", "red"))
    t.tell(Shuffled(52, False))
    t.do("replaced")
    assert [deck.colour for deck in decks(t, "out")] == ["red", "blue"]


def test_so_many_decks_wait_and_no_more() -> None:
    t = Telling(THREE)
    for _ in range(MOST_WAITING):
        assert t.do(deed("bring")) == []
    assert t.do(deed("bring")) == [f"refused: {MOST_WAITING} decks wait here already (3.2)"]
    for _ in range(MOST_UNFIT + 3):
        t.do(deed("change", deck=2, fault="bent", cards=("Kh",)))
    assert len(decks(t)[1].unfit) == MOST_UNFIT


def test_a_deed_with_a_deck_is_not_corrected_away() -> None:
    t = Telling(THREE)
    t.bet(1, ante=10)
    t.do(deed("bring", serial="A1"))
    why = "refused: what somebody did with a deck is not corrected: do something else with it (5.4)"
    assert t.do(Amend(t.seq, None, "Ann")) == [why]
    assert len(decks(t, "reserve")) == 1


# ---- it is boxed


@pytest.mark.parametrize(("game", "rule"), [(THREE, "3.4"), ("caribbean-stud", "13.2.3(b)"), ("holdem", "5.3.1")])
def test_a_deck_that_left_is_boxed_and_sealed(game: str, rule: str) -> None:
    t = Telling(game)
    t.do("role supervisor", "replaced")
    assert t.do(seal(1)) == []
    sealed = decks(t)[0].sealed
    assert sealed is not None
    assert (sealed.slip, sealed.seal, sealed.witness, sealed.by.person, sealed.rule) == (
        "S-7",
        "L-9",
        "Bob",
        "Ann",
        rule,
    )
    assert t.do(seal(1)) == [f"refused: deck 1 is in its box, which is sealed ({rule})"]


def test_a_witness_says_so_in_their_own_name() -> None:
    t = Telling("caribbean-stud")
    seen = deed("witness", "dealer", "Eve", deck=1)
    assert t.do(seen) == ["refused: deck 1 is in no box that is sealed (13.2.3(b))"]
    assert t.do(deed("witness", deck=9)) == ["refused: deck 9 is in no box that is sealed (13.2.3(b))"]
    t.do("role supervisor", "replaced", seal(1))
    assert t.do(deed("witness", person="ann", deck=1)) == ["refused: somebody else has to see it (13.2.3(b))"]
    assert t.do(seen) == []
    sealed = decks(t)[0].sealed
    assert sealed is not None
    assert (sealed.witness, sealed.seen and sealed.seen.person) == ("Eve", "Eve")
    assert t.do(seen) == ["refused: Eve has said so already (13.2.3(b))"]


def test_all_decks_that_are_played_with_together_have_one_colour() -> None:
    t = Telling("casino-war", decks="4")
    t.do(deed("name", deck=1, serial="R1", colour="red"), deed("bring", serial="B1", colour="blue"))
    why = "refused: the other decks in play have red backs (3.1)"
    assert t.do(deed("name", deck=2, serial="R2", colour="blue")) == [why]
    assert t.do(deed("name", deck=2, serial="R2", colour="red")) == []
    assert t.do(deed("name", deck=3, serial="R3")) == []
    assert t.do(deed("bring"), deed("name", deck=6, serial="B2", colour="blue")) == []


def test_the_last_cards_are_boxed_when_the_table_is_closed() -> None:
    t = Telling(THREE)
    t.do("role area-manager", "close-table", "count 52")
    assert t.do(seal(1)) == []
    assert t.do(deed("check")) == ["refused: no deck is in play: say which one (3.2)"]
    assert decks(t, "play") == []
    t.do(deed("bring", serial="A9"), "open-table")
    assert [deck.serial for deck in decks(t, "play")] == ["A9"]


def test_cards_that_were_wrong_at_the_end_do_not_come_back() -> None:
    t = Telling(THREE)
    t.do(deed("name", deck=1, serial="A1"), "role area-manager", "close-table", "count 51", "open-table")
    assert [(deck.number, deck.standing) for deck in decks(t)] == [(1, "out"), (2, "play")]
    left = decks(t)[0].left
    assert left is not None
    assert (left.why, left.rule) == ("wrong count", "9.10")


# ---- whatever people do

DEEDS_OF = st.sampled_from(["bring", "name", "check", "order", "unfit", "change", "seal", "witness"])
ANY_DEED = st.builds(
    DeckDeed,
    DEEDS_OF,
    st.sampled_from(["Ann", "Bob"]),
    st.sampled_from(["dealer", "supervisor", "area-manager"]),
    st.just("page"),
    deck=st.integers(0, 9),
    colour=st.sampled_from(["", "red", "blue"]),
    serial=st.sampled_from(["", "A1", "A2", "A3"]),
    count=st.sampled_from([-1, 52, 51, 208]),
    fault=st.sampled_from(["bent", ""]),
    cards=st.sampled_from([(), ("Kh",)]),
    slip=st.sampled_from(["S1", ""]),
    seal=st.just("L1"),
    witness=st.sampled_from(["Bob", "Eve"]),
)
ANY_WORDS = st.sampled_from(
    ["checked", "shuffled", "cut", "count 52", "count 51", "count 208", "replaced", "close-table", "open-table"]
)
ANY_READING = st.one_of(
    st.builds(DeckIn, st.just("shuffler"), st.sampled_from(["red", "blue"])),
    st.builds(Shuffled, st.sampled_from([52, 51]), st.booleans()),
)


@given(
    st.sampled_from([(THREE, "hand"), (THREE, "shuffler"), ("casino-war", "hand"), ("holdem", "hand")]),
    st.lists(st.one_of(ANY_DEED, ANY_WORDS, ANY_READING), max_size=25),
)
def test_as_many_decks_are_in_play_as_there_must_be(table: tuple[str, str], deeds: list[object]) -> None:
    game, shoe = table
    t = Telling(game, **({"shoe": shoe} if shoe != "hand" else {}), **({"decks": "4"} if game == "casino-war" else {}))
    t.do("role area-manager")
    for each in deeds:
        t.do(each)  # type: ignore[arg-type]
        book = t.table.decks
        in_play = [deck.colour for deck in book.in_play]
        if t.table.open:
            assert len(in_play) == len(t.table.options.typed.deck_backs)
            assert shoe == "hand" or sorted(in_play) == ["blue", "red"]
        serials = [deck.serial for deck in book.decks if deck.serial]
        assert len(serials) == len(set(serials))
        assert [deck.number for deck in book.decks] == sorted({deck.number for deck in book.decks})
        for deck in book.decks:
            assert (deck.left is not None) == (deck.standing in ("out", "sealed"))
            assert (deck.sealed is not None) == (deck.standing == "sealed")
        assert decode(encode(t.table)).decks == book


# ---- how much is kept


def test_old_records_are_forgotten_and_none_that_is_here() -> None:
    book = with_deck(NO_DECKS, UNKNOWN, "red", "R1", "play")
    for number in range(MOST_DECKS + 5):
        book = with_deck(book, UNKNOWN, "", "", "out")
        book = with_inspection(book, Inspection(0, "left", (number,), UNKNOWN, 52, 52))
    for _ in range(MOST_INSPECTIONS):
        book = with_inspection(book, Inspection(0, "left", (1,), UNKNOWN, 52, 52))
    assert len(book.decks) == MOST_DECKS
    assert (book.decks[0].serial, book.find(2), book.numbered) == ("R1", None, MOST_DECKS + 6)
    assert len(book.inspections) == MOST_INSPECTIONS
    assert book.inspection(1) is None
    assert changed(book, DeckRecord(999, UNKNOWN)) == book


def test_chips_that_counted_later_open_a_round_in_the_book() -> None:
    """Chips that were read while the table was held open the round when it goes on."""
    t = Telling(THREE)
    t.tell(Hold("test.hold", "for a test"))
    t.tell(Chips(1, (Spot("ante", 1, 1000),)))
    t.do("role supervisor", "resume")
    assert round_runs(t.table)
    assert decks(t)[0].shuffles == 1
