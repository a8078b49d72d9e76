"""A field that a kept record does not have means what it has always meant."""

from __future__ import annotations

from tests.kept.missing import KEPT, lines


def test_what_is_missing_means_what_it_meant() -> None:
    kept = KEPT.read_text(encoding="utf-8").splitlines()
    assert lines() == kept, "a new field: python -m tests.kept.missing; any other change reads old records otherwise"
