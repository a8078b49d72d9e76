"""The best five cards: equal to the definition for every choice of ranks and every flush, and counted exactly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb, prod

import pytest

from controller.cards import DECK, RANKS
from controller.hands import Category, Hand, best, five
from controller.hands.cards import ints
from tests.hands import reference
from tests.hands.deals import five_card_classes, mixed, random_hands, rank_multisets, suited


def as_defined(hand: Hand) -> tuple[Category, tuple[int, ...]]:
    return hand.category, hand.ranks


def test_the_7462_classes_are_as_defined_and_in_the_order_of_the_definition() -> None:
    classes = [(best(cards), reference.best(cards)) for cards in five_card_classes()]
    assert len(classes) == len({hand for hand, _ in classes}) == 7462
    assert all(as_defined(hand) == defined for hand, defined in classes)
    in_order = [defined for _, defined in sorted(classes, key=lambda pair: pair[0])]
    assert all(lower < higher for lower, higher in pairwise(in_order))


def test_the_2598960_hands_fall_into_the_known_categories() -> None:
    hands: Counter[Category] = Counter()
    for ranks in rank_multisets(5):
        suits = prod(comb(4, count) for count in Counter(ranks).values())
        flushes = 4 if len(set(ranks)) == 5 else 0
        hands[best(mixed(ranks)).category] += suits - flushes
        if flushes:
            hands[best(suited(ranks)).category] += flushes
    assert hands.total() == 2_598_960
    assert [hands[category] for category in reversed(Category)] == [
        *(4, 36, 624, 3744, 5108),
        *(10200, 54912, 123552, 1098240, 1302540),
    ]


@pytest.mark.parametrize("cards", [6, 7])
def test_every_choice_of_ranks_without_a_flush(cards: int) -> None:
    for ranks in rank_multisets(cards):
        hand = mixed(ranks)
        assert as_defined(best(hand)) == reference.best(hand), ranks


def test_every_flush_of_five_to_seven_cards() -> None:
    for length in (5, 6, 7):
        for number, ranks in enumerate(combinations(RANKS, length)):
            others = [
                DECK[(number + step) % 26] for step in range(7 - length)
            ]  # clubs and diamonds, many of them pairing
            hand = suited("".join(ranks)) + others
            assert as_defined(best(hand)) == reference.best(hand), hand


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_random_hands(cards: int) -> None:
    for hand in random_hands(cards, 10_000):
        assert as_defined(best(hand)) == reference.best(hand), hand


def test_integers_rank_as_text_does() -> None:
    for hand in random_hands(7, 100):
        assert five.rank(ints(hand)) is best(hand)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h"),
        ("5h 4h 3h 2h Ah", "Ac Ad Ah As Kc"),  # the five-high straight flush is one (AMB-CP-02)
        ("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac"),
        ("5c 4d 3h 2s Ac", "Ac Ad Ah Ks Qc"),
        ("Ac Kd Qh Js 9c", "Kc Ad 2h 3s 4c"),  # no way round the ace
        ("2c 2d 2h 3s 3c", "Ah Kh Qh Jh 9h"),
        ("3c 3d 3h 2s 2c", "2d 2h 2s Ac Ad"),  # full houses take their rank from the three: WSOP 3.6.1(g)
        ("Kc Kd 2h 2s 4c", "Qc Qd Jh Js Ac"),  # Crown 3.2.2(h)
        ("Kc Kd 2h 2s 4c", "Kh Ks 2c 2d 3c"),
        ("Tc Td Kh 6s 3c", "Th Ts Qc Jd 9c"),
        ("Kc Qd Jh Ts 9c", "Jc Td 9h 8s 7c"),  # the documents' own example: NSW 3.7, WSOP 3.7
    ],
)
def test_the_order_of_hands(better: str, worse: str) -> None:
    assert best(better.split()) > best(worse.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ah Kh Qh Jh Th", "As Ks Qs Js Ts"),  # suits have no rank
        ("Ac Ad Kh Ks Qc Qd 2h", "Ah As Kc Kd Qh Qs 3c"),  # the third pair is a side card
        ("2c 2d 2h 2s Ac Kd Qh", "2c 2d 2h 2s Ah Ac Ks"),
        ("Tc 9d 8h 7s 6c 6d 6h", "Tc 9d 8h 7s 6c 2d 2h"),  # the straight counts, not the three sixes
        ("Ac Ad Ah Kc Kd Kh Qs", "Ac Ad Ah Kc Ks Qd Qh"),  # of two threes the lower is the pair
    ],
)
def test_ties(one: str, other: str) -> None:
    assert best(one.split()) == best(other.split())


def test_a_threshold_lies_between_what_passes_and_what_does_not() -> None:
    tens = Hand.of(Category.PAIR, "T")
    assert best(["Tc", "Td", "4h", "3s", "2c"]) > tens > best(["9c", "9d", "Ah", "Ks", "Qc"])
    ace_king = Hand.of(Category.HIGH_CARD, "AK")
    assert best(["Ac", "Kd", "4h", "3s", "2c"]) > ace_king > best(["Ac", "Qd", "Jh", "Ts", "9c"])
    assert best(["7h", "5h", "4h", "3h", "2h"]) > Hand.of(Category.FLUSH) > best(["Ac", "Kd", "Qh", "Js", "Tc"])


def test_a_pay_table_is_keyed_by_category() -> None:
    pays = {Category.FLUSH: 5, Category.STRAIGHT: 4}
    assert pays[best(["7h", "5h", "4h", "3h", "2h"]).category] == 5
    assert Category.FLUSH >= Category.STRAIGHT and Category.FLUSH >= Category.FLUSH
    assert not Category.STRAIGHT > Category.FLUSH


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ("Ah Kh Qh Jh", "4 cards where 5 to 7"),
        ("Ah Kh Qh Jh Th 9h 8h 7h", "8 cards where 5 to 7"),
        ("Ah Ah Qh Jh Th", "the same card twice"),
        ("Ah ?? Qh Jh Th", "not one of the 52 cards"),
        ("Ah 10h Qh Jh Th", "not one of the 52 cards"),
    ],
)
def test_what_is_no_hand_is_refused_without_naming_a_card(cards: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        best(cards.split())
    assert "Ah" not in str(refused.value)


def test_sums_that_no_deck_gives_are_refused() -> None:
    aces = ints(["Ac", "Ad", "Ah", "As"])
    for cards in ([*aces, aces[0]], aces, [aces[0]] * 5):
        with pytest.raises(KeyError):
            five.rank(cards)
