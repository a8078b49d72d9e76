"""What a few riffles leave of a new deck: found in a shoe of one deck, by exact chances, and not in fair decks."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial, prod
from random import Random

import pytest

from controller.cards import UNREAD
from controller.guard import rising
from controller.guard.order import FEW, OrderWatch
from controller.guard.rising import RARE, RisingWatch, descents, euler, most
from tests.guard.decks import NEW, fair, riffled

TWO_FALL = [*NEW[:26], *NEW[38:25:-1], *NEW[51:38:-1]]  # as many makers lay the last two suits


def found(cards: list[str]) -> int:
    """After how many cards there is an alarm; 0: after none."""
    watch = RisingWatch()
    return next((n for n, card in enumerate(cards, 1) if watch.draw(card)), 0)


@pytest.mark.parametrize("deck", [NEW, NEW[::-1], TWO_FALL], ids=["rising", "falling", "two suits fall"])
def test_three_riffles_of_a_new_deck_are_found_before_it_is_dealt_out(deck: list[str]) -> None:
    chance = Random(3)
    for _ in range(20):
        cards = deck
        for _ in range(3):
            cards = riffled(cards, chance)
        cut = chance.randrange(52)
        assert 16 <= found(cards[cut:] + cards[:cut]) <= 50


def test_fair_decks_are_not() -> None:
    chance = Random(4)
    assert [found(fair(chance)) for _ in range(150)] == [0] * 150


def test_the_table_tells_it_with_its_chance_in_a_shoe_of_one_deck() -> None:
    chance = Random(5)
    cards = riffled(riffled(riffled(NEW, chance), chance), chance)
    one, six = OrderWatch(1), OrderWatch(6)
    for card in cards:
        one.draw(card)
        six.draw(card)
    assert one.alarm is not None
    assert (one.alarm.pattern, one.alarm.rare) == (FEW, RARE)
    assert six.alarm is None or six.alarm.pattern != FEW  # of several decks nobody knows which card it is


def test_cards_that_cannot_be_read_or_come_twice_count_nothing() -> None:
    doubled = [each for card in NEW for each in (card, UNREAD, card)]
    assert found(doubled) == 3 * found(NEW) - 2


def test_the_chances_are_those_of_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted one by one for few cards: the bound is the last number whose chance is small enough, and no other."""
    for numbers in ((3,), (1, 4), (2, 3, 3)):
        orders = list(product(*(permutations(range(n)) for n in numbers)))
        assert len(orders) == prod(map(factorial, numbers))
        for rare in (1, 2, 10, 100):
            monkeypatch.setattr(rising, "RARE", rare)
            most.cache_clear()
            for either_way in (False, True):
                sums = [sum(_fewest(ranks, either_way) for ranks in order) for order in orders]
                fit = [k for k in range(sum(numbers)) if sum(x <= k for x in sums) * 3 * rare <= len(orders)]
                assert most(numbers, either_way=either_way) == max(fit, default=-1)
    most.cache_clear()


def _fewest(ranks: tuple[int, ...], either_way: bool) -> int:
    down = descents(ranks)
    return min(down, len(ranks) - 1 - down) if either_way else down


def test_all_orders_are_counted() -> None:
    assert [sum(euler(n)) for n in range(1, 14)] == [factorial(n) for n in range(1, 14)]
