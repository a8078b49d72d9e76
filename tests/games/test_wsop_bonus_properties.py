"""WSOP Bonus Texas Holdem under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from tests.games.rounds import Event, assert_replays, events, follow, play_out, settled_lines
from tests.games.victoria import KEYS, beginnings, bets, check_against_dealer, check_burns
from tests.searches import times
from tests.table.telling import Telling

GAME = "wsop-bonus-holdem"
decks = st.permutations(DECK)


def begin(t: Telling, wagers: dict[int, int]) -> None:
    for area, amount in wagers.items():
        t.bet(area, ante=amount)
    t.key("no-more-bets")


@settings(max_examples=20)
@given(bets, decks, st.booleans(), st.data())
def test_every_wager_has_exactly_one_result(
    wagers: dict[int, int], deck: list[str], burning: bool, data: st.DataObject
) -> None:
    t = Telling(GAME, burn="on" if burning else "off")
    begin(t, wagers)
    play_out(t, iter(deck), data)
    for line in settled_lines(t):
        assert abs(line.net) <= line.stake
        if line.spot != "ante":
            check_against_dealer(t, line)
    check_burns(t, burning)


@settings(max_examples=20)
@given(bets, decks, st.data())
def test_replay_gives_the_same_table(wagers: dict[int, int], deck: list[str], data: st.DataObject) -> None:
    t = Telling(GAME, action_button="3")
    for _ in range(2):
        begin(t, wagers)
        play_out(t, iter(deck), data)
    assert_replays(t)
    assert t.table.button == "5"


ANYTHING = events(KEYS, ["ante", "flop", "turn", "river"], [0, 5, 10, 20])


@settings(max_examples=times(50))
@given(
    beginnings, st.lists(ANYTHING, max_size=30), st.sampled_from(["auto", "manual"]), st.sampled_from(["hand", "batch"])
)
def test_whatever_happens_the_table_follows(beginning: str, what: list[Event], gates: str, shoe: str) -> None:
    """No order of facts is a defect; replay is identical; a running round always waits for something."""
    t = Telling(GAME, gates=gates, shoe=shoe, announce="last-card" if gates == "auto" else "key")
    if beginning:
        begin(t, {1: 10, 2: 10})
        t.draw("As Kh Ad Kd")
    if beginning in ("flop", "river"):
        t.bet(1, flop=20)
        t.bet(2, flop=20)
        t.draw("2c 7h 9d")
    if beginning == "river":
        for word in ("check 1", "check 2"):
            t.key(word)
        t.draw("3c")
    follow(t, what)
