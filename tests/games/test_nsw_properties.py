"""The three games of Poker Minors under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import find
from tests.games.rounds import assert_replays, events, follow, play_out, settled_lines
from tests.searches import times
from tests.table.telling import Telling

GAMES = ("caribbean-stud", "mississippi-stud", "ultimate-texas-holdem-nsw")
MOST = {"caribbean-stud": 250, "mississippi-stud": 500, "ultimate-texas-holdem-nsw": 500}  # to 1, of any wager
shoes = st.sampled_from(["hand", "csm"])
amounts = st.sampled_from([3, 5, 10, 25, 500, 700])
bets = st.dictionaries(st.integers(1, 7), amounts, min_size=1, max_size=4)


def place_bets(t: Telling, game: str, wagers: dict[int, int]) -> None:
    for area, ante in wagers.items():
        more = {"blind": ante, "trips": 10} if game.startswith("ultimate") else {}
        t.bet(area, ante=ante, **more)


def cards(data: st.DataObject) -> Iterator[str]:
    """Every card comes once."""
    return iter(random.Random(data.draw(st.integers(0, 999))).sample(DECK, len(DECK)))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, deadline=None)
@given(wagers=bets, shoe=shoes, data=st.data())
def test_every_wager_has_exactly_one_result(game: str, wagers: dict[int, int], shoe: str, data: st.DataObject) -> None:
    t = Telling(game, shoe=shoe, approved_min="5")
    place_bets(t, game, wagers)
    t.key("no-more-bets")
    play_out(t, cards(data), data)
    for line in settled_lines(t):
        assert -line.stake <= line.net <= MOST[game] * line.stake
        if wagers[int(line.place)] < 5:
            assert (line.result, line.rule) == ("void", "7.2.2")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None)
@given(wagers=bets, shoe=shoes, data=st.data())
def test_replay_gives_the_same_table(game: str, wagers: dict[int, int], shoe: str, data: st.DataObject) -> None:
    t = Telling(game, shoe=shoe)
    for _ in range(2):
        place_bets(t, game, wagers)
        t.key("no-more-bets")
        play_out(t, cards(data), data)
    assert_replays(t)


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "void 1", "misdeal", "looked", "announced"),
    *("fold 1", "fold 2", "check 1", "check 2", "unable 1", "unable 2", "short 1", "short 1 1", "short 2 all"),
    *("short dealer", "short dealer all", "short community", "short flop", "short river", "stray 3", "stray 1"),
    *("excess 2", "excess dealer", "excess community", "excess turn shown", "exposed 1", "exposed dealer 1"),
    *("exposed dealer", "exposed flop", "exposed community 2", "exposed river", "keep 1", "keep 2", "retract 1"),
    *("retract 2", "order known", "order unknown", "count 52", "count 51", "taken 1", "taken 1 Kh Kd", "replaced"),
    *("exclude 2", "invalidate fraud", "invalidate disturbance", "refuse 1 ante", "reconstruct 1=Kh,Kd", "viewed 1"),
    *("close-table", "open-table", "notice close-table", "set min=5", "marker 1 min=1 max=900", "owner 4 1"),
    *("seat 1-4", "leave 2", "reconstruct", "burn 3", "set method=B", "set max-payout=100"),
)
SPOTS = ("ante", "bet", "third", "fourth", "fifth", "blind", "trips", "play")
ANYTHING = {
    game: events(KEYS, [spot for spot in SPOTS if spot in find(game).spots], [0, 10, 20, 30, 40]) for game in GAMES
}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=times(25), deadline=None)
@given(st.data(), st.sampled_from(["auto", "manual"]), shoes)
def test_whatever_happens_the_table_follows(game: str, data: st.DataObject, gates: str, shoe: str) -> None:
    """No order of facts is a defect; replay is identical; a running round waits for something."""
    t = Telling(game, gates=gates, shoe=shoe)
    place_bets(t, game, {1: 10, 2: 10})
    follow(t, data.draw(st.lists(ANYTHING[game], max_size=40)))
