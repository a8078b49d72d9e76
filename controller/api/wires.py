"""How the wires to the devices do, as plain data: one device's link, and the buses that several share."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from controller.api.advice import next_step
from controller.errors import meaning
from drivers.supervisor import LinkWord, LossCause
from firmware_bridge.address import AddressError, parse
from firmware_bridge.can_health import BusHealth, State
from firmware_bridge.diagnostics import Stats
from firmware_bridge.messages import Identity
from firmware_bridge.schemes.can import can_wiring

Json = dict[str, Any]
WELL: Final[tuple[State, ...]] = ("active", "closed")  # states of a bus that need nobody


def reported(code: str, detail: str) -> str:
    """Returns what a device reports of itself, in its own words or else in those of its code.

    >>> reported("shoe.jam", ""), reported("shoe.jam", "at the gate"), reported("no.code", "")
    ('a card is jammed in the shoe', 'at the gate', 'the device reports it')
    """
    if detail:
        return detail
    known = meaning(code)
    words = known.cause.removesuffix(".") if known is not None else "the device reports it"
    return words[:1].lower() + words[1:]


def device_link(
    name: str,
    family: str,
    address: str,
    phase: str,
    *,
    link: LinkWord,
    trouble: LossCause | None,
    first: LossCause | None = None,
    latest: LossCause | None = None,
    offset: float = 0.0,
    identity: Identity | None,
    stats: Stats,
    unacknowledged: int,
    faults: Mapping[str, str] | None = None,
) -> Json:
    """Returns one device and how its link does, as plain data.

    `trouble` of its link is what to tell, `first` what took it away, `latest` what failed last; `offset`: from the
    loop's time to that of the wall.  `faults` are those that the device itself reports.
    """
    return {
        "name": name,
        "family": family,
        "address": address,
        "phase": phase,
        "link": link,
        "sealed": link == "sealed",
        "cause": cause_json(trouble, address, offset),
        "first": cause_json(first, address, offset),
        "latest": cause_json(latest, address, offset),
        "faults": [explained(code, reported(code, detail)) for code, detail in (faults or {}).items()],
        "identity": msgspec.structs.asdict(identity) if identity is not None else None,
        "stats": {
            "frames_in": stats.frames_in,
            "frames_out": stats.frames_out,
            "errors": dict(stats.errors),
            "retries": stats.retries,
            "duplicates": stats.duplicates,
            "skipped": stats.skipped,
            "round_trip_p50_ms": _milliseconds(stats.p50),
            "round_trip_p99_ms": _milliseconds(stats.p99),
            "unacknowledged": unacknowledged,
            "speed": stats.speed or None,
            "low_latency": stats.low_latency,
        },
    }


def bus(health: BusHealth, addresses: Mapping[str, str], offset: float) -> Json:
    """Returns one CAN bus as plain data; `offset` is from the loop's time to that of the wall."""
    return {
        "bus": health.channel,
        "interface": health.interface,
        "state": health.state,
        "cause": _bus_trouble(health),
        "tx_errors": health.tx_errors,
        "rx_errors": health.rx_errors,
        "warnings": health.times["warning"],
        "passives": health.times["passive"],
        "bus_offs": health.times["bus-off"],
        "losses": dict(health.losses),
        "since": clock(health.since, offset),
        "last_recovery": clock(health.recovered, offset),
        "frames_in": health.frames_in,
        "frames_out": health.frames_out,
        "devices": _on(health, addresses),
    }


def explained(code: str, cause: str, address: str = "") -> Json:
    """Returns an error with what a person does about it, at this address."""
    wired = _bus_of(address) if address else None
    return {"code": code, "cause": cause, "next_step": next_step(code, wired[1] if wired is not None else "")}


def cause_json(cause: LossCause | None, address: str, offset: float) -> Json | None:
    """Returns a device's trouble with its next step, and since when."""
    if cause is None:
        return None
    return {**explained(cause.code, cause.text, address), "since": clock(cause.at or None, offset)}


def clock(time: float | None, offset: float) -> str | None:
    """Returns a loop's time as people write it."""
    if time is None:
        return None
    return datetime.fromtimestamp(time + offset, UTC).isoformat(timespec="milliseconds")


def _bus_trouble(health: BusHealth) -> Json | None:
    if health.cause is not None:
        return _on_bus(health, health.cause.code, health.cause.cause)
    if health.state in WELL:
        return None
    words: dict[State, str] = {
        "warning": "many frames are damaged; they still go through",
        "passive": "our controller is error-passive: nearly every frame is damaged",
        "bus-off": "our controller left the bus after too many errors",
    }
    return _on_bus(health, f"can.{health.state}", f"{health.channel}: {words.get(health.state, health.state)}")


def _on_bus(health: BusHealth, code: str, cause: str) -> Json:
    return {"code": code, "cause": cause, "next_step": next_step(code, health.channel)}


def _on(health: BusHealth, addresses: Mapping[str, str]) -> list[str]:
    """Returns the devices of the table at this bus, as far as their addresses say so."""
    return [name for name, text in addresses.items() if _bus_of(text) == (health.interface, health.channel)]


def _bus_of(text: str) -> tuple[str, str] | None:
    try:
        address = parse(text)
        wiring = can_wiring(address)[0] if address.scheme == "can" else None
    except AddressError:
        return None
    return (wiring.interface, wiring.channel) if wiring is not None else None


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 3)
