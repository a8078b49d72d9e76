"""When a poker table wants to be woken: then a tick does something, before that it does not, and nothing is missed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import due_at, step
from controller.poker.state import Betting, hand_in
from controller.table.facts import Badge, ClockStepped, Hold, Key, Tick
from controller.table.state import Table, encode
from controller.table.times import TWENTY_MINUTES
from tests.poker.test_table import SECOND, Game, mischief, next_deed
from tests.table.telling import Telling

HOUR = 3600 * SECOND
TIMED = {"act-time": "30s", "extra-time": "20s", "extra-times": "2", "extra-fee": "none"}
CHARGED = {"rake-method": "time", "rake": "5"}
SOON = 5 * HOUR


def until_somebody_bets(g: Game) -> None:
    """Plays until the first betting round of a hand is open."""
    while running_betting(g.table) is None:
        g.tell(next_deed(g))


def running_betting(t: Table) -> Betting | None:
    hand = hand_in(t.round) if t.round is not None else None
    return hand.betting if hand is not None else None


def ticked(t: Table, at: int) -> bool:
    """Does a tick do something at this time of the table?"""
    return bool(step(t, 10_000, at + t.ahead, Tick())[1])


@given(st.sampled_from((TIMED, CHARGED, {**TIMED, **CHARGED}, {})), st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_it_is_woken_when_a_tick_does_something_and_not_before(options: dict[str, str], seed: int) -> None:
    g = Game("crazy-pineapple", options, random.Random(seed))
    for _ in range(60):
        g.tell(mischief(g) if g.dice.random() < 0.2 else next_deed(g))
        if g.dice.random() < 0.1:
            g.tell(Key("extra-time", (str(g.dice.randint(1, 6)),)))
        t = g.table
        due, before = due_at(t), encode(t)
        assert encode(t) == before
        assert ticked(t, t.now + SOON) == (due is not None)
        if due is not None:
            assert ticked(t, max(due, t.now))
            assert due <= t.now or not ticked(t, due - 1)
            after, _ = step(t, 10_000, max(due, t.now) + t.ahead, Tick())
            again = due_at(after)
            assert again is None or again > after.now  # it is not woken for ever


def test_it_asks_without_a_trace() -> None:
    g = Game("holdem", TIMED, random.Random(1))
    until_somebody_bets(g)
    t, history = g.table, list(g.table.history)
    assert due_at(t) is not None
    g.tell(next_deed(g))
    assert g.table.history.shares(t.history) and list(t.history) == history


def test_steps_of_the_clock_change_no_moment() -> None:
    g = Game("holdem", TIMED, random.Random(1))
    until_somebody_bets(g)
    due, now = due_at(g.table), g.table.now
    seq = len(g.facts) + 1
    t, _ = step(g.table, seq, now + 5 * SECOND + HOUR, ClockStepped(now + 5 * SECOND, now + 5 * SECOND + HOUR))
    assert (due_at(t), t.now, t.ahead) == (due, now + 5 * SECOND, HOUR)


def test_while_the_table_is_held_nobodys_time_runs() -> None:
    g = Game("holdem", TIMED, random.Random(1))
    until_somebody_bets(g)
    g.tell(Hold("journal.gap", "a card is missing", "reader.1"))
    assert due_at(g.table) is None
    g.tell(Badge("supervisor"))
    g.tell(Key("resume"))
    assert due_at(g.table) == g.table.now + 30 * SECOND


@pytest.mark.parametrize("words", ["notice min=25", "notice close-table"])
def test_a_notice_is_due_after_twenty_minutes_once(words: str) -> None:
    t = Telling()
    assert due_at(t.table) is None and due_at(Table()) is None
    t.role("area-manager")
    t.at = 7 * SECOND
    t.key(words)
    assert due_at(t.table) == 7 * SECOND + TWENTY_MINUTES
    t.at = due_at(t.table) or 0
    t.tell(Tick())
    assert due_at(t.table) is None
