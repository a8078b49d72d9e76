"""Casino War under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK, rank
from tests.games.rounds import Event, assert_replays, events, follow, play_out, settled_lines
from tests.searches import times
from tests.table.telling import Telling

cards = st.sampled_from(DECK)
amounts = st.sampled_from([3, 5, 10, 25, 500, 700])
bets = st.dictionaries(
    st.tuples(st.integers(1, 4), st.integers(1, 3)),
    st.fixed_dictionaries({}, optional={"war": amounts, "tie": amounts}).filter(bool),
    min_size=1,
    max_size=6,
)


def shoe(data: st.DataObject) -> Iterator[str]:
    """Six decks: any card may come at any time."""
    while True:
        yield data.draw(cards)


def place_bets(t: Telling, wagers: dict[tuple[int, int], dict[str, int]]) -> None:
    for (area, bettor), spots in wagers.items():
        t.bet(area, bettor, **spots)


@settings(max_examples=times(75))
@given(wagers=bets, data=st.data())
def test_every_wager_has_exactly_one_result(wagers: dict[tuple[int, int], dict[str, int]], data: st.DataObject) -> None:
    t = Telling()
    place_bets(t, wagers)
    t.key("no-more-bets")
    play_out(t, shoe(data), data)
    lines = settled_lines(t)
    for line in lines:
        assert -line.stake <= line.net <= 10 * line.stake
    mine = {p: rank(h[0]) for p, h in t.felt.hands.items()}
    for line in lines:
        if line.spot == "tie" and line.result != "returned":
            assert (line.result == "win") == (mine[line.place.partition(".")[0]] == mine["dealer"])


@settings(max_examples=times(50))
@given(wagers=bets, data=st.data())
def test_replay_gives_the_same_table(wagers: dict[tuple[int, int], dict[str, int]], data: st.DataObject) -> None:
    t = Telling()
    for _ in range(2):
        place_bets(t, wagers)
        t.key("no-more-bets")
        play_out(t, shoe(data), data)
    assert_replays(t)


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "misdeal", "reconstruct", "show-burn"),
    *("surrender 1", "surrender 2", "short 1", "short 2", "short dealer", "stray 3", "stray 1", "excess dealer shown"),
    *("excess 2", "keep 1", "keep 2", "retract 1", "retract 2", "order known", "order unknown", "count 312"),
    *("count 311", "replaced", "exclude 2", "invalidate fraud", "invalidate disturbance", "unable 1", "taken 1"),
    *("refuse 1 war", "close-table", "open-table", "notice close-table", "set min=10", "marker 1 min=1 max=900"),
    *("owner 4 1", "seat 1-4", "leave 2", "exposed 1", "looked", "viewed 1", "refuse-cut 1", "cutting-card 100"),
)
ANYTHING = events(KEYS, ["war", "tie", "go_to_war"], [0, 5, 10])


@settings(max_examples=times(150))
@given(st.lists(ANYTHING, max_size=40), st.sampled_from(["auto", "manual"]), st.sampled_from(["hand", "csm"]))
def test_whatever_happens_the_table_follows(what: list[Event], gates: str, shoe: str) -> None:
    t = Telling(gates=gates, shoe=shoe, burn="on")
    follow(t, what)
