"""The second reading of the documents finds a game that turns cards too early, and lets all go that they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from controller.games import GAMES
from controller.house.layout import Layout
from controller.house.turned import hidden
from controller.places import DEALER
from controller.poker.hand.shown import lying
from controller.poker.state import Hand
from controller.sim.soak.house import HOUSE
from controller.sim.soak.oracle import CROWN, OPEN
from controller.sim.soak.soak import SoakPlan, soak
from controller.sim.soak.violation import Invariant
from controller.table.facts import AnyFact
from controller.table.state import Round
from controller.table.telling import COMMUNITY, Lying
from controller.views.cards import ALL, PublicCard

TOO_SOON = "lies open before any rule turns it"
NEVER = "are told that no rule has turned"


def _fails(game: str, *options: tuple[str, str], rounds: int = 2) -> str:
    failure = soak(SoakPlan(seed=1, rounds=rounds, every=0, games=(game,), options=options)).failure
    if failure is None:
        return ""
    assert failure.invariant is Invariant.SECRET, failure
    return failure.text


@contextmanager
def _turned_at_once(where: Callable[[str], bool]) -> Iterator[None]:
    """Plants games in which the cards of these places lie open from the deal."""

    def house(felt: Layout) -> frozenset[tuple[str, int]]:
        return frozenset(at for at in hidden(felt) if not where(at[0]))

    def crown(r: Round, hand: Hand) -> Lying:
        as_it_is = lying(r, hand)
        return replace(as_it_is, hidden=frozenset(at for at in as_it_is.hidden if not where(at[0])))

    with patch("controller.house.game.hidden", house), patch("controller.poker.game.lying", crown):
        yield


def test_every_game_has_been_read() -> None:
    assert set(GAMES) == {*HOUSE, *OPEN, *CROWN}


@pytest.mark.parametrize("game", [game for game in GAMES if game not in OPEN])
def test_hands_that_lie_open_at_once_are_found(game: str) -> None:
    with _turned_at_once(lambda place: True):
        assert "card 1 of 1" in (text := _fails(game)) and TOO_SOON in text


@pytest.mark.parametrize(
    "game", ["three-card-poker", "caribbean-stud", "ultimate-texas-holdem-nsw", "ultimate-texas-holdem-vic"]
)
def test_a_dealers_hand_that_lies_open_while_players_decide_is_found(game: str) -> None:
    with _turned_at_once(lambda place: place == DEALER):
        assert "of dealer" in (text := _fails(game)) and TOO_SOON in text


@pytest.mark.parametrize("game", ["mississippi-stud", "ultimate-texas-holdem-nsw"])
def test_community_cards_of_a_machine_that_lie_open_before_their_street_are_found(game: str) -> None:
    with _turned_at_once(lambda place: place == COMMUNITY):
        assert "card 1 of community" in (text := _fails(game, ("shoe", "csm"))) and TOO_SOON in text


@pytest.mark.parametrize("game", ["three-card-poker", "wsop-bonus-holdem", "caribbean-stud", "mississippi-stud"])
def test_folded_hands_that_are_turned_at_settlement_are_found(game: str) -> None:
    with patch("controller.house.turned._looked_at", lambda *_: True):
        assert TOO_SOON in _fails(game, rounds=4)


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker", "caribbean-stud", "holdem", "omaha-hi-lo"])
def test_a_record_that_tells_all_cards_of_a_round_for_good_is_found(game: str) -> None:
    def all_of_them(facts: Iterable[tuple[int, AnyFact]], *_: object) -> tuple[PublicCard, ...]:
        return tuple(PublicCard(seq, ALL) for seq, _ in facts)

    with patch("controller.service.disclosure.judged_by_rule", all_of_them):
        options = [("burn", "on")] if game == "casino-war" else []
        assert NEVER in _fails(game, *options)
