"""What every game's properties need: a round played to its end, any order of facts, and what must hold after them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import fold
from controller.places import area_of
from controller.table.effects import LinesSettled
from controller.table.requests import Cards, Choice, Settle
from controller.table.state import Line, Seen, Table, encode
from tests.table.telling import Telling

Event = tuple[str, object]
ROLES = ("dealer", "supervisor", "casino-manager", "inspector")


def play_out(t: Telling, cards: Iterator[str], data: st.DataObject) -> None:
    """Do what the table asks for, in any order, until the round is over."""
    for _ in range(300):
        if t.table.round is None or t.table.round.outcome:
            return
        requests = [q for q in t.felt.waiting if isinstance(q, Cards | Choice | Settle)]
        assert requests, f"nothing can be done: {t.felt.waiting}"
        request = data.draw(st.sampled_from(requests))
        if isinstance(request, Cards):
            t.draw(next(cards))
        elif isinstance(request, Settle):
            t.key("settle")
        elif data.draw(st.integers(0, 2)) == 0:
            word = data.draw(st.sampled_from(request.words))
            t.key(" ".join((word.key, request.place, *word.args)))
        else:
            amount = data.draw(st.sampled_from((request.amount, *request.amounts)))
            bettor = int(request.place.partition(".")[2] or 1)
            t.bet(area_of(request.place), bettor, **{request.spot.replace("-", "_"): amount // 100})
    raise AssertionError("the round does not end")


def settled_lines(t: Telling) -> list[Line]:
    """The lines of a round that was settled: each wager has exactly one, and it names its rule."""
    r = t.table.round
    assert r is not None and r.outcome == "settled"
    lines = [line for line in r.lines if line.spot != "ante-bonus"]  # a payment without a wager of its own
    assert sorted(line.at for line in lines) == sorted(r.wagers)
    assert [line for e in t.effects if isinstance(e, LinesSettled) for line in e.lines] == r.lines
    for line in lines:
        assert line.rule
        assert line.stake + line.surplus == r.wagers[line.at]
    return r.lines


def events(keys: Sequence[str], spots: Sequence[str], amounts: Sequence[int]) -> st.SearchStrategy[Event]:
    """Anything that may happen at a table."""
    bet = st.tuples(st.integers(1, 3), st.sampled_from(spots), st.sampled_from(amounts))
    drawn = st.lists(st.sampled_from([*DECK, "??"]), min_size=1, max_size=4).map(" ".join)
    return st.one_of(
        st.sampled_from(keys).map(lambda key: ("key", key)),
        st.sampled_from(ROLES).map(lambda role: ("role", role)),
        drawn.map(lambda cards: ("draw", cards)),
        bet.map(lambda at: ("bet", at)),
    )


def follow(t: Telling, what: Sequence[Event]) -> None:
    """No order of facts is a defect; replay is identical; a round that is running waits for something."""
    for kind, value in what:
        match kind, value:
            case "key", str(words):
                t.key(words)
            case "role", str(role):
                t.role(role)
            case "draw", str(cards):
                t.draw(cards)
            case "bet", (int(area), str(spot), int(amount)):
                t.bet(area, **{spot: amount})
    assert_replays(t)
    r = t.table.round
    if r is not None and not r.outcome and t.table.talk is None:
        assert t.felt.waiting, "a round that is running waits for something"


def assert_replays(t: Telling) -> None:
    """The facts alone give the same table."""
    assert encode(fold(Table(), [Seen(*fact) for fact in t.facts])) == encode(t.table)
