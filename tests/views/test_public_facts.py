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
