"""The benchmark of the links measures what it says, on every kind of wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.links import KINDS, round_trips


@pytest.mark.parametrize("kind", KINDS)
async def test_both_ways_are_timed(kind: str, tmp_path: Path) -> None:
    linked, bare = await round_trips(kind, tmp_path, batches=1, batch=4)
    assert len(linked) == len(bare) == 3
    assert min(*linked, *bare) > 0
