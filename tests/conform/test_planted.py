"""Every fault that is planted in simulated firmware is found, and named by the paragraph that it breaks."""

from __future__ import annotations

import pytest

from firmware_bridge.conform import suite
from hw_sim import loop
from tests.conform.firmware import PLANTED, Planted
from tests.conform.firmware_answers import ANSWERS
from tests.conform.firmware_speed import SPEEDS
from tests.conform.rig import KEY, broken, conform, device_of


@pytest.mark.parametrize("planted", (*PLANTED, *ANSWERS, *SPEEDS), ids=lambda planted: planted.firmware.__name__)
def test_a_planted_fault_is_found_and_named(planted: Planted) -> None:
    key = KEY if planted.keyed else None
    results = loop.run(conform(device_of(planted.family, planted.firmware, key), key))
    assert [result.trial for result in results] == suite.ordered()
    assert planted.paragraph in broken(results)
