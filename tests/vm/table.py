"""The table that is tried, Casino War with three areas: its devices on any wires, a round, and what it must come to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

DEVICES: Final = ("shoe", "sensor.1", "sensor.2", "sensor.3", "console", "lamps")  # as hw_sim numbers its nodes
SEATS: Final = 3

Deed = tuple[str, str, Any]
# Area 1 goes to war after a tie and wins, its tie wager with it; area 2 loses.  Places where trouble comes: MIDDLE.
ROUND: Final[tuple[Deed, ...]] = (
    ("sensor.1", "bet", {"war": 1000, "tie": 500}),
    ("sensor.2", "bet", {"war": 2000}),
    ("console", "press", "no-more-bets"),
    ("shoe", "draw", "Kh"),
    ("shoe", "draw", "9d"),
    ("shoe", "draw", "Ks"),
    ("console", "press", "settle"),
    ("sensor.1", "bet", {"go-to-war": 1000}),
    ("shoe", "draw", "Qd"),
    ("shoe", "draw", "4c"),
    ("console", "press", "settle"),
)
MIDDLE: Final = 4  # the second card: trouble comes before it
STAKED: Final = "45.00"  # of every such round
NET: Final = "40.00"


def toml(addresses: Mapping[str, str], more: str = "") -> str:
    """Returns the table.toml of the table with its devices at these addresses, and what else it shall say."""
    parts = [f'[table]\nname = "VM1"\ngame = "casino-war"\n[options]\nseats = {SEATS}\n']
    parts += [_device(name, address) for name, address in addresses.items()]
    parts.append('[journal]\ncards-key = "/etc/feltd/cards.key"\n[api]\nsocket = "/run/feltd/feltd.sock"\n')
    return "".join(parts) + more


def wrong_with(rounds: list[dict[str, Any]], wanted: int) -> str:
    """Returns what is wrong with the rounds on record; empty when all are there and came to what they must.

    >>> wrong_with([], 1)
    '0 rounds on record, not 1'
    """
    if len(rounds) != wanted:
        return f"{len(rounds)} rounds on record, not {wanted}"
    for record in rounds:
        came_to = (record["outcome"], record["staked"], record["net"])
        if came_to != ("settled", STAKED, NET):
            return f"round {record['number']} came to {came_to}"
    return ""


def not_ready(devices: list[dict[str, Any]], wanted: frozenset[str]) -> list[str]:
    """Returns the devices that are not served, each with why."""
    there = {device["name"]: device for device in devices}
    return [
        f"{name}: {_why(there.get(name))}" for name in sorted(wanted) if there.get(name, {}).get("phase") != "ready"
    ]


def _why(device: dict[str, Any] | None) -> str:
    if device is None:
        return "not a device of this table"
    cause = device.get("cause") or {}
    return f"{device['phase']}, {cause.get('code', 'no cause')}"


def _device(name: str, address: str) -> str:
    family = "bet-sensor" if name.startswith("sensor") else name
    lines = [f"[device.{json.dumps(name)}]", f'family = "{family}"', f'address = "{address}"']
    if name.startswith("sensor"):
        lines.append(f"area = {name.partition('.')[2]}")
    if not address.startswith(("sim:", "gpio:")):
        lines.append("sealed = false")
    return "\n".join(lines) + "\n"
