"""The account of the cards: twice, never, too many, counted wrong, in two hands; hidden ones are never named."""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.guard import cards
from controller.table.facts import CardOut, Key, ShoeEmpty, Shuffled, Started
from controller.table.shoe import Out
from controller.views.protection import raising
from tests.table.telling import Telling


def texts(t: Telling) -> list[str]:
    return [raising(each, t.table, t.game).text for each in cards.find(t.table, t.game)]


def test_a_card_that_came_twice_is_named_at_once_where_all_cards_lie_open() -> None:
    t = Telling("casino-war", decks="6")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.draw("Kh 9d")
    t.table.shoe = replace(t.table.shoe, cards=(*(Out("Kh", 0, public=True) for _ in range(5)), *t.table.shoe.cards))
    assert texts(t) == []
    t.draw("Kh")
    (text,) = texts(t)
    assert text.startswith("The king of hearts came 7 times out of 6 decks (card 8 since the shuffle)")


def test_a_card_that_lies_face_down_is_not_named_before_the_rules_turn_it() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.draw("Kh 9d Kh")
    (text,) = texts(t)
    assert text.startswith("Card 3 since the shuffle came 2 times out of 1 deck: one of these is from another deck.")
    assert text.endswith(" It may lie face down.")
    third = t.table.shoe.cards[2]
    t.table.shoe = replace(t.table.shoe, cards=(*t.table.shoe.cards[:2], replace(third, public=True)))
    assert texts(t) == [
        "The king of hearts came 2 times out of 1 deck (card 3 since the shuffle): one of these is from another deck."
    ]


def test_cards_that_never_came_are_told_when_the_shoe_is_empty_and_named_when_all_others_are_open() -> None:
    t = Telling("casino-war", decks="6")
    outs = [Out(card, 0, public=True) for card in DECK * 6 if card != "Kh"]
    t.table.shoe = replace(t.table.shoe, cards=tuple(outs))
    assert texts(t) == []
    t.tell(ShoeEmpty())
    assert texts(t) == ["The shoe is empty and 6 cards never came: " + ", ".join(["king of hearts"] * 6) + "."]
    t.table.shoe = replace(t.table.shoe, cards=(*outs, *[Out("Kh", 0)] * 5))
    assert texts(t) == ["The shoe is empty and 1 card never came."]
    t.bet(1, war=10)
    assert texts(t) == []  # in a round nothing is told of what is left
    t.table.shoe = replace(t.table.shoe, whole=False)
    t.table.round = None
    assert texts(t) == []  # nobody knows how many came before


def test_more_cards_than_there_are_and_counts_that_are_wrong() -> None:
    t = Telling("casino-war", decks="6")
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(UNREAD, 0) for _ in range(313)))
    assert texts(t) == ["313 cards left the shoe since the shuffle, and there are only 312."]
    t.table.shoe = replace(t.table.shoe, cards=())
    t.tell(Shuffled(311, False))
    t.tell(Shuffled(312, False))
    t.tell(Shuffled(312, True))
    t.tell(Key("count", ("300",)))
    assert texts(t) == [
        "The shuffling machine counted 311 cards instead of 312.",
        "The shuffling machine says that its cards are not of one deck.",
        "The dealer counted 300 cards instead of 312.",
    ]


def king_in_two_hands(t: Telling) -> str:
    for n in ("1", "2", "3"):
        t.key(f"seat {n} stack=100")
    t.do("act 2 post 1", "act 3 post 2", "read 1 Kh", "read 2 Kh")
    (found,) = cards.find(t.table, t.game)
    return found.about


def test_one_card_in_two_hands_of_players_is_another_matter_in_each_hand_although_hands_are_counted_anew() -> None:
    t = Telling("holdem")
    assert texts(t) == []
    first = king_in_two_hands(t)
    assert texts(t) == ["The same card lies in more places than there are decks. It may lie face down."]
    t.tell(Started("pineapple", dict(t.table.begun.options) if t.table.begun else {}))
    again = king_in_two_hands(t)
    assert t.table.number == 1 and again != first


def test_a_table_that_begins_anew_has_other_cards() -> None:
    t = Telling("casino-war")
    t.tell(CardOut("Kh"))
    number = t.table.shoe.number
    t.tell(Started("casino-war", dict(t.table.begun.options) if t.table.begun else {}))
    assert (t.table.shoe.cards, t.table.shoe.before, t.table.shoe.number) == ((), (), number + 1)
