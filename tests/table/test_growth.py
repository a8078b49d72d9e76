"""However much happens in a round, a step does the same work and the table stays as large as what lies on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from controller.games import GAMES, restored, step
from controller.house.state import own
from controller.table import follow as stepping
from controller.table.effects import Prompted, Refused
from controller.table.facts import (
    Amend,
    AnyFact,
    CardOut,
    Chips,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    Key,
    Noted,
    Spot,
    Tick,
)
from controller.table.faults import CODES_KEPT
from controller.table.history import NOTHING, History
from controller.table.state import Seen, Table, clone, decode, encode
from controller.table.step import PROMPTS_KEPT
from tests.table.telling import Telling

FLAP = (DeviceLost("lamps", "link.silent", "no answer"), DeviceReady("lamps"))


def flaps(many: int) -> Iterator[AnyFact]:
    return islice(cycle(FLAP), many)


def tell(table: Table, facts: Iterator[AnyFact], seq: int) -> Table:
    """Without the checks of a Telling, which look at everything each time."""
    for n, fact in enumerate(facts, seq + 1):
        table, _ = step(table, n, 0, fact)
    return table


def dealt() -> Telling:
    t = Telling()
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d")
    return t


# ---- what a device that comes and goes leaves behind


def test_a_device_that_comes_and_goes_between_rounds_leaves_nothing_behind() -> None:
    t = Telling()
    few, many = tell(t.table, flaps(20), t.seq), tell(t.table, flaps(4000), t.seq)
    assert len(few.prompts) == len(many.prompts) == 1
    assert len(encode(many)) <= len(encode(few)) + 8  # the number of the newest fact takes more bytes


def test_every_time_is_told_to_the_outside_although_the_table_keeps_one() -> None:
    t = Telling()
    told = [effect for fact in flaps(6) for effect in t.tell(fact) if isinstance(effect, Prompted)]
    assert len(told) == 3
    assert [p.seq for p in t.table.prompts] == [told[-1].prompt.seq]


def test_what_differs_in_anything_is_kept() -> None:
    t = Telling()
    t.tell(DeviceFault("sensor.1", "dark"))
    t.tell(DeviceFault("sensor.2", "dark"))
    t.tell(DeviceFault("sensor.1", "stuck"))
    t.tell(DeviceFault("sensor.1", "dark"))
    places = [(p.place, p.text) for p in t.table.prompts]
    assert places == [("2", "sensor.2: dark"), ("1", "sensor.1: stuck"), ("1", "sensor.1: dark")]


def test_a_device_that_invents_faults_does_not_fill_the_table() -> None:
    t = Telling()
    table = tell(t.table, (DeviceFault("lamps", f"code-{n}", str(n)) for n in range(1000)), t.seq)
    assert len(table.prompts) == PROMPTS_KEPT and table.prompts[-1].text == "lamps: code-999 999"
    assert len(table.faults["lamps"]) == CODES_KEPT
    table = tell(table, iter([DeviceFault("lamps", "code-3", "worse")]), 2000)
    assert table.faults["lamps"]["code-3"] == "worse"


# ---- the history is shared


def test_a_step_shares_the_history_with_the_table_before_it() -> None:
    t = dealt()
    before = t.table
    t.draw("5c")
    after = t.table
    assert after.history.shares(before.history) and clone(after).history.shares(after.history)
    assert after.opening is before.opening and after.begun is before.begun
    assert len(after.history) == len(before.history) + 1
    assert [x.seq for x in before.history] == [x.seq for x in after.history[:-1]]


def test_two_tellings_of_one_past_do_not_meet() -> None:
    first = NOTHING.then(Seen(1, 0, Tick()))
    one, other = first.then(Seen(2, 0, CardOut("Kh"))), first.then(Seen(2, 0, CardOut("2c")))
    assert (one[-1].fact, other[-1].fact) == (CardOut("Kh"), CardOut("2c"))
    assert len(NOTHING) == 0 and len(first) == 1 and list(one[:1]) == list(first)
    assert one != other and other == History([*first, Seen(2, 0, CardOut("2c"))])
    assert (one.position(2), one.position(9)) == (1, None)


def test_what_a_step_copies_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder is what copies: count the bytes it copies in each step."""
    from controller.table import state

    copied: list[int] = []
    original = state._decoder

    class Counting:
        def decode(self, data: bytes) -> Table:
            copied.append(len(data))
            return original.decode(data)

    t = dealt()
    monkeypatch.setattr(state, "_decoder", Counting())
    tell(t.table, flaps(2000), t.seq)
    assert len(copied) == 2000
    assert max(copied[1000:]) <= max(copied[:10]) + 16


def test_rulings_that_are_on_record_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that sticks reports the same again and again, and each time it is ruled on."""
    from controller.table import state

    t = dealt()
    once = tell(t.table, iter([Key("taken", ("1",))]), t.seq)
    copied: list[int] = []
    original = state._decoder

    class Counting:
        def decode(self, data: bytes) -> Table:
            copied.append(len(data))
            return original.decode(data)

    monkeypatch.setattr(state, "_decoder", Counting())
    many = tell(once, islice(cycle([Key("taken", ("1",))]), 300), t.seq + 1)
    assert once.round is not None and many.round is not None
    assert len(many.round.rulings) == len(once.round.rulings) + 300
    assert max(copied) <= copied[0] + 16
    assert len(once.round.rulings) == 1 and decode(encode(many)) == many


# ---- a round with very many facts


def long_round(many: int) -> Telling:
    t = dealt()
    t.table, t.seq = tell(t.table, flaps(many), t.seq), t.seq + many
    return t


def test_a_correction_tells_each_fact_of_the_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    t = long_round(2000)
    facts, target = len(t.table.history), next(x.seq for x in t.table.history if x.fact == CardOut("9d"))
    steps = 0
    original = stepping.step

    def counted(*args: object) -> object:
        nonlocal steps
        steps += 1
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(stepping, "step", counted)
    table, effects = original(GAMES, t.table, t.seq + 1, 0, Amend(target, CardOut("3d")))
    assert not any(isinstance(effect, Refused) for effect in effects)
    assert steps == facts
    assert table.round is not None and [d.card for d in own(table.round).tape] == ["Kh", "3d"]


def test_a_corrected_long_round_is_the_round_that_would_have_been() -> None:
    t = long_round(300)
    target = next(x.seq for x in t.table.history if x.fact == CardOut("9d"))
    corrected, _ = step(t.table, t.seq + 1, 0, Amend(target, CardOut("3d")))
    fresh = Telling()
    fresh.bet(1, war=10)
    fresh.bet(2, war=10)
    fresh.key("no-more-bets")
    fresh.draw("Kh 3d")
    assert encode(corrected) == encode(tell(fresh.table, flaps(300), fresh.seq))


def test_in_mid_round_a_table_comes_back_from_its_encoding_with_all_its_past() -> None:
    t = long_round(50)
    t.tell(Chips(1, (Spot("tie", 1, 500), Spot("war", 1, 1000, token=True))))
    t.tell(Noted("shoe", "CardsLow"))
    again = restored(encode(t.table))
    assert again == t.table and encode(again) == encode(t.table)
    target = next(x.seq for x in again.history if x.fact == CardOut("9d"))
    amend = Amend(target, CardOut("3d"))
    assert encode(step(again, t.seq + 1, 0, amend)[0]) == encode(step(t.table, t.seq + 1, 0, amend)[0])
