"""Omaha: two of the hole and three of the board, never another number."""

from __future__ import annotations

import pytest

from controller.hands import best_omaha, best_omaha_low
from tests.hands import reference
from tests.hands.deals import random_hands


def test_random_hands() -> None:
    for cards in random_hands(9, 2000):
        hole, board = cards[:4], cards[4:]
        high, low = best_omaha(hole, board), best_omaha_low(hole, board)
        assert (high.category, high.ranks) == reference.best_omaha(hole, board), cards
        assert (low and low.ranks) == reference.best_omaha_low(hole, board), cards


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("Ac Ad Ah As", "Kc Kd Qh Js 2c", "two pair, aces and kings"),  # only two of the four aces
        ("2c 3d 4h 5s", "Ah Kh Qh Jh Th", "ace high, king kicker"),  # the board's royal flush is nobody's
        ("Ah 3d 4h 5s", "Kh Qh Jh Th 2c", "ace-high flush"),
        ("Ah Kh 4c 5s", "Qh Jh Th 2c 2d", "royal flush"),
        ("Ah Kh Qh Jh", "Th 9h 2c 3d 4s", "ace high, king kicker"),  # two hearts on the board make no flush
        ("9h 8h Kc Kd", "Kh 7h 6h 5h Ks", "straight flush to the nine"),  # before four kings
        ("2h 3h Kc Kd", "Kh 7h 9h Ks 9c", "four of a kind, kings"),  # before the flush
    ],
)
def test_high(hole: str, board: str, name: str) -> None:
    assert best_omaha(hole.split(), board.split()).name == name


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("Ac 2d Kh Ks", "3c 4d 5h Ts Jc", "5-4-3-2-A"),
        ("Ac Kd Kh Ks", "2c 3d 4h 5s 6c", None),  # one low card in the hole
        ("Ac 2d 3h 4s", "5c 6d Kh Ks Kc", None),  # two on the board
        ("Ac 2d 3h 9s", "Ad 2c 7h 8s Kc", "8-7-3-2-A"),  # paired on the board, another two serve
    ],
)
def test_low(hole: str, board: str, name: str | None) -> None:
    low = best_omaha_low(hole.split(), board.split())
    assert (low and low.name) == name


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="3 hole cards and 5 on the board"):
        best_omaha(["Ac", "Kc", "Qc"], ["2c", "3c", "4c", "5c", "6c"])
    with pytest.raises(ValueError, match="the same card twice"):
        best_omaha_low(["Ac", "Kc", "Qc", "2c"], ["2c", "3c", "4c", "5c", "6c"])
