"""Random rounds of every game on record: no output of any of them names a card that the rules did not turn.

What was compared is there.  Whose hand was folded is read from what players did, not from what the views say.
FELT_RECORDS=500 plays thousands.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.cards import DECK, spoken
from controller.games import GAMES, find
from controller.house.state import FOLDED, own
from controller.places import area_of, place_of
from controller.poker.state import hand_in
from controller.script import parse
from controller.script.play import Player
from controller.service.retelling import Retelling, rounds
from controller.sim.dealers import dealers
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact, CardOut, CardRead
from controller.table.state import Round, Table
from controller.views import receipt, record_text
from controller.views.cards import public_hands
from controller.views.record import RoundRecord
from controller.views.recorder import summary
from hw_sim.loop import run

ROUNDS = int(os.environ.get("FELT_RECORDS", "16"))  # of each of the fourteen games
PARTS = 6 if "FELT_RECORDS" in os.environ else 2  # of the scripts of irregular rounds
RULES = Path(__file__).parent.parent / "rules"
LOOKS = 0.05  # of all facts of a running round


def outputs(record: RoundRecord) -> Iterator[str]:
    """Everything that people can get of a round on record."""
    yield msgspec.json.encode(record).decode()
    yield msgspec.json.encode(summary(record)).decode()
    yield "\n".join(record_text.lines(record))
    yield "\n".join(line for step in record.steps for line in record_text.step(step, 1, 1))
    yield "\n".join(" ".join(row) for row in record_text.rows([summary(record)]))
    yield "\n".join(receipt.lines(record))
    yield receipt.page(record)


def named(text: str) -> set[str]:
    """The cards that a text names, in letters or in words."""
    return {LETTERS.get(match, match) for match in CARD.findall(text)}


LETTERS = {spoken(card): card for card in DECK}
CARD = re.compile("|".join((r"\b[2-9TJQKA][cdhs]\b", *LETTERS)))


def folded_and_compared(r: Round) -> tuple[set[str], set[str]]:
    """The cards of hands that were folded and never looked at, and of those that were compared."""
    if (hand := hand_in(r)) is not None:
        hidden = {card for seat, cards in hand.cards.items() if seat not in hand.shown for card in cards}
        shown = {card for seat in hand.shown for card in hand.cards[seat]}
        return hidden | set(hand.thrown), shown
    gave_up = {place for (_, place), decision in own(r).choices.items() if decision in FOLDED}
    prizes = {line.place for line in r.lines if line.spot == "jackpot" and line.result == "win"}
    played = {line.place for line in r.lines if line.spot != "jackpot" and line.result in ("win", "lose")}
    return _cards(r, gave_up - prizes), _cards(r, played - gave_up)


def _cards(r: Round, places: set[str]) -> set[str]:
    return {card for place in places for card in DEALT.get(place_of(area_of(place)), ())}


DEALT: dict[str, list[str]] = {}  # by place, in the round that ends now


class Watched:
    """A table whose rounds are watched: what was folded and what was compared in each."""

    def __init__(self) -> None:
        self.rounds: dict[int, tuple[set[str], set[str]]] = {}

    def followed(self, table: SimulatedTable, seq: int, fact: AnyFact, state: Table, effects: list[AnyEffect]) -> None:
        if any(isinstance(effect, RoundEnded) for effect in effects) and state.round is not None:
            DEALT.clear()
            DEALT.update(find(state.game).cards(state).hands)
            self.rounds[state.number] = folded_and_compared(state.round)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_record_names_a_folded_card(game: str) -> None:
    watched = Watched()

    async def play() -> None:
        floor = SimFloor(watched.followed)
        table = await floor.open("", game, {"seats": "5"})
        dealer = dealers(find(game)).lively(table.sim, table.service.engine, floor.rest, 7)
        areas = range(1, table.state.options.typed.seats + 1)
        for _ in range(ROUNDS):
            await dealer.round(await dealer.players(areas))
        hidden = 0
        told = {record.number: record for record in rounds(table.journal)}
        assert set(told) == set(watched.rounds) and len(told) == ROUNDS
        for number, (folded, compared) in watched.rounds.items():
            hidden += len(folded)
            for text in outputs(told[number]):
                assert not folded & named(text), number
            assert compared <= named(msgspec.json.encode(told[number].hands).decode()), number
        assert (hidden > 0) == (game != "casino-war")
        while_they_run(table)
        await floor.close()

    run(play())


def while_they_run(table: SimulatedTable) -> None:
    """Looks into rounds that run: what lies face down is not in what is told of them so far."""
    chance, retelling, looked = random.Random(7), Retelling(table.journal), 0
    for record in table.journal:
        retelling.tell(record)
        running = retelling.running() if chance.random() < LOOKS else None
        if running is None:
            continue
        state = retelling._follower.table
        lying = find(state.game).cards(state)
        down = {lying.hands[place][n - 1] for place, n in lying.hidden}
        up = {card for cards in public_hands(state, find(state.game)).values() for card in cards}
        looked += 1
        for text in outputs(running):
            assert not (down - up) & named(text), record.seq
    assert looked > 5


# ---- irregular rounds: the rules' own scripts


def laid_open(fact: AnyFact) -> set[str]:
    """Cards that came to lie face up for all to see, wherever the table thinks that they belong."""
    match fact:
        case CardRead("board", card, _, together):
            return {card, *together}
        case CardOut(card, True) | CardRead(_, card, True):
            return {card}
    return set()


SCRIPTS = sorted(RULES.rglob("*.felt"))


@pytest.mark.timeout(240)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_irregular_round_names_a_card_that_nobody_saw(part: int) -> None:
    """A card of a fact that was public at no moment is in no output; cards that people named with a key are theirs."""
    checked = 0
    for path in random.Random(f"{part}").sample(SCRIPTS, 15):
        for script_run in parse(path.read_text()).runs:
            checked += run(looked_through(Player(path.name, script_run)))
    assert checked > 30


async def looked_through(player: Player) -> int:
    public: dict[str, set[tuple[int, str]]] = {}
    down: dict[str, set[tuple[int, str]]] = {}
    listener = player.floor.listener

    def followed(table: SimulatedTable, seq: int, fact: AnyFact, state: Table, effects: list[AnyEffect]) -> None:
        listener(table, seq, fact, state, effects)
        if state.round is None or not state.game:
            return
        rules, number = find(state.game), state.number
        lying = rules.cards(state)
        seen = {card for cards in public_hands(state, rules).values() for card in cards}
        seen |= laid_open(fact)
        seen |= {burn.card for burn in (*state.deck.burns, *lying.burns) if burn.shown}
        public.setdefault(table.name, set()).update((number, card) for card in seen)
        hidden = {lying.hands[place][n - 1] for place, n in lying.hidden} | set(lying.aside)
        down.setdefault(table.name, set()).update((number, card) for card in hidden)

    player.floor.listener = followed
    close, player.floor.close = player.floor.close, nothing  # type: ignore[method-assign]
    played = await player.play()
    checked = 0
    try:
        for name, table in player.floor.tables.items():
            if table.state.game and find(table.state.game).document.policy.face_up:
                continue
            prompts = named(json.dumps([shown.prompt.text for shown in played.record.prompts]))
            secret = down.get(name, set()) - public.get(name, set())
            for record in rounds(table.journal):
                checked += 1
                cards = {card for number, card in secret if number == record.number} - prompts
                for text in outputs(record):
                    assert not cards & named(text), player.played.script
    finally:
        await close()
    return checked


async def nothing() -> None:
    """The tables stay open until everything was looked at."""


def test_the_check_finds_a_card_that_is_told() -> None:
    assert named('{"card":"Kh"} and the two of clubs left the shoe') == {"Kh", "2c"}
    assert named("a card left the shoe") == set()
