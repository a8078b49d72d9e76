"""Devices of the reference firmware: built where there is a compiler, else their tests are skipped by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.reference.building import COMPILER, build
from tests.reference.process import Reference

Maker = Callable[..., Reference]


@pytest.fixture(scope="session")
def checked() -> Path:
    """The program, with address and undefined-behaviour sanitizers."""
    if COMPILER is None:
        pytest.skip("no gcc: the reference firmware cannot be built")
    return build("host", SANITIZE="1") / "felt-device"


@pytest.fixture
def reference(checked: Path, tmp_path: Path) -> Iterator[Maker]:
    """Makes devices, which end with the test; one whose sanitizer complains fails it."""
    made: list[Reference] = []

    def make(family: str, **options: str) -> Reference:
        device = Reference([str(checked)], family, tmp_path, **options)
        made.append(device)
        return device.start()

    yield make
    for device in made:
        device.kill()
        assert not [line for line in device.lines if "ERROR" in line or "runtime error" in line], device.lines
