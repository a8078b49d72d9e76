"""Ultimate Texas Holdem (Victoria) under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from tests.games.rounds import Event, assert_replays, events, follow, play_out, settled_lines
from tests.games.victoria import KEYS, beginnings, bets, check_against_dealer, check_burns
from tests.searches import times
from tests.table.telling import Telling

GAME = "ultimate-texas-holdem-vic"
decks = st.permutations(DECK)


def begin(t: Telling, wagers: dict[int, int]) -> None:
    for area, amount in wagers.items():
        t.bet(area, ante=amount, blind=amount, **({"trips": 5} if area % 2 else {}))
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
        if line.spot == "play" and line.result != "returned":
            check_against_dealer(t, line)
    check_burns(t, burning)


@settings(max_examples=20)
@given(bets, decks, st.data())
def test_replay_gives_the_same_table(wagers: dict[int, int], deck: list[str], data: st.DataObject) -> None:
    t = Telling(GAME)
    for _ in range(2):
        begin(t, wagers)
        play_out(t, iter(deck), data)
    assert_replays(t)


ANYTHING = events(KEYS, ["ante", "blind", "trips", "play"], [0, 5, 10, 20, 40])


@settings(max_examples=times(50))
@given(
    beginnings, st.lists(ANYTHING, max_size=30), st.sampled_from(["auto", "manual"]), st.sampled_from(["hand", "batch"])
)
def test_whatever_happens_the_table_follows(beginning: str, what: list[Event], gates: str, shoe: str) -> None:
    """No order of facts is a defect; replay is identical; a running round always waits for something."""
    t = Telling(GAME, gates=gates, shoe=shoe, announce="last-card" if gates == "auto" else "key")
    if beginning:
        begin(t, {1: 10, 2: 10})
        t.draw("As Kh Qc Ad Kd Qd")
    if beginning in ("flop", "river"):
        t.bet(1, play=40)
        t.key("check 2")
        t.draw("2c 7h 9d")
    if beginning == "river":
        t.key("check 2")
        t.draw("3c 4c")
    follow(t, what)
