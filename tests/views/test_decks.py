"""Decks as people see them: words, what is to be done, receipts, and what everybody may know."""

from __future__ import annotations

import msgspec
import pytest

from controller.games import defaults, find
from controller.table.deck_book import ByWhom, DeckDoing, Doing, Inspection, with_inspection
from controller.table.facts import Badge, CuttingCard, DeckDeed, Key, Shuffled, Started
from controller.views import deck_receipt, deck_words, decks, receipt, record_text
from controller.views.deck_receipt import InspectionFound
from controller.views.decks import DecksShown
from controller.views.record import RoundRecord
from controller.views.recorder import Recorder
from controller.views.round_notes import Happened
from tests.table.telling import Telling

ANN = ByWhom(7, 1_700_000_000_000_000, "Ann", "area-manager", "page")
THREE = "three-card-poker"


def deed(name: str, **words: object) -> DeckDeed:
    return DeckDeed(name, "Ann", "casino-manager", "page", **words)  # type: ignore[arg-type]


def shown(t: Telling) -> DecksShown:
    return decks.shown(t.table, find(t.table.game))


def to_do(t: Telling) -> list[str]:
    return [f"{each.text} ({each.rule})" for each in shown(t).duties]


# ---- words


@pytest.mark.parametrize(
    ("what", "at", "depth", "in_round", "words"),
    [
        ("checked", "", None, False, "the cards were checked"),
        ("counted", "", 52, False, "52 cards were counted"),
        ("replaced", "", None, False, "other cards came into play"),
        ("unfit", "", None, False, "cards were called unfit"),
        ("changed", "", 2, False, "2 cards were changed"),
        ("changed", "", 1, False, "1 card was changed"),
        ("shuffled", "", None, False, "the cards were shuffled"),
        ("shuffled", "", None, True, "the cards that were left were shuffled"),
        ("offered", "3", None, False, "the cut was offered to area 3"),
        ("offered", "supervisor", None, False, "the cut was offered to the supervisor, as every player declined"),
        ("declined", "3", None, False, "area 3 declined to cut"),
        ("cut", "2", 80, False, "area 2 cut 80 cards from the nearer end"),
        ("cut", "", None, False, "the dealer cut"),
        ("placed", "", 100, False, "the dealer put the cutting card 100 cards from the back"),
        ("out", "dealer", None, True, "the cutting card came out at the dealer"),
    ],
)
def test_the_story_in_words(what: Doing, at: str, depth: int | None, in_round: bool, words: str) -> None:
    doing = DeckDoing(what, ANN, 1, at, depth, in_round)
    assert deck_words.doing_words(doing, find("casino-war")) == words


def test_a_machine_tells_its_shuffle() -> None:
    t = Telling(THREE, shoe="shuffler")
    t.tell(Shuffled(52, True))
    assert [line.text for line in shown(t).story] == ["the machine shuffled 52 cards"]


@pytest.mark.parametrize(
    ("counted", "words"), [(None, "checked"), (52, "52 cards, complete"), (51, "51 cards instead of 52")]
)
def test_what_came_of_an_inspection(counted: int | None, words: str) -> None:
    assert deck_words.count_words(Inspection(1, "close", (1,), ANN, 52, counted)) == words


def test_a_table_without_a_game_has_no_decks() -> None:
    assert decks.shown(Telling().table, None) == DecksShown([], [], [], [])


# ---- what is to be done


def test_every_deck_is_to_be_checked_also_where_no_deal_waits_for_it() -> None:
    t = Telling(THREE)
    assert to_do(t) == ["check deck 1 (3.2)"]
    t.bet(1, ante=10)
    t.do("no-more-bets", "draw Kh Qs 5d 3d 2c 2h", "fold 1", "settle")
    assert to_do(t) == ["check deck 1 (3.2)"]
    t.do("checked")
    assert to_do(t) == []
    assert decks.in_line(t.table, find(THREE)) == ""
    t.do("role supervisor", "replaced")
    assert decks.in_line(t.table, find(THREE)) == "to do: check deck 2 (3.2)"


def test_decks_of_which_none_was_checked_are_one_thing_to_do() -> None:
    t = Telling("casino-war", decks="4")
    assert to_do(t) == ["check all 4 decks in play (3.2)"]
    t.do(deed("check", deck=3))
    assert to_do(t) == ["check deck 1 (3.2)", "check deck 2 (3.2)", "check deck 4 (3.2)"]
    t.do("role supervisor", "close-table")
    assert to_do(t) == ["count all 4 decks in play (3.2)"]


def test_decks_are_checked_counted_and_sealed_by_their_rules() -> None:
    t = Telling("wsop-bonus-holdem", gates="manual")
    assert to_do(t) == ["check deck 1 (3.2)"]
    t.do("checked", deed("name", deck=1, serial="A1"), deed("order"))
    assert to_do(t) == ["count the cards: Ann wants it (3.3)"]
    t.do("count 51", "role supervisor", "replaced")
    assert to_do(t) == ["box and seal deck 1, A1 (11.2.2(b))", "check deck 2 (3.2)"]
    t.do(deed("seal", deck=1, slip="S1", seal="L1", witness="Bob"), "checked")
    assert to_do(t) == []
    t.do("role supervisor", "close-table")
    assert to_do(t) == ["count deck 2 (3.2)"]
    t.do("count 52")
    assert to_do(t) == []


def test_cards_that_left_without_a_reason_are_checked_first_where_the_document_says_so() -> None:
    t = Telling("casino-war", decks="4")
    t.do(deed("name", deck=1, serial="A1"), "role supervisor", "replaced", "checked")
    assert to_do(t) == ["check deck 1, A1 (4.4.1)"]
    t.do(deed("check", deck=1, count=52))
    assert to_do(t) == ["box and seal deck 1, A1 (4.4.2)"]


def test_unfit_cards_of_a_running_hand_are_to_be_replaced_after_it() -> None:
    t = Telling(THREE)
    t.do("checked")
    t.bet(1, ante=10)
    t.do("no-more-bets", "draw Kh Qs 5d 3d 2c 2h", deed("unfit", fault="torn"))
    assert to_do(t) == ["replace the unfit cards when the hand is over (3.4)"]


def test_cards_that_are_out_of_play_are_to_be_replaced() -> None:
    t = Telling(THREE)
    t.do("checked", deed("unfit", fault="torn"))
    assert to_do(t) == ["replace the cards (3.4)"]
    t.do("role supervisor", "replaced")
    assert to_do(t) == ["check deck 2 (3.2)"]
    t.do("checked", "count 51")
    assert to_do(t) == ["replace the cards (9.10)"]


def test_of_several_decks_those_are_to_be_replaced_that_leave() -> None:
    t = Telling("casino-war", decks="4")
    t.do(deed("unfit", deck=2, fault="torn"))
    assert to_do(t) == ["replace deck 2 (4.4.2)", "check deck 1 (3.2)", "check deck 3 (3.2)", "check deck 4 (3.2)"]
    t.do("role supervisor", "replaced", "checked")
    assert to_do(t) == []


def test_the_cards_in_one_line() -> None:
    t = Telling("casino-war", decks="4")
    t.do("checked", deed("name", deck=1, serial="A1", colour="red"), deed("order"))
    line = "deck 1, red backs, A1; 3 more without a name; to do: count the cards: Ann wants it (3.2)"
    assert decks.in_line(t.table, find("casino-war")) == line


# ---- for everybody


def test_everybody_sees_no_names_and_no_serial_numbers() -> None:
    t = Telling(THREE, shoe="shuffler", gates="manual")
    t.tell(Key("checked", (), 7, "Eve", "supervisor", "page"))
    t.do(deed("name", deck=1, serial="SECRET-1"), deed("order"), "count 52")
    t.do(deed("unfit", deck=1, fault="bent", note="by Eve"), "role supervisor", "replaced")
    t.do(deed("seal", deck=1, slip="SLIP-1", seal="SEAL-1", witness="Bob"), deed("order"))
    everything = msgspec.json.encode(shown(t)).decode()
    public = msgspec.json.encode(decks.public(shown(t))).decode()
    for secret in ("SECRET-1", "SLIP-1", "SEAL-1", "Eve", "Ann", "Bob"):
        assert secret in everything
        assert secret not in public
    assert decks.public(shown(t)).decks[0].name == "deck 1, red backs"


# ---- receipts


def look_up(t: Telling, number: int) -> InspectionFound:
    looked_up = deck_receipt.look_up(t.table.decks, number, "T1", "", lambda seq: f"feltd-anchor-1 {seq} ab T1")
    assert looked_up is not None
    return looked_up


def test_the_receipt_of_an_inspection() -> None:
    t = Telling("casino-war", decks="4")
    t.do(deed("name", deck=1, serial="A1", colour="red"), deed("order"))
    t.tell(Badge("dealer", "Eve"))
    t.do("count 208")
    text = list(deck_receipt.lines(look_up(t, 1)))
    assert text[0] == "Inspection 1 of cards at table T1"
    assert text[2:5] == [
        "Result: 208 cards, complete",
        "Why: as somebody told the dealer (3.2)",
        "When: 1970-01-01 00:00:00 UTC, Casino War",
    ]
    assert text[5:7] == [
        "By: Eve, dealer at the console",
        "Ordered by: Ann, casino manager at the page, 1970-01-01 00:00:00 UTC",
    ]
    assert "  1     red    A1      1970-01-01 00:00:00         0      0" in text
    assert "This is told from the facts up to 5 of the journal of table T1." in text
    assert "feltd-anchor-1 5 ab T1" in text
    assert deck_receipt.look_up(t.table.decks, 2, "T1", "", str) is None


def test_a_receipt_has_the_counts_of_its_time() -> None:
    t = Telling(THREE)
    t.do(deed("check", count=52))
    t.bet(1, ante=10)
    t.do("no-more-bets", "draw Kh Qs 5d 3d 2c 2h", "fold 1", "settle", "count 52")
    rows = [list(deck_receipt.lines(look_up(t, number)))[9].split()[-2:] for number in (1, 2)]
    assert rows == [["0", "0"], ["1", "1"]]


def test_a_receipt_tells_what_was_known_when_the_inspection_was_made_whenever_it_is_printed() -> None:
    t = Telling(THREE)
    course = ["check", "change", "unfit", "replaced", "check", "name", "seal", "witness", "other game"]
    printed: dict[int, str] = {}
    for what in course:
        t.do(*LATER[what])
        for number in range(1, t.table.decks.inspected + 1):
            page = deck_receipt.page(look_up(t, number))
            assert printed.setdefault(number, page) == page, what
    early, late = printed[1], printed[3]
    assert "Three Card Poker" in early
    assert "Unfit" not in early and "eft play" not in early
    assert "as single cards were changed (3.4)" in printed[2]
    for words in (
        "deck 1: bent Kh 2c, changed: two corners (3.4), said by Ann, casino manager at the page",
        "deck 1: marked (3.4), said by Ann, casino manager at the page",
        "deck 1 left play 1970-01-01 00:00:00 UTC: unfit (3.4)",
    ):
        assert words in late
    for page in printed.values():
        assert ">A1<" not in page and ">red<" not in page and "S1" not in page


LATER: dict[str, list[str | DeckDeed | Started]] = {
    "check": [deed("check", deck=1)],
    "change": [deed("change", deck=1, fault="bent", cards=("Kh", "2c"), note="two corners"), "count 52"],
    "unfit": [deed("unfit", deck=1, fault="marked")],
    "replaced": ["role supervisor", "replaced"],
    "name": [deed("name", deck=1, serial="A1", colour="red")],
    "seal": [deed("seal", deck=1, slip="S1", seal="L1", witness="Bob")],
    "witness": [DeckDeed("witness", "Bob", "dealer", "console", deck=1)],
    "other game": [Started("casino-war", defaults("casino-war"))],
}


def test_a_receipt_of_a_deck_whose_record_is_gone_has_its_number() -> None:
    t = Telling(THREE)
    t.table.decks = with_inspection(t.table.decks, Inspection(0, "left", (99,), ByWhom(3, 0), 52, 52))
    text = list(deck_receipt.lines(look_up(t, 1)))
    assert "  99" in text
    assert "By: nobody" in text
    t.table.decks = with_inspection(t.table.decks, Inspection(0, "left", (1,), ByWhom(3, 0, "", "dealer"), 52, 52))
    assert "By: nobody signed in, dealer" in list(deck_receipt.lines(look_up(t, 2)))


# ---- the round on record


def test_the_record_of_a_round_tells_who_cut_and_where_the_cutting_card_came_out() -> None:
    t, recorder = Telling("casino-war", gates="manual", decks="4"), Recorder("T1")
    records = []

    def follow(*deeds: str | object) -> None:
        for each in deeds:
            before, seen = t.table, len(t.facts)
            t.do(each)  # type: ignore[arg-type]
            for seq, at, fact in t.facts[seen:]:
                records.extend(recorder.follow(Happened(seq, at, "", fact, before, t.table, [])))

    follow(Badge("dealer", "Eve"), deed("name", deck=1, serial="A1"), "checked", "shuffled", "bet 1 war=10")
    follow("bet 2 war=10", "refuse-cut 1", "cut 80", "cutting-card 100", "no-more-bets", "draw 5h", CuttingCard())
    follow("draw 6h", "draw 7h", "settle")
    record = records[-1]
    assert isinstance(record, RoundRecord)
    assert [doing.text for doing in record.shoe] == [
        "the cards were checked",
        "the cards were shuffled",
        "the cut was offered to area 1",
        "area 1 declined to cut",
        "the cut was offered to area 2",
        "area 2 cut 80 cards from the nearer end",
        "the dealer put the cutting card 100 cards from the back",
        "the cutting card came out at area 2",
    ]
    assert record.decks == ("deck 1, A1",)
    lines = "\n".join(record_text.lines(record))
    assert "dealt from deck 1, A1" in lines
    assert "area 1 declined to cut [dealer Eve]" in lines
    assert "Shuffle and cut" in receipt.page(record)


def test_a_round_of_which_nobody_told_the_shuffle_has_no_such_story() -> None:
    t, recorder = Telling(THREE), Recorder("T1")
    before = t.table
    t.bet(1, ante=10)
    seq, at, fact = t.facts[-1]
    recorder.follow(Happened(seq, at, "", fact, before, t.table, []))
    running = recorder.running()
    assert running is not None
    assert (running.shoe, running.decks) == ((), ())
