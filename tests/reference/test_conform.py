"""The reference firmware keeps every promise of docs/protocol.md, of every family, with a key and without."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.address import open_transport, parse
from firmware_bridge.conform import suite
from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import TrialResult
from firmware_bridge.transport import Transport
from hw_sim import loop
from tests.conform.rig import KEY, broken
from tests.reference.building import VALGRIND
from tests.reference.conftest import Started, long
from tests.reference.process import Hand, Reference
from tests.reference.stepped import Stepped

FAMILIES = ("lamps", "console", "bet-sensor", "reader")
LINKS = pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
EACH = pytest.mark.parametrize("family", FAMILIES)
ABOUT_THE_DEVICE = {
    "the device has no key",
    "the link is encrypted",
    "no card came",
    "the wire has no higher speed",
    "the device keeps its base speed: unsupported",
    *(f"the family is {family}, not display" for family in FAMILIES),
    *(f"the family {family} has no lamps that are lit by command" for family in FAMILIES),
}


def options(family: str, key: bytes | None) -> dict[str, str]:
    return {"serial": family} | ({} if key is None else {"key": key.hex()})


async def tried(device: Reference, key: bytes | None, transport: Callable[[], Transport]) -> list[TrialResult]:
    bench = Bench(transport, Hand(device), keys={} if key is None else {device.family: key})
    return await suite.run(bench, begin=lambda _: None, tell=lambda _: None)


async def stepped(device: Stepped, key: bytes | None) -> list[TrialResult]:
    async with device.running():
        return await tried(device, key, lambda: device)


def check(results: list[TrialResult]) -> None:
    assert broken(results) == {}
    assert {result.came for result in results if result.outcome == "untried"} <= ABOUT_THE_DEVICE
    assert sum(result.outcome == "kept" for result in results) > 50


@EACH
@LINKS
def test_it_keeps_every_promise(
    checked: list[str], started: Started[Stepped], family: str, key: bytes | None, tmp_path: Path
) -> None:
    device = started(Stepped(checked, family, tmp_path, **options(family, key)))
    check(loop.run(stepped(device, key)))


@long
@LINKS
@EACH
def test_it_keeps_them_on_a_pseudo_terminal(
    program: list[str], started: Started[Reference], family: str, key: bytes | None, tmp_path: Path
) -> None:
    device = started(Reference(program, family, tmp_path, **options(family, key)))
    place = parse(device.address)
    check(asyncio.run(tried(device, key, lambda: open_transport(place))))


@pytest.mark.skipif(VALGRIND is None, reason="no valgrind")
def test_valgrind_finds_nothing_meanwhile(program: list[str], started: Started[Stepped], tmp_path: Path) -> None:
    command = [str(VALGRIND), "--quiet", "--error-exitcode=9", "--leak-check=full", "--trace-children=yes", *program]
    device = started(Stepped(command, "reader", tmp_path, **options("reader", KEY)))
    check(loop.run(stepped(device, KEY)))
