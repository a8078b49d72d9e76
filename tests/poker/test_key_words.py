"""What keys come with: anything else is refused before the table thinks about it."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.table.keys import find_key


def misfit(words: str) -> str:
    name, *args = words.split()
    key = find_key(find("holdem"), name)
    assert key is not None
    return key.misfit(tuple(args))


@pytest.mark.parametrize(
    "words",
    [
        "act 3 fold",
        "act 11 raise 60",
        "act 3 post 2.50",
        "act 3 all-in",
        "act 3 take-back",
        "said 3 raise",
        "discard 3 Kh",
        "ask 3 4",
        "bonus 3",
        "confirm-bonus 3",
        "extra-time 3",
        "dead 3",
        "move 3 5",
        "moved 3",
        "list Anna-2",
        "list P5 4",
        "pick-up 3",
        "back P5",
        "absent 3",
        "reserved 3 off",
        "burn",
        "burn Kh",
        "boxed",
        "seat 1-3,6 stack=500 player=Anna-2",
        "seat 4 add=12.50",
    ],
)
def test_keys_of_crown_poker(words: str) -> None:
    assert misfit(words) == ""


@pytest.mark.parametrize(
    "words",
    [
        "act 3",
        "act 0 fold",
        "act 3 fold 5",
        "act 3 raise",
        "act 3 raise -5",
        "act 3 raise 1.234",
        "act 3.2 fold",
        "said 3",
        "said 3 please",
        "discard 3 1x",
        "ask 3",
        "absent 3 on",
        "list 5",
        "back",
        "seat 2 stack=100.001",
        "pick-up P5",
    ],
)
def test_what_does_not_fit(words: str) -> None:
    assert misfit(words)
