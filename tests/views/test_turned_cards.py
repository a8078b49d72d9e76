"""Hands that were compared at settlement are public from then on; folded ones never are."""

from __future__ import annotations

import pytest

from controller.cards import UNREAD
from controller.games import find
from controller.script import parse
from controller.script.play import Player
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut
from controller.table.state import Table
from controller.views.cards import card_names, public_hands, with_cards
from hw_sim.loop import run


def ended(text: str) -> Table:
    """The table when this script is over."""
    found: list[Table] = []

    async def play() -> None:
        player = Player("shown.felt", parse(text).runs[0])
        played = await player.play()
        assert not played.failed
        found.append(player.floor.tables[""].state)

    run(play())
    return found[0]


ROUNDS = {
    "three-card-poker": """table three-card-poker
bet 1 ante=10
bet 2 ante=10
key no-more-bets
draw Kh 9d Qs 5d 9c 3d 2c 2h 7s
key fold 1
bet 2 play=10
key settle
""",
    "caribbean-stud": """table caribbean-stud
bet 1 ante=10
bet 2 ante=10
key no-more-bets
draw Kh 9d Qs 5d 9c 3d 2c 2h 7s Ah 4c Jd 8h 6s Tc
key fold 1
bet 2 bet=20
key settle
""",
    "mississippi-stud": """table mississippi-stud
bet 1 ante=10
bet 2 ante=10
key no-more-bets
draw Kh 9d Qs 9c 3d 2c 2h
key fold 1
bet 2 third=10
bet 2 fourth=10
bet 2 fifth=10
key settle
""",
    "wsop-bonus-holdem": """table wsop-bonus-holdem
bet 1 ante=10
bet 2 ante=10
key no-more-bets
draw Kh 9d Qs 9c
key fold 1
bet 2 flop=20
draw 3d 2c 2h
key check 2
draw 7s
key check 2
draw Ah 4c Jd
key settle
""",
    "holdem": """table holdem blinds=5,10
seat 1-3 stack=500
act 1 post 5
act 2 post 10
draw Kh 9d Qs 9c 3d 2c
act 3 fold
act 1 call
act 2 check
key burn
draw 2h 7s 4c
act 1 check
act 2 check
key burn
draw Jd
act 1 check
act 2 check
key burn
draw 8h
act 1 check
act 2 check
key settle
""",
}
FOLDED = {"holdem": "3"}


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_a_compared_hand_is_public_and_a_folded_one_is_not(game: str) -> None:
    table = ended(ROUNDS[game])
    assert table.round is not None and table.round.outcome == "settled"
    shown = public_hands(table, find(table.game))
    folded = FOLDED.get(game, "1")
    assert set(shown[folded]) == {UNREAD}
    assert all(UNREAD not in cards for place, cards in shown.items() if place != folded)


def test_who_folds_the_ante_alone_shows_the_hand_for_pair_plus() -> None:
    lines = ROUNDS["three-card-poker"].replace("bet 1 ante=10", "bet 1 ante=10 pair-plus=10")
    table = ended(lines.replace("key fold 1", "key fold 1 ante"))
    assert UNREAD not in public_hands(table, find(table.game))["1"]


def test_nothing_is_public_before_the_settlement_or_after_a_misdeal() -> None:
    lines = ROUNDS["three-card-poker"].removesuffix("key settle\n")
    table = ended(lines)
    assert set(public_hands(table, find(table.game))["2"]) == {UNREAD}
    table = ended(lines + "role supervisor\nkey misdeal\n")
    assert set(public_hands(table, find(table.game)).get("2", [UNREAD])) == {UNREAD}


@pytest.mark.parametrize(
    ("fact", "cards"),
    [
        (CardOut("??"), ("Kh",)),
        (CardsOut(("??", "??")), ("Kh", "2d")),
        (CardRead("3", "??"), ("Kh",)),
        (CardRead("board", "??", True, ("??", "??", "??")), ("Kh", "2d", "9s")),
        (Amend(7, CardRead("board", "??", True, ("??", "??"))), ("Kh", "2d")),
    ],
)
def test_a_fact_gets_its_cards_where_it_has_some(fact: AnyFact, cards: tuple[str, ...]) -> None:
    named = with_cards(fact, cards)
    assert card_names(named) == cards
    assert with_cards(named, tuple("??" for _ in cards)) == fact
