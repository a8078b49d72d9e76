"""Foresight: the step of a fact is taken while the fact is committed, and acts only when it is on record."""

from __future__ import annotations

import asyncio
import threading

import pytest

from controller.games import defaults, step
from controller.journal import Journal, JournalError, Writer
from controller.people.people import People
from controller.service import foresight
from controller.service.engine import Engine, EventId
from controller.service.fleet import Fleet
from controller.service.foresight import Foresight
from controller.service.outputs import Outputs
from controller.service.sign_in import SignIn
from controller.service.storage import Storage
from controller.table.facts import AnyFact, CardOut, Hold, Key, Started
from controller.table.state import Table
from controller.views.meter_face import MeterStyle

BEGIN = Started("casino-war", defaults("casino-war"))
SEAT = Key("seat", ("1",))
HELD = Hold("link.silent", "nothing heard", "shuffler")


def begun() -> Table:
    return step(Table(), 1, 1, BEGIN)[0]


class Counted:
    """The step, with how often it was taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken = 0
        monkeypatch.setattr(foresight, "step", self)

    def __call__(self, table: Table, seq: int, at: int, fact: AnyFact) -> object:
        self.taken += 1
        return step(table, seq, at, fact)


def test_a_step_that_was_foreseen_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, table, ahead = Counted(monkeypatch), begun(), Foresight()
    ahead.expect(7, SEAT)
    ahead.look_ahead(table, 2)
    ahead.look_ahead(table, 2)
    assert not table.seats
    assert ahead.seen(table, 2, 7, SEAT) == step(table, 2, 7, SEAT)
    assert counted.taken == 1
    assert ahead.seen(table, 2, 7, SEAT) is None  # what was foreseen serves one fact


@pytest.mark.parametrize("other", ["table", "number", "time", "fact"])
def test_what_was_foreseen_of_something_else_is_forgotten(other: str) -> None:
    table, ahead = begun(), Foresight()
    ahead.expect(7, SEAT)
    ahead.look_ahead(table, 2)
    follows = step(table, 2, 5, Key("seat", ("3",)))[0] if other == "table" else table
    seq, at = 3 if other == "number" else 2, 9 if other == "time" else 7
    fact = Key("seat", ("2",)) if other == "fact" else SEAT
    assert ahead.seen(follows, seq, at, fact) is None


def test_nothing_is_foreseen_where_nothing_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, table, ahead = Counted(monkeypatch), begun(), Foresight()
    ahead.look_ahead(table, 2)
    assert counted.taken == 0
    ahead.expect(7, SEAT)
    assert ahead.seen(table, 2, 7, SEAT) is None  # the disk was quicker
    ahead.look_ahead(table, 3)
    assert counted.taken == 0


def test_a_step_that_raises_is_not_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(table: Table, seq: int, at: int, fact: AnyFact) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(foresight, "step", fails)
    table, ahead = begun(), Foresight()
    ahead.expect(7, SEAT)
    ahead.look_ahead(table, 2)
    assert ahead.seen(table, 2, 7, SEAT) is None  # it is taken, and told, when its fact is on record


class Slow:
    """An engine on a journal whose commits wait until `gate` is set; `looked` is set when the loop had time."""

    def __init__(self) -> None:
        self.journal = Journal.open(None, table="T1")
        self.writer = Writer(self.journal)
        self.engine = Engine(self.journal, self.writer, clock=lambda: 5)
        self.gate, self.looked = threading.Event(), asyncio.Event()
        self.gate.set()
        nudge, look = self.journal.before_commit, self.writer.meanwhile
        self.fails = False

        def before_commit() -> None:
            nudge()
            assert self.gate.wait(10)
            if self.fails:
                raise JournalError("journal.full", "no space")

        def meanwhile() -> None:
            look()
            self.looked.set()

        self.journal.before_commit, self.writer.meanwhile = before_commit, meanwhile

    async def begin(self) -> None:
        await self.engine.start(BEGIN)
        self.gate.clear()
        self.looked.clear()

    async def close(self) -> None:
        await self.writer.close()
        self.journal.close()


async def test_a_fact_acts_and_is_acknowledged_only_when_it_is_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, slow = Counted(monkeypatch), Slow()
    await slow.begin()
    acknowledged: list[int] = []
    before, already = slow.engine.table, counted.taken
    waiting = slow.engine.submit(SEAT, EventId("console", 1, 1), lambda: acknowledged.append(1))
    await asyncio.wait_for(slow.looked.wait(), 10)
    assert counted.taken == already + 1  # while the disk works
    assert slow.engine.table is before and not before.seats and not acknowledged and slow.journal.head.seq == 1
    slow.gate.set()
    assert (await waiting).seq == 2
    assert "1" in slow.engine.table.seats and counted.taken == already + 1
    await slow.close()
    assert acknowledged == [1]


async def test_a_fact_that_was_foreseen_and_not_stored_never_acts() -> None:
    slow = Slow()
    await slow.begin()
    slow.fails = True
    waiting = slow.engine.submit(CardOut("Kh"))
    await asyncio.wait_for(slow.looked.wait(), 10)
    slow.gate.set()
    with pytest.raises(JournalError):
        await waiting
    assert slow.engine.table.round is None and slow.engine.seq == 1
    slow.fails = False
    await slow.engine.submit(SEAT)
    assert slow.engine.seq == 2 and "1" in slow.engine.table.seats and slow.engine.table.round is None
    await slow.close()


async def test_facts_that_come_meanwhile_act_in_their_order() -> None:
    slow = Slow()
    await slow.begin()
    slow.engine.submit(SEAT)
    await asyncio.wait_for(slow.looked.wait(), 10)
    second = slow.engine.submit(Key("leave", ("1",)))
    slow.gate.set()
    assert (await second).seq == 3 and not slow.engine.table.seats
    await slow.close()


async def test_who_shows_the_table_may_prepare_for_it_and_fail_at_that() -> None:
    slow = Slow()
    await slow.begin()
    foreseen: list[Table] = []

    def prepare(ahead: Table) -> None:
        foreseen.append(ahead)
        raise ValueError

    shown: list[Table] = []

    def show(table: Table) -> None:
        assert slow.engine.seq == 2  # on record
        shown.append(table)
        raise ValueError

    slow.engine.on_foreseen, slow.engine.on_come_true = prepare, show
    waiting = slow.engine.submit(SEAT)
    await asyncio.wait_for(slow.looked.wait(), 10)
    assert "1" in foreseen[0].seats and not slow.engine.table.seats and not shown
    slow.gate.set()
    await waiting
    assert slow.engine.table is foreseen[0] and shown == foreseen
    await slow.close()


async def test_lamps_that_were_prepared_are_lit_only_when_the_fact_is_on_record() -> None:
    slow = Slow()
    storage = Storage(slow.engine)
    fleet = Fleet(slow.engine, storage, slow.journal, {}, 1, None, SignIn(slow.engine, People()))
    outputs = Outputs(slow.engine, storage, fleet, MeterStyle())
    await slow.begin()
    before = outputs.wanted_lamps()
    assert "bets" in before
    slow.fails = True
    waiting = slow.engine.submit(HELD)
    await asyncio.wait_for(slow.looked.wait(), 10)
    assert outputs.wanted_lamps() == before
    slow.gate.set()
    with pytest.raises(JournalError):
        await waiting
    assert outputs.wanted_lamps() == before
    slow.fails = False
    await slow.engine.submit(HELD)
    assert outputs.wanted_lamps() == before - {"bets"}
    outputs.devices_stopped()
    await slow.close()


class Faulty:
    """Lamps whose driver fails once."""

    names = ("bets",)

    def __init__(self) -> None:
        self.failed = False
        self.shown: dict[str, int] = {}

    def show(self, lamps: dict[str, int]) -> None:
        if not self.failed:
            self.failed = True
            raise ValueError
        self.shown |= lamps


async def test_lamps_that_could_not_be_shown_before_are_shown_behind_the_fact() -> None:
    slow = Slow()
    storage = Storage(slow.engine)
    fleet = Fleet(slow.engine, storage, slow.journal, {}, 1, None, SignIn(slow.engine, People()))
    outputs = Outputs(slow.engine, storage, fleet, MeterStyle())
    await slow.begin()
    lamps = Faulty()
    outputs._lamps = [lamps]  # type: ignore[list-item]
    waiting = slow.engine.submit(HELD)  # the lamp for bets goes off
    await asyncio.wait_for(slow.looked.wait(), 10)
    slow.gate.set()
    await waiting
    assert lamps.failed and lamps.shown == {"bets": 0}
    await slow.close()
