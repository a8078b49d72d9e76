"""One daemon for all commands that only look."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from tests.daemon.house import House
from tests.forking import run

LIMIT = 90.0  # seconds; nothing takes so long but a suite of trials, or a command that hangs


def felt(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a person does."""
    return run("felt", *words, env={**os.environ, "COLUMNS": "120", **environment}, timeout=LIMIT)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.start().deal_a_round()
        yield house
    finally:
        house.close()
