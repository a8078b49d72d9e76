"""From a card's bytes on the wire, through fsync, to the lamp's bytes on the wire."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import msgspec

from benchmarks.measure import Measured, folder, happened, percentile
from benchmarks.peer import FAMILIES, SEATS
from benchmarks.processes import peer
from controller.games import defaults
from controller.journal.store import Journal
from controller.journal.writer import Writer
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import FILE
from controller.service.table import TableService
from controller.service.tidying import tidied
from controller.table.facts import Started
from drivers.device_spec import DeviceSpec
from firmware_bridge.serial import SerialTransport

GOAL = 1.5
SAMPLES = 1000


class Times(msgspec.Struct, frozen=True):
    """What the peer measured, in seconds."""

    cards: list[float]
    floors: list[float]


def begin() -> Started:
    return Started("casino-war", {**defaults("casino-war"), "shoe": "csm", "seats": str(SEATS)})


def specs(directory: Path) -> dict[str, DeviceSpec]:
    """The ten devices of the benchmark's table, behind serial lines."""
    return {
        name: DeviceSpec(family, partial(SerialTransport, str(directory / name)), area=int(name.partition(".")[2] or 0))
        for name, family in FAMILIES.items()
    }


async def _run(directory: Path, samples: int) -> Times:
    journal = Journal.open(directory / "journal.db", table="bench")
    writer = Writer(journal)
    service = TableService(begin(), journal, writer, specs(directory), lambda: time.time_ns() // 1000, quota=None)
    rounds = RoundKeeper(journal, service.engine, directory / FILE)
    try:
        with (
            peer("latency", str(directory), str(samples)) as devices,
            peer("bare", str(directory / "bare"), str(directory / "bare.log")),
        ):
            await service.start()
            if not await service.all_ready():
                raise RuntimeError("the devices did not become ready")
            rounds.start()
            with tidied(service.engine):  # as the daemon does once it serves
                devices.go()
                times = await asyncio.to_thread(devices.line)
            await service.stop()
            await rounds.stop()
    finally:
        await writer.close()
        journal.close()
    return msgspec.json.decode(times, type=Times)


def measure() -> list[Measured]:
    with folder() as directory:
        times = asyncio.run(_run(directory, SAMPLES))
    for what, took in (("cards", times.cards), ("floors", times.floors)):
        happened(len(took) == SAMPLES, f"{len(took)} of {SAMPLES} {what} were measured")
    lines = []
    for name, share in (("p50", 0.50), ("p99", 0.99)):
        value, floor = percentile(times.cards, share) * 1e6, percentile(times.floors, share) * 1e6
        met = value <= GOAL * floor if name == "p99" else None
        goal = f"<= {GOAL:g} x floor" if name == "p99" else ""
        note = f"{len(times.cards)} cards; floor: one fdatasync and one wire round trip of the same bytes, bare"
        lines.append(Measured(f"card to durable to lamp, {name}", value, "us", floor, goal, met, note))
    return lines
