"""Hostile bytes for devices of every family, under sanitizers: whatever comes, and wherever the power is cut."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.reference.conftest import LONG
from tests.searches import times

ROUNDS = 600
LIMIT = 150  # seconds; each round takes a few milliseconds


@pytest.mark.parametrize("seed", range(1, 17 if LONG else 3))
def test_nothing_that_comes_in_harms_a_device(fuzzer: list[str], seed: int) -> None:
    rounds = times(5 * ROUNDS if LONG else ROUNDS)
    ran = subprocess.run([*fuzzer, str(seed), str(rounds)], capture_output=True, text=True, timeout=LIMIT)
    assert (ran.returncode, ran.stderr) == (0, "")
    reached = {name: int(number) for number, name in re.findall(r"([0-9]+) (\w+)", ran.stdout)}
    assert reached["rounds"] == rounds
    assert min(reached.values()) > 0  # frames were answered, events told, codes shown, images started
