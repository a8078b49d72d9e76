"""Three Card Poker under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.hands import QUEEN_HIGH, best_three
from controller.places import DEALER
from tests.games.rounds import Event, assert_replays, events, follow, play_out, settled_lines
from tests.searches import times
from tests.table.telling import Telling

GAME = "three-card-poker"
amounts = st.sampled_from([3, 5, 10, 500, 700])
wagers = st.fixed_dictionaries({}, optional={"ante": amounts, "pair_plus": amounts}).filter(bool)
bets = st.dictionaries(st.integers(1, 9), wagers, min_size=1, max_size=6)


def begin(t: Telling, placed: dict[int, dict[str, int]]) -> None:
    for area, spots in placed.items():
        t.bet(area, **spots)
    t.key("no-more-bets")


@settings(max_examples=20)
@given(
    bets, st.permutations(DECK), st.sampled_from([("hand", "off"), ("shuffler", "off"), ("shuffler", "on")]), st.data()
)
def test_every_wager_has_exactly_one_result(
    placed: dict[int, dict[str, int]], deck: list[str], shoe: tuple[str, str], data: st.DataObject
) -> None:
    t = Telling(GAME, shoe=shoe[0], tray=shoe[1])
    begin(t, placed)
    play_out(t, iter(deck), data)
    lines = settled_lines(t)
    hands = t.felt.hands
    for line in lines:
        if line.spot == "play":  # without one, the dealer's set may stay in the tray
            mine, dealers = best_three(hands[line.place]), best_three(hands[DEALER])
            assert (line.net > 0) == (dealers >= QUEEN_HIGH and mine > dealers)
            assert (line.net < 0) == (dealers >= QUEEN_HIGH and mine < dealers)


@settings(max_examples=20)
@given(bets, st.permutations(DECK), st.data())
def test_replay_gives_the_same_table(placed: dict[int, dict[str, int]], deck: list[str], data: st.DataObject) -> None:
    t = Telling(GAME)
    for _ in range(2):
        begin(t, placed)
        play_out(t, iter(deck), data)
    assert_replays(t)


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "misdeal", "reconstruct", "announced", "looked"),
    *("fold 1", "fold 2", "fold 1 ante", "fold 3", "unable 1", "unable 2", "taken 1", "taken 2 As Kd Kc", "exposed 1"),
    *("exposed 1 1", "exposed dealer", "exposed flop", "short 1", "short 2 all", "short dealer", "short flop"),
    *("excess 1", "excess dealer", "excess river", "stray 4", "stray 1", "burn 4", "burn 1", "keep 1", "keep 2"),
    *("retract 1", "retract 2", "order known", "order unknown", "count 52", "count 51", "replaced", "exclude 2"),
    *("invalidate fraud", "owner 2 1", "viewed 2", "viewed 1 2", "close-table", "open-table", "set min=10", "leave 2"),
    *("reconstruct 1=As,Ks,Qs", "reconstruct dealer=2c", "set tray=on", "set pair-plus=B"),
)
ANYTHING = events(KEYS, ["ante", "pair_plus", "play"], [0, 5, 10])


@settings(max_examples=times(50))
@given(
    st.booleans(),
    st.lists(ANYTHING, max_size=25),
    st.sampled_from(["auto", "manual"]),
    st.sampled_from(["hand", "shuffler"]),
    st.sampled_from(["last-card", "key"]),
)
def test_whatever_happens_the_table_follows(
    dealt: bool, what: list[Event], gates: str, shoe: str, announce: str
) -> None:
    """No order of facts is a defect; replay is identical; a running round always waits for something."""
    t = Telling(GAME, gates=gates, shoe=shoe, announce=announce)
    if dealt:
        begin(t, {1: {"ante": 10, "pair_plus": 5}, 2: {"ante": 10}, 3: {"pair_plus": 5}})
        t.draw("As Kh 3c Qd Ad Kd 4c Jd 2c 7h 5c 9h")
    follow(t, what)
