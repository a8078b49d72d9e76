"""The reference firmware keeps every promise of docs/protocol.md, of every family, with a key and without."""

from __future__ import annotations

import asyncio
import os

import pytest

from firmware_bridge.address import open_transport, parse
from firmware_bridge.conform import suite
from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import TrialResult
from tests.conform.rig import broken
from tests.reference.conftest import Maker
from tests.reference.process import Hand, Reference

KEY = bytes(range(32))
FAMILIES = ("lamps", "console", "bet-sensor", "reader")
LONG = "FELT_REFERENCE" in os.environ


async def tried(device: Reference, key: bytes | None) -> list[TrialResult]:
    place = parse(device.address)
    bench = Bench(lambda: open_transport(place), Hand(device), keys={} if key is None else {device.family: key})
    return await suite.run(bench, begin=lambda _: None, tell=lambda _: None)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("family", FAMILIES)
def test_it_keeps_every_promise(reference: Maker, family: str, key: bytes | None) -> None:
    options = {} if key is None else {"key": key.hex()}
    results = asyncio.run(tried(reference(family, serial=family, **options), key))
    assert broken(results) == {}
    untried = {result.came for result in results if result.outcome == "untried"}
    print({(result.trial.name, result.came) for result in results if result.outcome == "untried"})
    assert sum(result.outcome == "kept" for result in results) > 50
