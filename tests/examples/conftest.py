"""The examples installed as anybody would install them, once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, installed

collect_ignore = ["even_card.py"]  # a package from outside: imported here it would be in the register of all tests


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns where pip has put the game and the devices; our own packages are seen beside it."""
    return installed(tmp_path_factory.mktemp("site"), EXAMPLES / "high_card", EXAMPLES / "acme_devices")
