"""No picture and sentence of the felt, and nothing that a floor is told, shows a card before the rules turn it."""

from __future__ import annotations

import msgspec
import pytest

from controller.cards import DECK, spoken
from controller.games import GAMES
from controller.table.facts import CardOut, Key
from controller.table.state import Table
from controller.views.alerts import standing
from controller.views.cards import seen
from controller.views.felt import Felt, felt
from controller.views.felt_story import story
from controller.views.meter_face import MeterFace
from controller.views.summary import summary
from controller.views.words import waiting
from tests.table.telling import Telling
from tests.views.any_round import AnyTable

ROUNDS = 12


def cards_of(picture: Felt) -> dict[str, list[str]]:
    hands = {area.place: area.hand.cards for area in picture.areas if area.hand is not None}
    hands |= {"dealer": picture.dealer.cards} if picture.dealer is not None else {}
    return hands | ({"community": picture.board.cards} if picture.board is not None else {})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_card_is_told_before_it_is_turned(game: str) -> None:
    table = AnyTable(game, seed=sum(map(ord, game)))
    before = Table()
    dealt = told = 0
    for fact, now, rules, effects in table.rounds(ROUNDS):
        picture, lying = felt(now, rules), rules.cards(now)
        public = seen(lying)
        assert cards_of(picture) == {place: cards for place, cards in public.items() if place != "burn" and cards}
        up = {card for cards in public.values() for card in cards}
        down = {card for cards in lying.hands.values() for card in cards} | {*lying.aside, *now.held}
        summed_up = summary("T1", standing(now, rules), rules, MeterFace(), [], "", now.now)
        text = msgspec.json.encode([picture, story(fact, now, rules, effects, before), summed_up]).decode()
        for card in (down - up) & set(DECK):
            dealt += 1
            assert f'"{card}"' not in text
            assert f" {card} " not in text
            assert spoken(card) not in text
        told += bool(picture.areas)
        before = now
    assert told > 60
    assert dealt > 50 or rules.document.policy.face_up


def test_the_test_sees_a_card_that_is_told() -> None:
    table = AnyTable("three-card-poker", seed=1)
    table.bet(1, ante=10)
    table.key("no-more-bets")
    table.tell(CardOut("Kh"))
    assert cards_of(felt(table.table, table.game)) == {"1": ["??"]}
    told = story(Key("fold", ("1",)), table.table, table.game, [], table.table)
    assert [said.text for said in told] == ["Area 1 folds."]


@pytest.mark.parametrize("cards", ["5h 9d Ks 6h 9c Kd 7h 2d Qs", "5h 9d Ks 6h 9c 8d Jc 2d 2s"])
def test_what_is_due_tells_nothing_of_hands_that_nobody_has_seen(cards: str) -> None:
    """A Play wager of the wrong amount may be settled as it lies (001 9.12.2): before that nobody knows who wins."""
    table = Telling("three-card-poker")
    table.bet(1, ante=10)
    table.bet(2, ante=10)
    table.key("no-more-bets")
    table.draw(cards)
    table.bet(1, ante=10, play=10)
    table.bet(2, ante=10, play=5)
    texts = [(each.rule, each.text) for each in waiting(table.table, table.game)]
    assert texts == [
        ("7.5.2", "area 2 decides: 10 on play, or press fold 2"),
        ("5.10", "settle what is decided: take and pay, and press settle"),
    ]
