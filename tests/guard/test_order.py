"""The order of cards: what no fair shuffle has is found within a shoe, and a fair shoe raises nothing."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.guard.order import BOUND, MOST_PATTERNS, UNIT, Alarm, OrderWatch, ShoeOrder, patterns
from controller.guard.watching import TableGuard
from controller.table.facts import CardOut, Key
from controller.table.shoe import Out
from tests.guard.decks import NEW, fair, riffled
from tests.table.telling import Telling


def alarm(cards: list[str], decks: int = 1, before: list[str] | None = None) -> Alarm | None:
    watch = OrderWatch(decks, before or [])
    for card in cards:
        watch.draw(card)
    return watch.alarm


def test_ace_to_queen_of_one_suit_is_sure_after_eight_cards() -> None:
    assert alarm(NEW[:12]) == Alarm("the order of a new deck", 8)
    assert alarm(NEW[:12], 8) == Alarm("the order of a new deck", 8)
    assert alarm(NEW[11::-1]) == Alarm("the order of a new deck", 8)
    assert alarm(NEW[:7]) is None


@pytest.mark.parametrize("riffles", [1, 2])
def test_a_new_deck_that_was_riffled_too_seldom_is_found(riffles: int) -> None:
    chance = Random(riffles)
    for _ in range(20):
        cards = NEW
        for _ in range(riffles):
            cards = riffled(cards, chance)
        assert alarm(cards) is not None


def test_a_riffle_is_found_across_the_border_of_two_suits() -> None:
    cards = ["Qh", "As", "2s", "3s", "Kh", "Ad", "2d", "4s", "5s", "3d", "6s", "4d", "7s"]
    assert alarm(cards) == Alarm("the order of a new deck that was riffled once", 11)
    assert alarm(["As", "Kc", "Qc", "Jc", "Tc", "9c", "8c", "7c", "6c"]) == Alarm("the order of a new deck", 9)


def test_ranks_in_order_are_found_whatever_their_suits() -> None:
    up = [rank + "shdc"[n % 4] for n, rank in enumerate("A23456789TJQK" * 2)]
    assert (alarm(up, 8) or Alarm("", 0)).pattern == "ranks that go up one by one"
    assert (alarm(up[::-1], 8) or Alarm("", 0)).pattern == "ranks that go down one by one"
    same = sorted(NEW, key=lambda card: card[0])
    assert (alarm(same) or Alarm("", 0)).pattern == "equal ranks one after the other"


@pytest.mark.parametrize("decks", [1, 6])
def test_the_order_of_the_last_shoe_is_found_after_a_cut_from_its_end_and_after_a_riffle(decks: int) -> None:
    chance = Random(decks)
    last = fair(chance, decks)
    cut = last[30:] + last[:30]
    assert (alarm(cut, decks, last) or Alarm("", 0)).pattern == "the order of the last shoe"
    assert (alarm(last[::-1], decks, last) or Alarm("", 0)).pattern == "the order of the last shoe from its end"
    assert alarm(riffled(last, chance), decks, last) is not None
    assert alarm(fair(chance, decks), decks, last) is None
    watch = OrderWatch(decks, fair(chance, decks), last)  # two decks take turns
    for card in last:
        watch.draw(card)
    assert (watch.alarm or Alarm("", 0)).pattern == "the order of the shoe before the last"


def test_cards_that_cannot_be_read_or_came_too_often_prove_nothing() -> None:
    assert alarm([UNREAD] * 60) is None
    assert alarm(["Ah"] * 60) is None
    assert alarm([each for card in NEW[:8] for each in (card, UNREAD)]) is not None  # they do not break a run


@pytest.mark.parametrize(("last", "earlier", "watched"), [(0, 0, 9), (1, 1, 9), (2, 1, 11), (1, 2, 11), (2, 2, 13)])
def test_an_order_that_is_known_is_one_of_two_cards_at_least(last: int, earlier: int, watched: int) -> None:
    names = [each.name for each in patterns(NEW[:last], NEW[:earlier])]
    assert len(names) == watched <= MOST_PATTERNS
    assert ("the order of the last shoe" in names) == (last > 1)
    assert ("the order of the shoe before the last" in names) == (earlier > 1)


def test_what_each_order_foretells() -> None:
    """A deck that was riffled goes on from as many cards as there are packets: from the newest ones of each."""
    up, down = [["8c"], ["5s", "8c"], ["5s", "8c", "9h", "Qs"]], [["6c"], ["3s", "6c"], ["3s", "6c", "7h", "Ts"]]
    wanted = [each for pair in zip(up, down, strict=True) for each in pair]
    wanted += [[rank + suit for suit in "cdhs"] for rank in "867"]
    wanted += [["2s", "Ah"], ["Kd", "Td"], ["Jd", "Qh"], ["9c", "Qd"]]
    last = ["2c", "Kd", "7c", "2s", "Td", "4s", "Ah"]
    earlier = ["Qd", "4s", "Jd", "5d", "9c", "7c", "Qh"]
    found = []
    for each in patterns(last, earlier):
        for card in ("2d", "5d", "8h", "Js", "4s", "7c"):
            each.foretelling.came(card)
        found.append(sorted(each.foretelling.next()))
    assert found == wanted


@given(st.integers(0, 10_000), st.integers(0, 40), st.sampled_from([1, 6]))
def test_every_bet_is_fair_to_the_last_unit(seed: int, dealt: int, decks: int) -> None:
    """The mean over all cards that may come next is what was there before and the new unit: no float, no drift."""
    chance = Random(seed)
    cards = fair(chance, decks)[: dealt + 1]
    left = NEW * decks
    watches = patterns(fair(chance, decks))
    for card in cards:
        left.remove(card)
        for each in watches:
            each.foretelling.came(card)
    for each in watches:
        foretold = set(each.foretelling.next())
        r, c = len(left), sum(card in foretold for card in left)
        if 0 < c < r:
            assert Fraction(c, r) * Fraction(r + c, 2 * c) + Fraction(r - c, r) / 2 == 1


def test_the_stakes_grow_by_one_unit_a_card_on_average() -> None:
    """What the false alarm rate rests on, in the program itself: the mean of all stakes after n cards is at most n."""
    chance, n, shoes = Random(5), 26, 2000
    total = [0] * MOST_PATTERNS
    for _ in range(shoes):
        watch = OrderWatch(1, fair(chance), fair(chance))
        for card in fair(chance)[:n]:
            watch.draw(card)
        assert watch.alarm is None
        total = [before + min(stake, 1000 * UNIT) for before, stake in zip(total, watch._stakes, strict=True)]
    assert all(each <= 1.2 * n * shoes * UNIT for each in total)


def test_it_is_told_between_rounds_once_for_each_shoe_and_the_same_after_a_restart() -> None:
    t = Telling("casino-war", seats="3")
    guard = TableGuard()
    for n in range(2):
        for area in (1, 2, 3):
            t.bet(area, war=10)
        t.draw(" ".join(NEW[4 * n : 4 * n + 4]))
        assert not guard.look(t.table, t.game)  # nothing of cards in play
        t.key("settle")
    (order,) = guard.look(t.table, t.game)
    assert (order.kind, order.about) == ("order", f"order {t.table.shoe.number}")
    assert "the order of a new deck: card 8 made it sure" in order.text
    assert f"below 1 in {BOUND // (MOST_PATTERNS * 8):,}" in order.text
    assert TableGuard().look(t.table, t.game) == [order]


def test_a_correction_of_cards_is_looked_at_anew() -> None:
    t = Telling("casino-war")
    order = ShoeOrder()
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(card, n) for n, card in enumerate(NEW[:9])))
    assert list(order.find(t.table))
    other = ("2d", *NEW[1:9])
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(card, n) for n, card in enumerate(other)))
    assert list(order.find(t.table))  # eight of them are still in order
    t.table.shoe = replace(t.table.shoe, cards=t.table.shoe.cards[:3])
    assert not list(order.find(t.table))


def test_decks_are_whole() -> None:
    assert sorted(NEW) == sorted(DECK)
    assert isinstance(CardOut("Ah"), CardOut) and Key("settle").key == "settle"


def test_a_shoe_that_was_shuffled_before_anybody_looked_is_looked_at_all_the_same() -> None:
    t = Telling("casino-war")
    order = ShoeOrder()
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(card, n) for n, card in enumerate(NEW[:5])))
    assert not list(order.find(t.table))
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(card, n) for n, card in enumerate(NEW[:9])))
    number = t.table.shoe.number
    t.table.shoe = t.table.shoe.mixed()
    (told,) = order.find(t.table)
    assert told.about == f"order {number}"
    (again,) = ShoeOrder().find(t.table)  # after a restart
    assert again == told
    t.table.shoe = replace(t.table.shoe, cards=tuple(Out(card, n) for n, card in enumerate(("2d", "9s", "4c"))))
    assert list(order.find(t.table)) == [told]
    t.table.shoe = t.table.shoe.mixed()
    assert not list(order.find(t.table))
