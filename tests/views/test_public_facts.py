"""A fact as everybody may read it: its cards are withheld unless they are public."""

from __future__ import annotations

import pytest

from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Key
from controller.views.cards import ALL, public


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
