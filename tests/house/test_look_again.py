"""What lies on the felt is taken over instead of told again only while the round is as it was."""

from __future__ import annotations

import pytest

from controller.house.game import HouseGame
from controller.house.layout import Layout, look_anew
from controller.house.state import Drawn
from controller.house.step import HouseStep
from controller.table.state import clone
from tests.table.telling import Telling


def dealt() -> Telling:
    t = Telling("three-card-poker")
    t.bet(1, ante=10, pair_plus=5)
    t.bet(2, ante=10)
    t.key("no-more-bets")
    t.draw("Kh Qs 5d 3d 2c 7s")
    return t


def step_of(t: Telling) -> HouseStep:
    assert isinstance(t.game, HouseGame)
    return t.game.begin(clone(t.table), t.seq + 1, t.table)


def told(f: Layout | None) -> tuple[object, ...]:
    assert f is not None
    return (
        f.hands,
        f.down,
        f.up,
        f.turned_by,
        f.dealt_by,
        f.rules,
        f.plans,
        f.served,
        f.waiting,
        f.done,
        f.laid,
        f.strays,
        f.held,
    )


def test_at_the_beginning_of_a_step_it_is_taken_over() -> None:
    t = dealt()
    s = step_of(t)
    f = s.look_first()
    assert f is not None and s.before is not None and f is not s.before
    assert told(f) == told(s.before) == told(look_anew(s.t, s.game))
    assert f.table is s.t and f.round is s.t.round and f.own is s.own
    f.hands["1"].append("2c")
    f.turn("1", "9.9", 1)
    f.round.wagers.clear()
    assert told(s.before) == told(look_anew(t.table, s.game))


def test_of_a_round_that_has_changed_it_is_told_again() -> None:
    s = step_of(dealt())
    s.own.tape.append(Drawn("9h"))
    f = s.look_first()
    assert told(f) == told(look_anew(s.t, s.game)) != told(s.before)


@pytest.mark.parametrize("changed", [False, True])
def test_at_the_end_of_a_step_it_is_told_again_only_if_the_round_has_changed(changed: bool) -> None:
    s = step_of(dealt())
    s.own.tape.append(Drawn("9h"))
    f = s.look_between()
    if changed:
        s.own.tape.append(Drawn("8h"))
    s.settle_down()
    assert s.after is not None and (s.after is f) != changed
    assert told(s.after) == told(look_anew(s.t, s.game))
