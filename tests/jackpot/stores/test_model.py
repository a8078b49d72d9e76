"""Each store against a reference model with exact fractions: whatever tables tell, however often they tell it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from controller.jackpot.ledger import Movement
from controller.jackpot.stores.store import MeterStore
from tests.jackpot.stores.telling import NSW, PEOPLE, WHY, Teller

SEED, INCREMENT = Fraction(100_000), Fraction(5) * Fraction("0.5722")
TABLE_7 = {1: "10.000", 2: "9.500", 3: "9.033"}
Name = tuple[str, int, str]
_groups = itertools.count()


class Model:
    """A floor's meter, as short as it can be said."""

    def __init__(self) -> None:
        self.value, self.stands, self.won = SEED, dict[Name, int](), dict[tuple[str, int], Fraction]()
        self.time, self.resets = 0, dict[tuple[str, int], int]()

    def wager(self, name: Name, stands: bool) -> None:
        self.time += 1
        if stands and name not in self.stands:
            self.value += INCREMENT
            self.stands[name] = self.time
        elif not stands and name in self.stands:
            since = self.stands.pop(name)
            if all(reset < since for reset in self.resets.values()):  # else it left with the prize
                above = self.value - SEED
                self.value -= INCREMENT if above < 0 else min(INCREMENT, above)

    def settle(self, round_: tuple[str, int], royals: int, straights: int) -> None:
        before, part = self.value, ceil(self.value) * straights * Fraction(TABLE_7.get(straights, "0")) / 100
        self.value = SEED if royals else before - Fraction(floor(part * 10_000), 10_000)
        self.won[round_] = before - self.value
        self.time += 1
        if royals:
            self.resets[round_] = self.time

    def undo(self, round_: tuple[str, int]) -> None:
        self.resets.pop(round_, None)
        self.value += self.won.pop(round_, Fraction(0))


tables, rounds, places = st.sampled_from("AB"), st.integers(1, 3), st.sampled_from("123")


class Floor(RuleBasedStateMachine):
    """Two tables with a client each."""

    def __init__(self, make: Callable[[], MeterStore]) -> None:
        super().__init__()
        self.run = asyncio.Runner()
        self.model, group = Model(), f"G{next(_groups)}"
        self.tables = {name: Teller(make(), name, group) for name in "AB"}
        self.told: dict[str, list[Movement]] = {"A": [], "B": []}
        for table in self.tables.values():
            self.run.run(table.store.open())
            self.run.run(table.join())

    def teardown(self) -> None:
        for table in self.tables.values():
            assert self.run.run(table.store.verify(table.group)) == []
            self.run.run(table.store.close())
        self.run.close()

    def tell(self, name: str, *movements: Movement) -> None:
        self.run.run(self.tables[name].tell(*movements))
        self.told[name] += movements

    @rule(name=tables, round_=rounds, at=st.sets(places, min_size=1))
    def bet(self, name: str, round_: int, at: set[str]) -> None:
        for place in at:
            self.model.wager((name, round_, place), True)
        self.tell(name, *self.tables[name].bets(round_, "".join(at)))

    @rule(name=tables, round_=rounds, place=places)
    def cancel(self, name: str, round_: int, place: str) -> None:
        self.model.wager((name, round_, place), False)
        self.tell(name, self.tables[name].say("reversal", round_, place))

    @rule(name=tables, round_=rounds, hands=st.lists(st.sampled_from("RS"), min_size=1, max_size=3))
    def win(self, name: str, round_: int, hands: list[str]) -> None:
        if (name, round_) not in self.model.won:
            self.model.settle((name, round_), hands.count("R"), hands.count("S"))
            flushes = " ".join(f"{place}{hand}" for place, hand in enumerate(hands, 1))
            self.tell(name, self.tables[name].say("outcome", round_, flushes=flushes))

    @rule(name=tables, round_=rounds)
    def undo(self, name: str, round_: int) -> None:
        self.model.undo((name, round_))
        self.tell(name, self.tables[name].say("undo", round_))

    @rule(ticks=st.integers(-9, 9))
    def adjust(self, ticks: int) -> None:
        table = self.tables["A"]
        self.run.run(table.store.adjust(table.group, ticks, WHY, PEOPLE))
        self.model.value += Fraction(ticks, 10_000)

    @precondition(lambda self: any(self.told.values()))
    @rule(name=tables, last=st.integers(1, 6))
    def tell_again(self, name: str, last: int) -> None:
        if self.told[name]:
            self.run.run(self.tables[name].tell(*self.told[name][-last:]))

    @rule(name=tables)
    def restart(self, name: str) -> None:
        table = self.tables[name]
        self.run.run(table.store.close())
        self.run.run(table.store.open())
        assert self.run.run(table.join()).last == len(self.told[name])

    @invariant()
    def meters_agree(self) -> None:
        table = self.tables["B"]
        meter = self.run.run(table.store.meter(table.group))
        assert Fraction(meter.value, 10_000) == self.model.value
        assert meter.wagers == len(self.model.stands)


@pytest.mark.timeout(600)  # hundreds of transactions: on a busy machine they take minutes
def test_a_floor_and_its_model_agree(make: Callable[[], MeterStore]) -> None:
    assert NSW.increment == INCREMENT * 10_000
    bounded = settings(max_examples=15, stateful_step_count=25, deadline=None)
    machine = cast(type[RuleBasedStateMachine], partial(Floor, make))  # it is only called
    run_state_machine_as_test(machine, settings=bounded)
