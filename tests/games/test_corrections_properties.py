"""A corrected round is the round that would have been, in every game against the house; poker: tests/poker."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import GAMES, house_game, step
from controller.house.game import HouseGame
from controller.money import cents
from controller.table.effects import Refused
from controller.table.facts import Amend, CardOut
from controller.table.requests import Cards
from controller.table.state import Table, encode
from tests.table.telling import Telling


def dealt(game: str, cards: list[str]) -> Telling:
    """Two players at the minimum, and as many cards as the first deal asks for."""
    t = Telling(game)
    least = cents(t.table.options["min"]) // 100
    for area in (1, 2):
        t.bet(area, **{spot.replace("-", "_"): least for spot in house_game(game).required})
    t.key("no-more-bets")
    while any(isinstance(q, Cards) for q in t.felt.waiting):
        t.draw(cards.pop())
    return t


HOUSE = sorted(name for name, game in GAMES.items() if isinstance(game, HouseGame))


@pytest.mark.parametrize("game", HOUSE)
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), pick=st.integers(0, 100))
def test_a_corrected_card_gives_the_round_that_would_have_been(game: str, seed: int, pick: int) -> None:
    cards = random.Random(seed).sample(DECK, len(DECK))
    unused = cards[0]  # never dealt: the pile is taken from its other end
    t = dealt(game, cards)
    drawn = [(seq, fact) for seq, _, fact in t.facts if isinstance(fact, CardOut)]
    target, _ = drawn[pick % len(drawn)]
    effects = t.tell(Amend(target, CardOut(unused)))
    assert not any(isinstance(effect, Refused) for effect in effects)

    fresh = Table()
    for seq, at, fact in t.facts[:-1]:
        fresh, _ = step(fresh, seq, at, CardOut(unused) if seq == target else fact)
    assert encode(fresh) == encode(t.table)
