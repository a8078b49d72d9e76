"""What the table refused is told again from a journal: wherever one begins, and no farther than one may."""

from __future__ import annotations

import pytest

from controller.journal.records import Entry
from controller.journal.store import Journal
from controller.service.refusals import KEPT, Refusals
from controller.service.retold_refusals import RetoldRefusals
from controller.service.round_store import Waypoint
from controller.table import state
from controller.table.effects import Refused
from controller.table.facts import AnyFact, Key, encode
from tests.table.telling import Telling

EVERY = 10  # of so many facts one is refused


@pytest.fixture(scope="module")
def journal() -> Journal:
    """Two hundred facts; 10, 20 and so on are refused."""
    facts: list[AnyFact] = [Telling().table.begun or Key("settle")]
    facts += [Key("settle") if seq % EVERY == 0 else Key("seat", ("1",)) for seq in range(2, 201)]
    made = Journal.open(None, table="T1")
    made.append([Entry(seq, encode(fact)) for seq, fact in enumerate(facts, start=1)])
    return made


def told(refusals: RetoldRefusals, journal: Journal, first: int, last: int) -> list[int]:
    return list(refusals.of(journal.read(first, last - first + 1)))


def test_in_any_order(journal: Journal) -> None:
    refusals = RetoldRefusals(journal)
    assert told(refusals, journal, 15, 35) == [20, 30]
    assert told(refusals, journal, 36, 50) == [40, 50]
    assert told(refusals, journal, 5, 20) == [10, 20]


def test_from_the_nearest_table_that_was_kept(journal: Journal) -> None:
    t = Telling()
    kept = Waypoint(150, state=state.encode(t.table))
    followed: list[int] = []
    refusals = RetoldRefusals(
        journal, lambda seq: kept if seq > kept.seq else Waypoint(), lambda: followed.append(1), far=60
    )
    assert told(refusals, journal, 171, 180) == [180] and len(followed) == 30
    assert told(refusals, journal, 181, 190) == [190] and len(followed) == 40  # it goes on
    assert told(refusals, journal, 100, 110) == [] and len(followed) == 40  # no table was kept near it
    assert told(refusals, journal, 41, 50) == [50] and len(followed) == 90
    assert told(refusals, journal, 51, 160) == [110, 120, 130, 140, 150, 160]  # the last of what is far apart


def test_a_table_of_another_version_is_passed_over(journal: Journal) -> None:
    refusals = RetoldRefusals(journal, lambda seq: Waypoint(5, state=b"?"))
    assert told(refusals, journal, 10, 10) == [10]


def test_what_is_forgotten_is_known_to_be() -> None:
    refusals = Refusals(7)
    assert refusals.since == 7
    for seq in range(10, 10 + KEPT + 2):
        refusals.add(seq, [Refused("no", "9.1")])
    assert refusals.since == 11 and refusals.of(11) is None and refusals.of(12) is not None
