"""No page, stream, answer, command, screen, frame, log line, file or export tells a card before the rules turn it.

Each session is played twice, the second time with other cards where nobody may see them; everything that leaves the
table must be the same to the last byte (`sessions`).  `FELT_SECRETS=3000` plays so many rounds, of all games in turn,
by the seeds from 1000 on, or from the one that FELT_SECRETS_SEED names.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
import structlog
from msgspec.structs import replace

from controller.games import GAMES
from controller.house.layout import Layout
from controller.house.turned import hidden
from controller.places import DEALER
from controller.service.day_keys import DayKey
from controller.service.hidden_facts import hide
from controller.service.protection import LATER
from controller.service.round_store import FILE
from controller.table.facts import AnyFact, Hidden
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.telling import Hands, Lying
from hw_sim.loop import run
from tests.secrecy.sessions import Leak, Plan, do_to, play_twice
from tests.secrecy.watched import Outputs, determined, masked, watched

ROUNDS: Final = int(os.environ.get("FELT_SECRETS", "0"))
SEED: Final = int(os.environ.get("FELT_SECRETS_SEED", "1000"))
FEW: Final = (("seats", "3"),)
SETUPS: Final = {  # what else is set at some of the tables
    "casino-war": ((("burn", "on"),), (("burn", "on"), ("shoe", "csm"))),
    "caribbean-stud": ((("jackpot", "nsw"),),),
    "three-card-poker": ((("shoe", "shuffler"),),),
}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_tells_a_hidden_card(game: str, tmp_path: Path) -> None:
    number = sorted(GAMES).index(game)
    console = number % 5 == 0  # it takes long to draw
    plan = Plan(game, FEW, 1 if console else 2, number, trouble=number % 2 == 1, console=console, felt=number % 4 == 0)
    assert play_twice(plan, tmp_path).steps > 5


def _pips(table: Table, game: Rules, *_: object) -> list[str]:
    """Returns as many points as there are pictures among the cards: no card is named."""
    hands = game.cards(table).hands.values()
    return ["." * (1 + sum(card[0] in "JQK" for cards in hands for card in cards))]


def _logged(fact: AnyFact, plain: bytes, _random_bytes: object) -> bytes:
    structlog.get_logger().debug("recorded", fact=repr(fact))
    return plain


def _all_hands(lying: Lying) -> Hands:
    return lying.hands


def _whole(fact: AnyFact, shown: object = ()) -> AnyFact:
    return fact


def _written_openly(fact: AnyFact, day: DayKey, salt: bytes) -> Hidden:
    return replace(hide(fact, day, salt), shown=fact)


def _not_sealed(_veil: object, state: bytes, _at: int) -> bytes:
    return state


LEAKS: Final[dict[str, tuple[Callable[..., Any], str]]] = {  # what is planted, and where it is noticed first
    "controller.views.felt.seen": (_all_hands, "page /table/events"),
    "controller.views.rounds.seen": (_all_hands, "/status"),
    "controller.views.recorder.seen": (_all_hands, "/rounds/"),
    "controller.service.disclosure.public": (_whole, "/events"),
    "controller.service.console.lines": (_pips, "console"),
    "controller.service.engine.journal_bytes": (_logged, "log"),
    "controller.service.card_veil.hide": (_written_openly, "/journal/records"),
    "controller.service.card_veil.CardVeil.seal": (_not_sealed, "file journal.db"),
}


@pytest.mark.parametrize("target", LEAKS)
def test_a_planted_leak_is_found_and_named(target: str, tmp_path: Path) -> None:
    leak, where = LEAKS[target]
    with patch(target, leak), pytest.raises(Leak, match=where):
        for seed in range(9):
            play_twice(Plan("three-card-poker", FEW, 1, seed, console=False), tmp_path)


@pytest.mark.parametrize("game", ["three-card-poker", "caribbean-stud", "ultimate-texas-holdem-nsw"])
def test_a_game_that_turns_the_dealers_cards_too_soon_is_found(game: str, tmp_path: Path) -> None:
    def open_at_once(felt: Layout) -> frozenset[tuple[str, int]]:
        return frozenset(at for at in hidden(felt) if at[0] != DEALER)

    with patch("controller.house.game.hidden", open_at_once), pytest.raises(Leak, match=r"not turned .*dealer"):
        play_twice(Plan(game, FEW, 1, 3, console=False), tmp_path)


@pytest.mark.skipif(not ROUNDS, reason="FELT_SECRETS says how many rounds")
@pytest.mark.timeout(0)
def test_nothing_tells_a_hidden_card_in_thousands_of_rounds(tmp_path: Path) -> None:
    rounds, steps, hidden = Counter[str](), 0, 0
    for seed in itertools.count(SEED):
        if rounds.total() >= ROUNDS:
            break
        game = sorted(GAMES)[seed % len(GAMES)]
        setups = ((), *SETUPS.get(game, ()))
        options = FEW + setups[seed // len(GAMES) % len(setups)]
        plan = Plan(game, options, 1 + seed % 3, seed, seed % 5 < 2, console=seed % 9 == 0, felt=seed % 11 == 0)
        played = play_twice(plan, tmp_path)
        rounds[game] += played.rounds
        steps, hidden = steps + played.steps, hidden + played.withheld
        print(f"\r{rounds.total()} rounds, {steps} looks, {hidden} hidden cards looked for", end="", flush=True)
    print(f"\n{dict(rounds)}")


def test_a_burned_card_cannot_be_told_from_one_of_its_name_that_lies_open(tmp_path: Path) -> None:
    """With six decks there are six kings of hearts: what hides the burned one must not hide the others."""

    def played(burned: str) -> list[Outputs]:
        async def story() -> list[Outputs]:
            seen = []
            async with watched("casino-war", {"seats": "3", "burn": "on"}, tmp_path, log, console=False) as table:
                for device, verb, *args in (
                    ("shoe", "draw", burned),
                    ("sensor.1", "bet", {("war", 1): 1000}),
                    ("console", "press", "no-more-bets"),
                    ("shoe", "draw", "Kh"),
                    ("shoe", "draw", "9d"),
                    ("console", "press", "settle"),
                ):
                    do_to(table, str(device), str(verb), tuple(args))
                    await table.rest()
                    outputs = await table.all()
                    seen.append({where: masked(text, table.hashes()) for where, text in outputs.items()})
            return seen

        with determined() as log:
            looks = run(story())
        (tmp_path / FILE).unlink()
        return looks

    first, second = played("Kh"), played("5c")
    assert "king of hearts left the shoe" in first[-1]["socket /journal/tail"]
    for one, other in zip(first, second, strict=True):
        assert [where for where in one if one[where] != other[where]] == []


def test_an_alert_about_a_hidden_card_tells_only_that_there_is_one(tmp_path: Path) -> None:
    """The same card came twice, face down: which one it was is the same to nobody before the rules turn it."""

    def played(twice: str) -> list[Outputs]:
        async def story() -> list[Outputs]:
            seen = []
            async with watched("three-card-poker", {"seats": "3"}, tmp_path, log, console=False) as table:
                for device, verb, *args in (
                    ("sensor.1", "bet", {("ante", 1): 1000}),
                    ("console", "press", "no-more-bets"),
                    ("shoe", "draw", twice),
                    ("shoe", "draw", "9d"),
                    ("shoe", "draw", twice),
                ):
                    do_to(table, str(device), str(verb), tuple(args))
                    await table.rest()
                    await asyncio.sleep(2 * LATER)
                    await table.rest()
                    outputs = await table.all()
                    seen.append({where: masked(text, table.hashes()) for where, text in outputs.items()})
            return seen

        with determined() as log:
            looks = run(story())
        (tmp_path / FILE).unlink()
        return looks

    first, second = played("Kh"), played("5c")
    assert "Card 3 since the shuffle came 2 times" in first[-1]["socket /protection"]
    assert "came 2 times" not in first[-1]["page /protection"]  # a page shows it to a supervisor only
    for one, other in zip(first, second, strict=True):
        assert [where for where in one if one[where] != other[where]] == []
