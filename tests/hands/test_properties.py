"""What must hold for any cards: order and suits mean nothing, and a card more is never a loss."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK, SUITS
from controller.hands import best, best_low, best_omaha, best_omaha_low, best_three
from controller.hands.cards import ints, text


def hands(fewest: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(DECK), min_size=fewest, max_size=most, unique=True)


def resuited(cards: list[str], suits: list[str]) -> list[str]:
    return [card[0] + suits[SUITS.index(card[1])] for card in cards]


permuted_suits = st.permutations(list(SUITS))


@given(hands(5, 7), st.data())
def test_the_order_of_the_cards_means_nothing(cards: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(cards))
    assert best(shuffled) == best(cards)
    assert best_low(shuffled) == best_low(cards)
    assert best_three(sorted(cards[:3])) == best_three(cards[:3])


@given(hands(9, 9), st.data())
def test_nor_in_omaha(cards: list[str], data: st.DataObject) -> None:
    hole, board = cards[:4], cards[4:]
    shuffled = data.draw(st.permutations(hole)), data.draw(st.permutations(board))
    assert best_omaha(*shuffled) == best_omaha(hole, board)
    assert best_omaha_low(*shuffled) == best_omaha_low(hole, board)


@given(hands(9, 9), permuted_suits)
def test_suits_permute_freely(cards: list[str], suits: list[str]) -> None:
    other = resuited(cards, suits)
    assert best_three(other[:3]) == best_three(cards[:3])
    for number in (5, 6, 7):
        assert best(other[:number]) == best(cards[:number])
    assert best_low(other[:7]) == best_low(cards[:7])
    assert best_omaha(other[:4], other[4:]) == best_omaha(cards[:4], cards[4:])


@given(hands(7, 7))
def test_a_card_more_is_never_a_loss(cards: list[str]) -> None:
    assert best(cards[:5]) <= best(cards[:6]) <= best(cards)
    lows = [best_low(cards[:number]) or 0 for number in range(8)]
    assert lows == sorted(lows)


@given(hands(9, 9))
def test_omaha_is_at_least_any_two_with_any_three(cards: list[str]) -> None:
    hole, board = cards[:4], cards[4:]
    assert best_omaha(hole, board) >= best(hole[:2] + board[:3])
    assert (best_omaha_low(hole, board) or 0) >= (best_low(hole[:2] + board[:3]) or 0)


@given(hands(0, 52))
def test_cards_come_back_from_their_integers(cards: list[str]) -> None:
    assert [text(number) for number in ints(cards)] == cards
