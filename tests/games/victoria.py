"""What the games of document 003 have in common for searches: wagers, keys, where a search begins, who beats whom."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from controller.hands import best
from controller.places import DEALER
from controller.table.state import Line
from controller.table.telling import COMMUNITY
from tests.table.telling import Telling

bets = st.dictionaries(st.integers(1, 9), st.sampled_from([3, 5, 10, 25, 500, 700]), min_size=1, max_size=4)
beginnings = st.sampled_from(["", "dealt", "flop", "river"])

KEYS: Final = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "void 2", "misdeal", "reconstruct", "looked"),
    *("fold 1", "fold 2", "check 1", "check 2", "unable 1", "unable 2", "taken 1", "taken 2 As Kd", "exposed 1"),
    *("exposed flop", "exposed dealer", "short 1", "short 2 all", "short flop", "short dealer", "short community"),
    *("excess 1", "excess flop", "excess turn", "excess river", "excess dealer", "stray 3", "stray 1", "burn 3"),
    *("keep 1", "keep 2", "retract 1", "retract 2", "order known", "order unknown", "count 52", "count 51"),
    *("replaced", "exclude 2", "invalidate fraud", "owner 2 1", "owner 3 1", "viewed 2", "viewed 1 2", "viewed 2 3"),
    *("close-table", "open-table", "notice close-table", "set min=10", "set burn=on", "set burn=off", "leave 2"),
    *("reconstruct 1=As,Ks", "reconstruct flop=As,Ks,Qs", "reconstruct dealer=2c", "announced", "surrender 1"),
)


def check_against_dealer(t: Telling, line: Line) -> None:
    """The better hand wins this wager."""
    hands = t.felt.hands
    mine, dealers = best(hands[line.place] + hands[COMMUNITY]), best(hands[DEALER] + hands[COMMUNITY])
    assert (line.net > 0) == (mine > dealers)
    assert (line.net < 0) == (mine < dealers)


def check_burns(t: Telling, burning: bool) -> None:
    """A card is burned before each street, where they are burned at all."""
    assert len(t.felt.burns) == (3 if burning and COMMUNITY in t.felt.hands else 0)
