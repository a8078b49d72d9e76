"""Three Card Poker under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.hands import QUEEN_HIGH, best_three
from controller.table.felt import Cards, Choice, Settle
from controller.table.state import DEALER, Seen, Table, encode
from controller.table.step import fold
from tests.table.telling import Telling

GAME = "three-card-poker"
amounts = st.sampled_from([3, 5, 10, 500, 700])
wagers = st.fixed_dictionaries({}, optional={"ante": amounts, "pair_plus": amounts}).filter(bool)
bets = st.dictionaries(st.integers(1, 9), wagers, min_size=1, max_size=6)


def play_out(t: Telling, deck: list[str], data: st.DataObject) -> None:
    """Do what the table asks for until the round is over."""
    for _ in range(100):
        if t.table.round is None or t.table.round.outcome:
            return
        requests = [q for q in t.felt.waiting if isinstance(q, Cards | Choice | Settle)]
        assert requests, f"nothing can be done: {t.felt.waiting}"
        request = data.draw(st.sampled_from(requests))
        if isinstance(request, Cards):
            t.draw(deck.pop())
        elif isinstance(request, Settle):
            t.key("settle")
        elif data.draw(st.booleans()):
            key, *more = data.draw(st.sampled_from(request.words)).split(" ")
            t.key(" ".join((key, request.place, *more)))
        else:
            t.bet(int(request.place), play=request.amount // 100)
    raise AssertionError("the round does not end")


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
    play_out(t, list(deck), data)
    r = t.table.round
    assert r is not None and r.outcome == "settled"
    ended = [f"{line.place} {line.spot}" for line in r.lines if line.spot != "ante-bonus"]
    assert sorted(ended) == sorted(r.wagers)
    hands = t.felt.hands
    dealers = best_three(hands[DEALER])
    for line in r.lines:
        assert line.rule
        mine = best_three(hands[line.place])
        if line.spot == "play":
            assert (line.net > 0) == (dealers >= QUEEN_HIGH and mine > dealers)
            assert (line.net < 0) == (dealers >= QUEEN_HIGH and mine < dealers)


@settings(max_examples=20)
@given(bets, st.permutations(DECK), st.data())
def test_replay_gives_the_same_table(placed: dict[int, dict[str, int]], deck: list[str], data: st.DataObject) -> None:
    t = Telling(GAME)
    for _ in range(2):
        begin(t, placed)
        play_out(t, list(deck), data)
    assert encode(fold(Table(), [Seen(*fact) for fact in t.facts])) == encode(t.table)


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "misdeal", "reconstruct", "announced", "looked"),
    *("fold 1", "fold 2", "fold 1 ante", "fold 3", "unable 1", "unable 2", "taken 1", "taken 2 As Kd Kc", "exposed 1"),
    *("exposed 1 1", "exposed dealer", "exposed flop", "short 1", "short 2 all", "short dealer", "short flop"),
    *("excess 1", "excess dealer", "excess river", "stray 4", "stray 1", "burn 4", "burn 1", "keep 1", "keep 2"),
    *("retract 1", "retract 2", "order known", "order unknown", "count 52", "count 51", "replaced", "exclude 2"),
    *("invalidate fraud", "owner 2 1", "viewed 2", "viewed 1 2", "close-table", "open-table", "set min=10", "leave 2"),
    *("reconstruct 1=As,Ks,Qs", "reconstruct dealer=2c", "set tray=on", "set pair-plus=B"),
)
events = st.one_of(
    st.sampled_from(KEYS).map(lambda k: ("key", k)),
    st.sampled_from(["dealer", "supervisor", "casino-manager", "inspector"]).map(lambda r: ("role", r)),
    st.sampled_from([*DECK, "??"]).map(lambda c: ("draw", c)),
    st.tuples(st.integers(1, 3), st.sampled_from(["ante", "pair_plus", "play"]), st.sampled_from([0, 5, 10])).map(
        lambda b: ("bet", b)
    ),
)


@settings(max_examples=100)
@given(
    st.booleans(),
    st.lists(events, max_size=25),
    st.sampled_from(["auto", "manual"]),
    st.sampled_from(["hand", "shuffler"]),
    st.sampled_from(["last-card", "key"]),
)
def test_whatever_happens_the_table_follows(
    dealt: bool, what: list[tuple[str, object]], gates: str, shoe: str, announce: str
) -> None:
    """No order of facts is a defect; replay is identical; a running round always waits for something."""
    t = Telling(GAME, gates=gates, shoe=shoe, announce=announce)
    if dealt:
        begin(t, {1: {"ante": 10, "pair_plus": 5}, 2: {"ante": 10}, 3: {"pair_plus": 5}})
        t.draw("As Kh 3c Qd Ad Kd 4c Jd 2c 7h 5c 9h")
    for kind, value in what:
        if kind == "key":
            t.key(str(value))
        elif kind == "role":
            t.role(str(value))
        elif kind == "draw":
            t.draw(str(value))
        else:
            area, spot, amount = value  # type: ignore[misc]
            t.bet(area, **{spot: amount})
    assert encode(fold(Table(), [Seen(*fact) for fact in t.facts])) == encode(t.table)
    r = t.table.round
    if r is not None and not r.outcome and t.table.talk is None:
        assert t.felt.waiting, "a round that is running waits for something"
