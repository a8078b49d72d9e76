"""felt devices: every device of the table, whether it is there, and how its link does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from controller.api import routes
from controller.api.shapes import Bus, Device
from controller.cli.client import TROUBLE, causes, columns, dumped, explained, with_json, with_socket
from controller.cli.reach import Alone, daemon_or_table, with_config
from drivers.supervisor import INSECURE

HEADINGS = (
    "device",
    "family",
    "state",
    "link",
    "serial",
    "firmware",
    "frames",
    "errors",
    "retries",
    "p50 ms",
    "p99 ms",
    "queue",
    "baud",
)
STATES = {"warning": "many errors", "passive": "error-passive", "lost": "not there"}
NUMBERS = (6, 7, 8, 9, 10, 11, 12)
SPARE = (12, 11, 8, 6, 9, 4)  # what a narrow terminal goes without, the first of them first; --json has it


@click.command(name="devices")
@click.option("--suggest", is_flag=True, help="What is plugged into this computer, as text for table.toml.")
@with_config
@with_socket
@with_json
@explained
def command(suggest: bool, config: Path | None, path: str, as_json: bool) -> None:
    """The devices of the table and how they are.

    Exit status 0: all are there and work; 1: one does not, or the daemon does not answer.  When the daemon does not
    run, the devices of table.toml are asked directly: nothing is acknowledged, they keep their events.
    """
    if suggest:
        from controller.cli.suggest import suggest as plugged_in

        plugged_in(path, config, as_json)
        return
    answer = daemon_or_table(path, config, lambda client: client.get(routes.DEVICES))
    if isinstance(answer, Alone):
        _without_daemon(answer, as_json)
    devices, buses = answer["devices"], answer["buses"]
    print(dumped(answer) if as_json else "\n".join([*_text(devices), *_buses(buses)]))
    sys.exit(TROUBLE if any(device["phase"] != "ready" or device["faults"] for device in devices) else 0)


def _without_daemon(alone: Alone, as_json: bool) -> NoReturn:
    import asyncio

    from controller.cli.alone import keys_of, look

    if not as_json:
        print("\n".join(alone.words()), file=sys.stderr, flush=True)
    answer = asyncio.run(look(alone.config))
    no_keys = keys_of(alone.config)[1]
    if as_json:
        print(json.dumps({**answer, "daemon": alone.json()}))
        sys.exit(TROUBLE)
    print("\n".join([*_text(answer["devices"]), *_buses(answer["buses"])]))
    for device in answer["devices"]:
        if kept := device["stats"]["unacknowledged"]:
            print(f"{device['name']} keeps {kept} event{'s' * (kept != 1)} for the daemon")
    if no_keys is not None:
        print(f"{no_keys.code}: {no_keys.cause}; devices that encrypt their link could not be asked")
        ours = "Run it as the daemon's user: `sudo -u feltd felt devices`."
        print(f"  -> {ours if no_keys.code == 'keys.unreadable' else no_keys.next_step}")
    sys.exit(TROUBLE)


def _text(devices: list[Device]) -> Iterator[str]:
    yield from columns([HEADINGS, *(_row(device) for device in devices)], NUMBERS, SPARE)
    if plain := [device["name"] for device in devices if device["link"] == INSECURE]:
        yield f"{INSECURE}: {', '.join(plain)}: who reaches the cable can read and forge what passes"
    for device in devices:
        yield from _door(device)
        if device["stats"]["low_latency"] is False:
            yield f"{device['name']}: the kernel may keep what comes for 16 ms, and lets the daemon not change that"
        if device["cause"]:
            yield f"{device['name']} at {device['address']}: {device['cause']['code']}: {device['cause']['cause']}"
            yield from causes(device, device["cause"])
        for wrong in device["faults"]:
            yield f"{device['name']} at {device['address']}: {wrong['code']}: {wrong['cause']}"
            yield f"  -> {wrong['next_step']}"


def _door(device: Device) -> Iterator[str]:
    """Yields what is to be told of the door: it is open, or may be opened."""
    door = device.get("door")
    if door is None or not (door["open"] or door["allowed"]):
        return
    state = "open" if door["open"] else "shut"
    may = f"; {' and '.join(door['allowed'])} allow it for {door['seconds'] // 60 + 1} min" if door["allowed"] else ""
    yield f"{device['name']}: its door is {state}{may}"


def _buses(buses: list[Bus]) -> Iterator[str]:
    """Yields a line for each bus that does not do well."""
    for bus in buses:
        if not bus["cause"]:
            continue
        state = [STATES.get(bus["state"], str(bus["state"]))]
        if bus["tx_errors"] is not None:
            state.append(f"error counters {bus['tx_errors']} out, {bus['rx_errors']} in")
        if bus["bus_offs"]:
            state.append(f"{_times(bus['bus_offs'])} bus-off")
        if bus["last_recovery"]:
            state.append(f"last recovery {bus['last_recovery']}")
        yield f"bus {bus['bus']}: {'; '.join(state)}"
        yield f"  {bus['cause']['code']}: {bus['cause']['cause']}"
        yield f"  -> {bus['cause']['next_step']}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _row(device: Device) -> tuple[str, ...]:
    stats, identity = device["stats"], device["identity"] or {}
    return (
        device["name"],
        device["family"],
        _state(device),
        device["link"],
        identity.get("serial", "-"),
        identity.get("firmware", "-"),
        str(stats["frames_in"] + stats["frames_out"]),
        str(sum(stats["errors"].values())),
        str(stats["retries"]),
        _milliseconds(stats["round_trip_p50_ms"]),
        _milliseconds(stats["round_trip_p99_ms"]),
        str(stats["unacknowledged"]),
        str(stats["speed"] or "-"),
    )


def _state(device: Device) -> str:
    """Returns the state of a device; one that answers and cannot work is not ready."""
    if device["phase"] == "ready" and device["faults"]:
        return ",".join(fault["code"].rpartition(".")[2] for fault in device["faults"])
    return str(device["phase"])


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
