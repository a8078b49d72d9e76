"""Daemons that are gone when their test is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Not started yet."""
    house = House(tmp_path)
    yield house
    house.close()
