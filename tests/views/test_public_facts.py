"""A fact as everybody may read it: its cards are withheld unless they are public."""

from __future__ import annotations

import pytest

from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Key
from controller.views.cards import ALL, judged, public
from tests.table.telling import Telling


@pytest.mark.parametrize(
    ("fact", "shown", "told"),
    [
        (CardOut("Kh"), (), CardOut("??")),
        (CardOut("Kh"), (1,), CardOut("Kh")),
        (CardOut("Kh", True), (), CardOut("Kh", True)),
        (CardsOut(("Kh", "Qs")), (2,), CardsOut(("??", "Qs"))),
        (CardsOut(("Kh", "Qs")), (ALL,), CardsOut(("Kh", "Qs"))),
        (CardRead("2", "Kh"), (), CardRead("2", "??")),
        (CardRead("2", "Kh", False, ("Kh", "Qs")), (2,), CardRead("2", "??", False, ("??", "Qs"))),
        (CardRead("board", "Kh"), (), CardRead("board", "Kh")),
        (Key("reconstruct", ("1=Kh,2d",)), (), Key("reconstruct", ("1=??",))),
        (Key("settle"), (), Key("settle")),
        (Amend(3, CardOut("Kh"), "x"), (), Amend(3, CardOut("??"), "x")),
        (Amend(3, None, "x"), (), Amend(3, None, "x")),
    ],
    ids=repr,
)
def test_cards_are_withheld(fact: AnyFact, shown: tuple[int, ...], told: AnyFact) -> None:
    assert public(fact, shown) == told


def test_of_cards_that_left_together_only_the_one_that_lies_open_is_told() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("5h Ks 6h Kd 7h Qs 8h Jc 9h")
    together = CardsOut(("2s", "5h"))
    t.tell(CardOut("2s"))  # the dealer's last card lies face up
    assert judged([(4, together)], t.table, t.game) == ((4, 1),)
    assert public(together, (1,)) == CardsOut(("2s", "??"))


def burned_and_dealt() -> Telling:
    """Casino War with six decks: the king of hearts is burned, and another one lies open in area 1."""
    t = Telling("casino-war", burn="on")
    t.draw("Kh")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d")
    return t


def of_the_shoe(t: Telling) -> list[tuple[int, AnyFact]]:
    return [(seq, fact) for seq, _, fact in t.facts if isinstance(fact, CardOut)]


def test_of_two_cards_with_one_name_only_the_burned_one_is_withheld() -> None:
    t = burned_and_dealt()
    burned, mine, dealers = [seq for seq, _ in of_the_shoe(t)]
    assert judged(of_the_shoe(t), t.table, t.game) == ((mine, ALL), (dealers, ALL))
    t.key("show-burn")
    assert judged(of_the_shoe(t), t.table, t.game) == ((burned, ALL), (mine, ALL), (dealers, ALL))


def test_where_the_order_is_not_known_both_are_withheld() -> None:
    t = burned_and_dealt()
    _, *dealt = of_the_shoe(t)
    missing = [dealt[1], dealt[0]]  # not as they left the shoe
    assert judged(missing, t.table, t.game) == ((dealt[1][0], ALL),)


def test_a_card_that_waits_for_the_next_round_is_withheld_beside_one_of_its_name() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d Kh")
    mine, dealers, kept = [seq for seq, _ in of_the_shoe(t)]
    assert judged(of_the_shoe(t), t.table, t.game) == ((mine, ALL), (dealers, ALL))
    assert kept not in {seq for seq, _ in judged(of_the_shoe(t), t.table, t.game)}


def test_a_burned_card_that_is_named_with_a_key_by_mistake_is_withheld() -> None:
    slip = (9, Key("void", ("Kh",)))
    t = burned_and_dealt()
    assert judged([slip], t.table, t.game) == ()
    plain = Telling("casino-war")
    plain.bet(1, war=10)
    assert judged([slip], plain.table, plain.game) == ((9, ALL),)
