"""Which counters are stored, how far a device may be acknowledged, and what misses: against plain sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.journal.counters import StoredEvents

COUNTERS = st.lists(st.integers(1, 40), unique=True, max_size=30)


@given(COUNTERS, st.integers(0, 45), st.integers(0, 45))
def test_through_and_missing_are_what_a_set_says(counters: list[int], base: int, upto: int) -> None:
    seen, stored = StoredEvents(), set[int]()
    for counter in counters:
        seen = seen.plus(counter)
        stored.add(counter)
    through = seen.through(base)
    assert through >= base
    assert all(number in stored for number in range(base + 1, through + 1))
    assert through + 1 not in stored
    missing = {number for first, last in seen.missing(base, upto) for number in range(first, last + 1)}
    assert missing == {number for number in range(base + 1, upto + 1) if number not in stored}
