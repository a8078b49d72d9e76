"""One daemon for all commands that only look."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.daemon.house import PATIENCE, House


def felt(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a person does."""
    command = [sys.executable, "-c", "import sys; from controller.cli.main import main; sys.exit(main())", *words]
    env = {**os.environ, "COLUMNS": "120", **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=env)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.start().deal_a_round()
        yield house
    finally:
        house.close()
