"""One daemon for all commands that only look."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(scope="module")
def dealt(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A table at which two rounds were dealt, or as many as ROUNDS of the module says."""
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.start()
        for _ in range(getattr(request.module, "ROUNDS", 2)):
            house.deal_a_round()
        yield house
    finally:
        house.close()


@pytest.fixture(scope="module")
def file(dealt: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its journal as it is on disk: all of it is in the file and its write-ahead log."""
    folder = tmp_path_factory.mktemp("copy")
    for path in dealt.journal.parent.glob("journal.db*"):
        shutil.copy(path, folder / path.name)
    return folder / "journal.db"
