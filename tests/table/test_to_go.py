"""Who is too early hears how long a notice must still be on the sign."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import counts
from controller.table import to_go
from controller.table.effects import Refused
from controller.table.state import Notice, Table
from controller.table.times import MINUTE, TWENTY_MINUTES
from tests.table.telling import Telling


def table(game: str, **options: str) -> Telling:
    t = Telling(game, **options)
    t.role("area-manager")
    return t


def refused(t: Telling, words: str) -> str:
    (effect,) = t.key(words)
    assert isinstance(effect, Refused)
    return effect.why


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker", "wsop-bonus-holdem", "holdem"])
def test_minutes_of_a_higher_minimum(game: str) -> None:
    t = table(game, **({"min": "5", "blinds": "5,50"} if game == "holdem" else {}))
    first = "a higher minimum stands on the sign for twenty minutes first: "
    assert refused(t, "set min=25") == first + "press notice min=25"
    t.key("notice min=25")
    assert refused(t, "set min=25") == first + "20 minutes to go"
    t.at = 2 * MINUTE + 1
    assert refused(t, "set min=25") == first + "18 minutes to go"
    t.at = TWENTY_MINUTES - 1
    assert refused(t, "set min=25") == first + "1 minute to go"
    t.at = TWENTY_MINUTES
    t.key("set min=25")
    assert t.table.options["min"] == "25"


def test_minutes_of_another_system_and_of_the_closing_of_one() -> None:
    t = table("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    first = "another system stands on the sign for twenty minutes first: "
    assert refused(t, "set jackpot-group=G2") == first + "press notice jackpot-group=G2"
    t.key("notice jackpot-group=G2")
    closing = "a closing needs a sign at every table for twenty minutes before"
    assert refused(t, "close-jackpot G2") == closing
    t.at = 5 * MINUTE
    t.key("notice close-jackpot")
    assert refused(t, "close-jackpot G2") == closing + ": 20 minutes to go"
    assert refused(t, "set jackpot-group=G2") == first + "15 minutes to go"


def test_minutes_of_a_closing() -> None:
    t = table("three-card-poker")
    t.key("seat 1")
    later = "press notice close-table, and close the table twenty minutes later"
    assert refused(t, "close-table") == f"players are here: {later}"
    t.key("notice close-table")
    t.at = MINUTE
    assert refused(t, "close-table").endswith(
        "the closing stands on the sign for twenty minutes first: 19 minutes to go"
    )


def test_hands_of_a_closing() -> None:
    t = table("casino-war")
    t.bet(1, war=10)
    t.key("notice close-table")
    for left in ("3 hands", "2 hands", "1 hand"):  # the one that was running does not count
        t.draw("Kh Qd")
        t.key("settle")
        assert refused(t, "close-table").endswith(f"on the sign for three hands first: {left} to go")
        t.bet(1, war=10)
    t.draw("Kh Qd")
    t.key("settle")
    t.key("close-table")
    assert not t.table.open


def test_hands_of_another_buy_in() -> None:
    t = table("holdem")
    t.key("seat 1-2 stack=500")
    agreed = "or agree majority if the players do"
    assert refused(t, "set buy-in=100") == f"press notice buy-in=100 three hands before, {agreed}"
    t.key("notice buy-in=100")
    assert refused(t, "set buy-in=100") == f"it stands on the sign for three hands first: 3 hands to go, {agreed}"


@given(st.integers(0, 20 * MINUTE - 1), st.integers(0, 10 * MINUTE))
def test_nobody_is_told_of_less_time_than_is_left(since: int, later: int) -> None:
    """And of no whole minute more; of two notices the older one counts."""
    t = Table(now=since)
    shown = [Notice({}, shown=0, round=0), Notice({}, shown=later, round=0)]
    left = int(to_go.minutes_to_go(t, shown, "").split()[0])
    assert (left - 1) * MINUTE < TWENTY_MINUTES - since <= left * MINUTE


def test_examples() -> None:
    assert doctest.testmod(to_go).failed == doctest.testmod(counts).failed == 0
