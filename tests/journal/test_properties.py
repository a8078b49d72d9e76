"""Any sequence of appends, snapshots and restarts gives back exactly what was acknowledged."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controller.journal import Duplicate, Entry, Journal, Record, Snapshot, verify
from controller.journal.counters import StoredEvents
from tests.journal.conftest import TABLE, newest_event

facts = st.builds(Entry, at_us=st.integers(-(2**40), 2**62), payload=st.binary(max_size=40))
events = st.builds(
    Entry,
    at_us=st.integers(0, 2**40),
    payload=st.binary(max_size=40),
    device=st.sampled_from(["shoe", "bets", "Köln 7"]),
    epoch=st.integers(0, 2),
    counter=st.integers(1, 12),
)
batches = st.lists(facts | events, max_size=12)


class JournalMachine(RuleBasedStateMachine):
    """The journal beside the simplest thing that could be right: a list and a set."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal.db"
        self.journal = Journal.open(self.path, table=TABLE)
        self.stored: list[Record] = []
        self.known: set[tuple[str, int, int]] = set()
        self.snapshots: dict[int, bytes] = {}

    def teardown(self) -> None:
        self.journal.close()
        assert verify(self.path).ok
        self.folder.cleanup()

    @rule(batch=batches)
    def append(self, batch: list[Entry]) -> None:
        expected: list[Record | Duplicate] = []
        for entry in batch:
            event = (entry.device, entry.epoch, entry.counter)
            if entry.device and event in self.known:
                expected.append(Duplicate(*event))
                continue
            self.known.add(event)
            self.stored.append(Record(len(self.stored) + 1, entry.at_us, *event, entry.payload))
            expected.append(self.stored[-1])
        assert self.journal.append(batch) == expected

    @rule(payload=st.binary(max_size=20))
    def snapshot(self, payload: bytes) -> None:
        self.snapshots[len(self.stored)] = payload
        self.journal.snapshot(len(self.stored), payload)

    @rule()
    def restart(self) -> None:
        self.journal.close()
        self.journal = Journal.open(self.path, table=TABLE)

    @precondition(lambda self: self.snapshots)
    @rule()
    def read_snapshot(self) -> None:
        newest = max(self.snapshots)
        assert self.journal.snapshots()[-1] == (newest, Snapshot(newest, self.snapshots[newest]))

    @invariant()
    def gives_back_what_it_acknowledged(self) -> None:
        assert list(self.journal) == self.stored
        assert self.journal.head.seq == len(self.stored)
        for device in ("shoe", "bets", "Köln 7"):
            of_device = [record for record in self.stored if record.device == device]
            epoch = of_device[-1].epoch if of_device else 0
            newest = max((record.counter for record in of_device if record.epoch == epoch), default=0)
            assert newest_event(self.journal, device) == (epoch, newest)


TestJournal = JournalMachine.TestCase
TestJournal.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)


@given(st.lists(st.integers(1, 30), max_size=40))
def test_seen_is_a_set_of_counters(counters: list[int]) -> None:
    seen, model = StoredEvents(), set[int]()
    for counter in counters:
        assert seen.has(counter) == (counter in model)
        if counter not in model:
            seen = seen.plus(counter)
            model.add(counter)
        assert StoredEvents.of(seen.counter, seen.gaps_text()) == seen
    assert seen.counter == max(model, default=0)


def test_a_mad_device_cannot_grow_the_memory() -> None:
    seen = StoredEvents()
    for counter in range(2, 2000, 2):
        seen = seen.plus(counter)
    assert len(seen.gaps) == 64
    assert not seen.has(1997)
