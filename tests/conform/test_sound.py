"""A sound device of every family keeps every promise, on every wire, with a key and without."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path

import pytest

from controller.sim.addresses import schemes
from controller.sim.operator import SimOperator
from firmware_bridge.address import open_transport, parse
from firmware_bridge.conform import suite
from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import TrialResult
from firmware_bridge.messages import CARDS, FAMILIES
from hw_sim import loop
from hw_sim.table import SimTable
from tests.conform.rig import KEY, Nobody, broken, conform, device_of

WIRES = ("pty", "tcp", "usb", "can", "slcan")
TRIED = WIRES if "FELT_WIRES" in os.environ else WIRES[:1]  # each takes half a minute of waiting


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_sound_device_of_each_family_keeps_every_promise(family: str, key: bytes | None) -> None:
    results = loop.run(conform(device_of(family, key=key), key))
    assert broken(results) == {}
    untried = {result.came for result in results if result.outcome == "untried"}
    about_the_device = {
        "the device has no key",
        "the link is encrypted",
        "no card came",
        f"the family is {family}, not display",
        f"the family {family} has no lamps that are lit by command",
    }
    assert untried <= about_the_device


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_without_a_person_nothing_is_broken_and_what_needs_one_is_named(key: bytes | None) -> None:
    results = loop.run(conform(device_of("console", key=key), key, Nobody()))
    assert broken(results) == {}
    assert {"event-again", "safe-outputs", "pairing"} <= {r.trial.name for r in results if r.outcome == "untried"}
    assert {"greeting", "heartbeat", "once-for-one-id"} <= {r.trial.name for r in results if r.outcome == "kept"}


def test_no_result_names_a_card() -> None:
    results = loop.run(conform(device_of("shoe")))
    assert any(result.trial.name == "watched-3.2" and result.outcome == "kept" for result in results)
    said = {word.strip(".,;:'") for result in results for word in result.came.split()}
    assert not said & CARDS


@pytest.mark.parametrize("wire", WIRES)
async def test_sound_devices_of_all_families_at_once_on_each_wire(wire: str, tmp_path: Path) -> None:
    if wire not in TRIED:
        pytest.skip("in real time on every wire with FELT_WIRES=1")
    tables = []
    for number, dealing in enumerate(("batch", "readers")):
        directory = tmp_path / str(number)
        directory.mkdir()
        keys = {"SIM-console": KEY, "SIM-display": bytes(32)}
        tables.append(SimTable(seats=1, dealing=dealing, wire=wire, directory=directory, keys=keys))  # type: ignore[arg-type]

    async def tried(table: SimTable, name: str) -> list[TrialResult]:
        device = table.device(name)
        keys = {"console": KEY, "display": bytes(32)}
        bench = Bench(
            partial(open_transport, parse(f"sim://{name}"), schemes(table)),
            SimOperator(device),
            keys={device.serial: keys[name]} if name in keys else {},
            stream=wire not in ("can", "slcan"),
        )
        return await suite.run(bench, begin=lambda _: None, tell=lambda _: None)

    first, second = tables
    names = [(first, name) for name in first.devices if name != "sign"] + [(second, "reader.1")]
    for table in tables:
        table.start()
    try:
        results = await asyncio.gather(*(tried(*where) for where in names))
    finally:
        for table in tables:
            table.stop()
    assert {name: broken(of_it) for (_, name), of_it in zip(names, results, strict=True) if broken(of_it)} == {}
    assert {table.device(name).family for table, name in names} == set(FAMILIES)
