"""felt devices: every device of the table, whether it is there, and how its link does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from controller.cli.client import TROUBLE, Client, Json, columns, explained, with_json, with_socket

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
)
NUMBERS = (6, 7, 8, 9, 10, 11)


@click.command(name="devices")
@click.option("--suggest", is_flag=True, help="What is plugged into this computer, as text for table.toml.")
@click.option("--config", type=click.Path(path_type=Path), help="With --suggest: mark what this table.toml has.")
@with_socket
@with_json
@explained
def command(suggest: bool, config: Path | None, path: str, as_json: bool) -> None:
    """The devices of the table and how they are.

    Exit status 0: all are there; 1: one is not, or the daemon does not answer.  --suggest needs no daemon.
    """
    if suggest:
        from controller.cli.suggest import suggest as plugged_in

        plugged_in(path, config, as_json)
        return
    devices = Client(path).get("/devices")["devices"]
    print(json.dumps({"devices": devices}) if as_json else "\n".join(_text(devices)))
    sys.exit(TROUBLE if any(device["phase"] != "ready" for device in devices) else 0)


def _text(devices: list[Json]) -> Iterator[str]:
    yield from columns([HEADINGS, *(_row(device) for device in devices)], NUMBERS)
    for device in devices:
        if device["cause"]:
            yield f"{device['name']} at {device['address']}: {device['cause']['code']}: {device['cause']['cause']}"
            yield f"  -> {device['cause']['next_step']}"


def _row(device: Json) -> tuple[str, ...]:
    stats, identity = device["stats"], device["identity"] or {}
    return (
        device["name"],
        device["family"],
        device["phase"],
        "sealed" if device["sealed"] else "insecure",
        identity.get("serial", "-"),
        identity.get("firmware", "-"),
        str(stats["frames_in"] + stats["frames_out"]),
        str(sum(stats["errors"].values())),
        str(stats["retries"]),
        _milliseconds(stats["round_trip_p50_ms"]),
        _milliseconds(stats["round_trip_p99_ms"]),
        str(stats["unacknowledged"]),
    )


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
