"""A poker table at which keys are pressed and hands pass by, without a game around it."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.poker.keys import HANDLERS
from controller.poker.room import blinds, players
from controller.poker.room.seats import room_of
from controller.poker.state import Betting, Hand, Room, Structure
from controller.poker.words import Owing
from controller.rules import Outcome
from controller.table.options import Chosen, demanded
from controller.table.play import Play
from controller.table.state import Prompt, Round, Table, clone
from controller.table.step import Refusal, Step
from tests.poker.there import hand_at

MINUTE = 60_000_000


class Floor:
    """A poker table at which keys are pressed; a refused one changes nothing."""

    def __init__(self, game: str = "holdem", **options: str) -> None:
        given = {"seats": "9"} | {name.replace("_", "-"): value for name, value in options.items()}
        self.t = Table(game=game, options=Chosen(demanded(find(game).options(), given)), open=True)
        find(game).open(self.t)
        self.told: list[Prompt] = []

    @property
    def room(self) -> Room:
        return room_of(self.t)

    def scene(self) -> Step:
        return Step(self.t, find("holdem"), 1)

    def press(self, line: str) -> None:
        key, *args = line.split()
        handler = players.leave if key == "leave" else HANDLERS[key]  # nobody's hand ends with it
        handler(Step(clone(self.t), find("holdem"), 1), tuple(args))  # raises, if at all
        handler(self.scene(), tuple(args))
        self.told, self.t.prompts = self.t.prompts, []

    def press_all(self, *lines: str) -> Floor:
        for line in lines:
            self.press(line)
        return self

    def refused(self, line: str) -> str:
        with pytest.raises(Refusal) as no:
            self.press(line)
        assert no.value.why
        return no.value.rule

    # ---- hands

    def post(self) -> Hand:
        """The blinds of the next hand are placed."""
        plan = blinds.next_hand(self.t)
        hand = Hand(button=plan.button, due=plan.posts, blinds=plan.seats, posted=dict(plan.posts))
        self.t.round = Round(self.t.number, 1, play=Play(hand))
        for seat in plan.passed:
            self.room.owing.setdefault(seat, Owing.AVOIDED)
            self.room.buttons.setdefault(seat, []).append("missed-blind")
        for seat in hand.posted:
            self.room.owing.pop(seat, None)
        return hand

    def deal(self) -> Hand:
        hand = self.post()
        hand.dealt = blinds.dealt_now(self.t, hand)
        stacks = {seat: self.room.stakes[seat] for seat in hand.dealt}
        hand.began = dict(stacks)
        hand.betting = Betting(Structure("no-limit", 1000), list(hand.dealt), stacks)
        return hand

    def over(self, outcome: Outcome = "settled") -> None:
        assert self.t.round is not None
        hand = hand_at(self.t)
        if outcome == "settled":
            hand.paid = dict(hand.posted)
            self.room.blinds, self.room.button = hand.blinds, hand.button
        players.hand_over(self.scene(), misdealt=outcome == "misdeal")
        self.told, self.t.prompts = self.t.prompts, []
        self.t.round.outcome = outcome

    def hand(self) -> Floor:
        self.deal()
        self.over()
        return self


def floor(*lines: str, game: str = "holdem", **options: str) -> Floor:
    return Floor(game, **options).press_all(*lines)
