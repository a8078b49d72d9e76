"""WSOP Bonus Texas Holdem under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import fold
from controller.hands import best
from controller.places import DEALER
from controller.table.state import Seen, Table, encode
from controller.table.telling import COMMUNITY
from tests.games.rounds import Event, events, follow, play_out, settled_lines
from tests.searches import times
from tests.table.telling import Telling

GAME = "wsop-bonus-holdem"
amounts = st.sampled_from([3, 5, 10, 25, 500, 700])
bets = st.dictionaries(st.integers(1, 9), amounts, min_size=1, max_size=4)
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
    lines = settled_lines(t)
    hands = t.felt.hands
    for line in lines:
        assert abs(line.net) <= line.stake
        if line.spot != "ante":
            mine, dealers = best(hands[line.place] + hands[COMMUNITY]), best(hands[DEALER] + hands[COMMUNITY])
            assert (line.net > 0) == (mine > dealers)
            assert (line.net < 0) == (mine < dealers)
    assert len(t.felt.burns) == (3 if burning and COMMUNITY in hands else 0)


@settings(max_examples=20)
@given(bets, decks, st.data())
def test_replay_gives_the_same_table(wagers: dict[int, int], deck: list[str], data: st.DataObject) -> None:
    t = Telling(GAME, action_button="3")
    for _ in range(2):
        begin(t, wagers)
        play_out(t, iter(deck), data)
    assert encode(fold(Table(), [Seen(*fact) for fact in t.facts])) == encode(t.table)
    assert t.table.button == "5"


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "void 2", "misdeal", "reconstruct", "looked"),
    *("fold 1", "fold 2", "check 1", "check 2", "unable 1", "unable 2", "taken 1", "taken 2 As Kd", "exposed 1"),
    *("exposed flop", "exposed dealer", "short 1", "short 2 all", "short flop", "short dealer", "short community"),
    *("excess 1", "excess flop", "excess turn", "excess river", "excess dealer", "stray 3", "stray 1", "burn 3"),
    *("keep 1", "keep 2", "retract 1", "retract 2", "order known", "order unknown", "count 52", "count 51"),
    *("replaced", "exclude 2", "invalidate fraud", "owner 2 1", "owner 3 1", "viewed 2", "viewed 1 2", "viewed 2 3"),
    *("close-table", "open-table", "notice close-table", "set min=10", "set burn=on", "set burn=off", "leave 2"),
    *("reconstruct 1=As,Ks", "reconstruct flop=As,Ks,Qs", "reconstruct dealer=2c", "announced", "surrender 1"),
)
ANYTHING = events(KEYS, ["ante", "flop", "turn", "river"], [0, 5, 10, 20])
beginnings = st.sampled_from(["", "dealt", "flop", "river"])


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
