"""What is declared of keys beside their words: what cannot be taken back, what tells of cards, who may press.

docs/keys.md says how a key is written, who presses it, and whether it reports, asks or plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from controller.games import GAMES
from controller.table.declare import Key
from controller.table.keys import keys_of
from controller.tournament.keys import DESK_KEYS, TABLE_KEYS

POKER = "holdem"
HOUSE = sorted(name for name, game in GAMES.items() if game.document.number != GAMES[POKER].document.number)
Asked = Callable[[Key], object]


def names(keys: Iterable[Key], asked: Asked) -> set[str]:
    return {key.name for key in keys if asked(key)}


def test_keys_whose_deed_is_never_taken_back() -> None:
    every = {"misdeal", "invalidate", "exclude", "void-wagers", "close-table", "cancel-jackpot", "close-jackpot"}
    every |= {"leave", "void"}
    for game in HOUSE:
        promotions = {"cancel-promotion", "refuse-prize"} if GAMES[game].document.number == "002" else set[str]()
        assert names(keys_of(GAMES[game]), lambda key: key.final) == every | promotions, game
    assert names(keys_of(GAMES[POKER]), lambda key: key.final) == every | {"dead", "pick-up"}
    desk = {"disqualify", "retire", "break", "end-table", "award"}
    assert names((*DESK_KEYS, *TABLE_KEYS), lambda key: key.final) == desk


def test_reports_that_say_something_between_rounds_too() -> None:
    for game in GAMES.values():
        assert names(keys_of(game), lambda key: key.between) == {"count", "dispute", "leave"}, game.name


def test_a_refusal_of_these_keys_tells_of_cards_that_lie_face_down() -> None:
    for game in HOUSE:
        assert not names(keys_of(GAMES[game]), lambda key: key.proves_cards), game
    assert names(keys_of(GAMES[POKER]), lambda key: key.proves_cards) == {"bonus", "discard"}


def test_keys_that_tell_of_players_and_need_nobody_in_particular() -> None:
    for game in HOUSE:
        assert names(keys_of(GAMES[game]), lambda key: key.anyone) == {"leave", "seat", "sign-out"}, game
    poker = {"leave", "seat", "sign-out", "act", "said", "discard"}
    assert names(keys_of(GAMES[POKER]), lambda key: key.anyone) == poker


def test_prompts_offer_an_act_by_its_word() -> None:
    for game in GAMES.values():
        poker = {"act"} if game.name not in HOUSE else set[str]()
        assert names(keys_of(game), lambda key: key.by_word) == poker, game.name


@pytest.mark.parametrize("game", sorted(GAMES))
def test_keys_of_the_jackpot_say_nothing_without_it(game: str) -> None:
    own = {key.name: key.wager for key in keys_of(GAMES[game]) if key.wager}
    wanted = {"start-jackpot", "cancel-jackpot", "close-jackpot", *(("confirm-jackpot",) if game in HOUSE else ())}
    assert own == dict.fromkeys(wanted, "jackpot")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_keys_that_may_name_cards(game: str) -> None:
    """The views withhold such words; a key that comes with a card and does not say so would show it."""
    every = {"taken", "reconstruct"}
    assert names(keys_of(GAMES[game]), lambda key: key.names_cards) == (
        every if game in HOUSE else every | {"burn", "discard"}
    )
