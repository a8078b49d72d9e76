"""From a card's bytes on the wire, through fsync, to the lamp's bytes on the wire: for a full table of each game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.deeds import FILE as DEEDS
from benchmarks.measure import Measured, folder, happened, percentile, priority
from benchmarks.plan import Plan, full_table, war
from benchmarks.processes import PATIENCE, Peer, peer
from benchmarks.slow_disk import slow_down
from controller.games import GAMES
from controller.journal.store import Journal
from controller.journal.veil import NO_VEIL
from controller.journal.writer import Writer
from controller.service.card_veil import CardVeil
from controller.service.day_key_file import DayKeyFile
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import FILE
from controller.service.table import TableService
from controller.service.tidying import tidied
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact
from controller.table.state import Table
from drivers.device_spec import DeviceSpec
from firmware_bridge.serial import SerialTransport

GOAL = 2.0  # times the floor, at the median
ABOVE = 250.0  # microseconds above it
SAMPLES = 100  # of each game
ONE_PLAYER_SAMPLES = 200
EACH = 1.0  # seconds that a sample may take with all that belongs to it


class Times(msgspec.Struct, frozen=True):
    """What the peer measured, in seconds: each card, and the floor right behind it."""

    cards: list[float]
    floors: list[float]

    def above(self) -> list[float]:
        """By how much each card took longer than the floor beside it."""
        return [card - floor for card, floor in zip(self.cards, self.floors, strict=True)]


class Refusals:
    """Hears what the table refuses: a table that refuses something is not at the place that was meant."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self.heard += [f"{fact}: {effect.why}" for effect in effects if isinstance(effect, Refused)]


def specs(directory: Path, devices: dict[str, str]) -> dict[str, DeviceSpec]:
    """The devices of the benchmark's table, behind serial lines."""
    return {
        name: DeviceSpec(
            family,
            partial(SerialTransport, str(directory / name)),
            area=int(name.partition(".")[2]) if family == "bet-sensor" else 0,
        )
        for name, family in devices.items()
    }


class Served(NamedTuple):
    """A running table, and its devices in another process."""

    ends: Peer
    service: TableService
    journal: Journal


@asynccontextmanager
async def served(directory: Path, plan: Plan, mode: str) -> AsyncIterator[Served]:
    """The table as a daemon serves it, on a file, with the devices of the plan; they do not tell anything yet."""
    slow_down(directory)
    (directory / DEEDS).write_bytes(msgspec.msgpack.encode(plan.wires))
    veil = CardVeil(DayKeyFile(directory / "days.json", "bench", bytes(32)).keys()) if plan.veiled else NO_VEIL
    journal = Journal.open(directory / "journal.db", table="bench", veil=veil)
    writer, refused = Writer(journal), Refusals()
    devices = specs(directory, plan.wires.devices)
    service = TableService(plan.begin, journal, writer, devices, lambda: time.time_ns() // 1000, quota=None)
    service.engine.listeners.append(refused)
    rounds = RoundKeeper(journal, service.engine, directory / FILE)
    try:
        with peer(mode, str(directory)) as ends:
            try:
                await service.start()
                happened(await service.all_ready(PATIENCE), "the devices did not become ready")
                rounds.start()
                with tidied(service.engine):  # as the daemon does once it serves
                    yield Served(ends, service, journal)
            finally:
                await service.stop()
                await rounds.stop()
    finally:
        await writer.close()
        journal.close()
    happened(service.engine.defect is None, f"{plan.name}: the table stands still: {service.engine.defect}")
    happened(not refused.heard, f"{plan.name}: {len(refused.heard)} were refused: {refused.heard[:1]}")


async def _run(directory: Path, plan: Plan) -> Times:
    floor = str(directory / "bare"), str(directory / "bare.log")
    async with served(directory, plan, "latency") as table:
        with peer("bare", *floor):
            table.ends.go()
            line = await asyncio.to_thread(table.ends.line, PATIENCE + EACH * plan.wires.samples)
        happened(table.service.engine.table.number > 0, f"{plan.name}: no round was played")
    return msgspec.json.decode(line, type=Times)


def times(plan: Plan) -> Times:
    """Measures all cards of a plan that light a lamp."""
    with folder() as directory:
        took = asyncio.run(_run(directory, plan))
    for what, values in (("cards", took.cards), ("floors", took.floors)):
        happened(len(values) == plan.wires.samples, f"{len(values)} of {plan.wires.samples} {what} were measured")
    return took


def line(what: str, took: Times, note: str) -> Measured:
    """The median beside that of the floor, and how far the slowest of a hundred is above the floor beside it."""
    value, floor = percentile(took.cards, 0.5) * 1e6, percentile(took.floors, 0.5) * 1e6
    met = value <= GOAL * floor and value <= floor + ABOVE
    tail = percentile(took.above(), 0.99) * 1e6
    goal = f"<= {GOAL:g} x floor, <= {ABOVE:g} us above"
    return Measured(f"card to lamp, {what}, p50", value, "us", floor, goal, met, note, tail)


def measure() -> list[Measured]:
    took = times(war(ONE_PLAYER_SAMPLES))
    how = "floor: one fdatasync and one wire round trip of the same bytes, bare"
    lines = [line("one player", took, f"{len(took.cards)} cards, {priority()}; {how}")]
    every = Times([], [])
    for game in sorted(GAMES):
        plan = full_table(game, SAMPLES)
        took = times(plan)
        every.cards.extend(took.cards)
        every.floors.extend(took.floors)
        note = f"{len(took.cards)} cards, written hidden, {len(plan.wires.devices)} devices, {priority()}"
        lines.append(line(f"{game}, {plan.seats} hands", took, note))
    lines.append(line("all full tables", every, f"the {len(every.cards)} cards above, {priority()}"))
    return lines
