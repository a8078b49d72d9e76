"""Casino War under any cards, wagers, decisions and mishaps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK, rank
from controller.table.effects import Sealed
from controller.table.felt import Cards, Choice, Order, Press, Settle
from controller.table.state import Seen, Table, encode
from controller.table.step import fold
from tests.table.telling import Telling

cards = st.sampled_from(DECK)
amounts = st.sampled_from([3, 5, 10, 25, 500, 700])
bets = st.dictionaries(
    st.tuples(st.integers(1, 4), st.integers(1, 3)),
    st.fixed_dictionaries({}, optional={"war": amounts, "tie": amounts}).filter(bool),
    min_size=1,
    max_size=6,
)


def play_out(t: Telling, data: st.DataObject) -> None:
    """Do what the table asks for until the round is over."""
    for _ in range(200):
        if t.table.round is None or t.table.round.outcome:
            return
        waiting = t.felt.waiting
        requests = [q for q in waiting if isinstance(q, Cards | Choice | Settle)]
        assert requests, f"nothing can be done: {waiting}"
        request = data.draw(st.sampled_from(requests))
        if isinstance(request, Cards):
            t.draw(data.draw(cards))
        elif isinstance(request, Settle):
            t.key("settle")
        elif data.draw(st.booleans()):
            t.key(f"surrender {request.place}")
        else:
            area, _, bettor = request.place.partition(".")
            t.bet(int(area), int(bettor or 1), go_to_war=request.amount // 100)
    raise AssertionError("the round does not end")


def place_bets(t: Telling, wagers: dict[tuple[int, int], dict[str, int]]) -> None:
    for (area, bettor), spots in wagers.items():
        t.bet(area, bettor, **spots)


@settings(max_examples=150)
@given(wagers=bets, data=st.data())
def test_every_wager_has_exactly_one_result(wagers: dict[tuple[int, int], dict[str, int]], data: st.DataObject) -> None:
    t = Telling()
    place_bets(t, wagers)
    t.key("no-more-bets")
    play_out(t, data)
    r = t.table.round
    assert r is not None and r.outcome == "settled"
    ended = [(line.place, line.spot) for line in r.lines]
    assert sorted(f"{p} {s}" for p, s in ended) == sorted(r.wagers)
    paid = [line for e in t.effects if isinstance(e, Sealed) for line in e.lines]
    assert paid == r.lines
    for line in r.lines:
        assert line.rule
        assert line.stake + line.surplus == r.wagers[f"{line.place} {line.spot}"]
        assert -line.stake <= line.net <= 10 * line.stake
    mine = {p: rank(h[0]) for p, h in t.felt.hands.items()}
    for line in r.lines:
        if line.spot == "tie" and line.result != "returned":
            assert (line.result == "win") == (mine[line.place.partition(".")[0]] == mine["dealer"])


@settings(max_examples=100)
@given(wagers=bets, data=st.data())
def test_replay_gives_the_same_table(wagers: dict[tuple[int, int], dict[str, int]], data: st.DataObject) -> None:
    t = Telling()
    for _ in range(2):
        place_bets(t, wagers)
        t.key("no-more-bets")
        play_out(t, data)
    again = fold(Table(), [Seen(*fact) for fact in t.facts])
    assert encode(again) == encode(t.table)


KEYS = (
    *("no-more-bets", "settle", "shuffled", "cut", "checked", "void", "misdeal", "reconstruct", "show-burn"),
    *("surrender 1", "surrender 2", "short 1", "short 2", "short dealer", "stray 3", "stray 1", "excess dealer shown"),
    *("excess 2", "keep 1", "keep 2", "retract 1", "retract 2", "order known", "order unknown", "count 312"),
    *("count 311", "replaced", "exclude 2", "invalidate fraud", "invalidate disturbance", "unable 1", "taken 1"),
    *("refuse 1 war", "close-table", "open-table", "notice close-table", "set min=10", "marker 1 min=1 max=900"),
    *("owner 4 1", "seat 1-4", "leave 2", "exposed 1", "looked", "viewed 1", "refuse-cut 1", "cutting-card 100"),
)
events = st.one_of(
    st.sampled_from(KEYS).map(lambda k: ("key", k)),
    st.sampled_from(["dealer", "supervisor", "casino-manager", "inspector"]).map(lambda r: ("role", r)),
    cards.map(lambda c: ("draw", c)),
    st.just(("draw", "??")),
    st.tuples(st.integers(1, 3), st.sampled_from(["war", "tie", "go_to_war"]), st.sampled_from([0, 5, 10])).map(
        lambda b: ("bet", b)
    ),
)


@settings(max_examples=300)
@given(st.lists(events, max_size=40), st.sampled_from(["auto", "manual"]), st.sampled_from(["hand", "csm"]))
def test_whatever_happens_the_table_follows(what: list[tuple[str, object]], gates: str, shoe: str) -> None:
    """No order of facts is a defect; replay is identical; chips are conserved line by line."""
    t = Telling(gates=gates, shoe=shoe, burn="on")
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
        waiting = t.felt.waiting
        assert waiting, "a round that is running waits for something"
        assert all(isinstance(q, Cards | Choice | Settle | Press | Order) or q.rule for q in waiting)
