"""What fifty devices at one table cost: while nothing happens, and between a card and its lamp."""

from __future__ import annotations

from benchmarks import idle, latency
from benchmarks.deeds import TEN
from benchmarks.measure import Measured, priority
from benchmarks.plan import full_table, with_devices, with_displays

MANY = 50
GAME = "three-card-poker"
SAMPLES = 100


def measure() -> list[Measured]:
    devices = with_displays(TEN, MANY)
    few, many = idle.used(TEN), idle.used(devices)
    note = f"feltd with {MANY} devices and their heartbeats, {idle.SECONDS:.0f} s; floor: with {len(TEN)}"
    lines = [Measured(f"idle CPU, {MANY} devices", many, "% of a core", few, note=note)]
    plan = full_table(GAME, SAMPLES)
    for table in (plan, with_devices(plan, MANY)):
        took, count = latency.times(table), len(table.wires.devices)
        what = f"{GAME}, {table.seats} hands, {count} devices"
        lines.append(latency.line(what, took, f"{SAMPLES} cards, {priority()}"))
    return lines
