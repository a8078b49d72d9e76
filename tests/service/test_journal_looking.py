"""Facts are found by device, by time and by number; no hash stands near a hidden card that has no salt beside it."""

from __future__ import annotations

import pytest

from controller.journal.records import Entry
from controller.journal.store import Journal
from controller.service.journal_encoding import journal_bytes, salted
from controller.service.journal_looking import before, behind, latest
from controller.service.public_hashes import FAR, hashes
from controller.table.facts import AnyFact, CardOut, Key, Snapped, Turned, encode

SECOND = 1_000_000


@pytest.fixture
def journal() -> Journal:
    made = Journal.open(None, table="T1")
    names = ["shoe", "console", "console"]
    made.append(
        [Entry(seq * SECOND, encode(Key("settle")), names[seq % 3], 1, seq // 3 + 1 + seq) for seq in range(1, 1201)]
    )
    return made


def numbers(records: object) -> list[int]:
    return [record.seq for record in records]  # type: ignore[attr-defined]


def test_the_latest(journal: Journal) -> None:
    assert numbers(latest(journal, 3, 1200)) == [1198, 1199, 1200]
    assert numbers(latest(journal, 3, 1199, "shoe")) == [1191, 1194, 1197]
    assert numbers(latest(journal, 600, 1200, "shoe")) == list(range(3, 1201, 3))
    assert latest(journal, 0, 1200) == [] and latest(journal, 5, 0) == []
    assert latest(journal, 5, 1200, "nobody") == []


def test_those_behind_one(journal: Journal) -> None:
    found = behind(journal, 0, 2, 1200, "shoe")
    assert (numbers(found.records), found.after) == ([3, 6], 6)
    found = behind(journal, 1197, 10, 1200)
    assert (numbers(found.records), found.after) == ([1198, 1199, 1200], None)
    assert behind(journal, 1200, 10, 1200) == ([], None)
    seen: list[int] = []
    after: int | None = 0
    while after is not None:
        found = behind(journal, after, 7, 1000, "shoe")
        seen += numbers(found.records)
        after = found.after
    assert seen == list(range(3, 1001, 3))


def test_since_a_time(journal: Journal) -> None:
    assert before(journal, 500 * SECOND, 1200) == 499
    assert before(journal, 0, 1200) == 0
    assert before(journal, 10**18, 1200) == 1200


def dealt(*facts: AnyFact) -> Journal:
    made = Journal.open(None, table="T1")
    made.append([Entry(number, encode(fact), "shoe", 1, number) for number, fact in enumerate(facts, 1)])
    return made


def test_with_a_salt_beside_its_card_every_record_tells_its_hash() -> None:
    made = Journal.open(None, table="T1")
    facts: list[AnyFact] = [Key("settle"), CardOut("Kh"), Snapped(1, b"digest"), Key("settle")]
    made.append([Entry(n, journal_bytes(fact, encode(fact)), "shoe", 1, n) for n, fact in enumerate(facts, 1)])
    records = made.read(1, 10)
    assert [salted(record.payload) for record in records] == [False, True, True, False]
    assert sorted(hashes(made, records, {})) == [1, 2, 3, 4]


def test_a_digest_without_a_salt_hides_the_hashes_behind_it() -> None:
    older = dealt(Key("settle"), Snapped(1, b"digest"), Key("settle"))
    assert sorted(hashes(older, older.read(1, 10), {})) == [1]


def test_no_hash_near_a_hidden_card_of_an_older_journal() -> None:
    """Who knows all but the card of a record could try which card gives its hash, or the next one."""
    keys: list[AnyFact] = [Key("settle")] * (2 * FAR)
    journal = dealt(*keys, CardOut("Kh"), *keys)
    hidden = len(keys) + 1
    records = journal.read(1, 1000)
    told = hashes(journal, records, {})
    assert sorted(told) == [*range(1, hidden), *range(hidden + FAR, len(records) + 1)]
    assert all(digest == journal.hash_at(seq).hex() for seq, digest in told.items())
    # also when the card itself is not asked for
    assert sorted(hashes(journal, records[hidden:], {})) == list(range(hidden + FAR, len(records) + 1))
    assert hashes(journal, [records[hidden + 1]], {}) == {}
    assert hashes(journal, [], {}) == {}


def test_a_card_that_was_turned_hides_no_hash() -> None:
    journal = dealt(CardOut("Kh"), Key("settle"), Turned(1, 2, ((1, 0),)))
    assert sorted(hashes(journal, journal.read(1, 10), {})) == [1, 2, 3]
    journal = dealt(CardOut("Kh"), Key("settle"), Turned(1, 2, ()))
    assert hashes(journal, journal.read(1, 10), {}) == {}
    assert sorted(hashes(journal, journal.read(1, 10), {1: {0}})) == [1, 2, 3]
