"""felt device conform ADDRESS: try the promises of docs/protocol.md on somebody's firmware."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.client import TROUBLE, explained, with_json

if TYPE_CHECKING:  # ciphers and wires take long to load
    from controller.cli.conform.telling import TrialReport
    from firmware_bridge.address import Address
    from firmware_bridge.conform.trial import Operator
    from firmware_bridge.transport import Transport

LIMIT: Final = 300  # seconds
SIMULATED: Final = "sim"
WHOLE_MESSAGES: Final = ("can", "slcan")  # kinds of wires without byte stuffing


@click.command(name="conform", short_help="felt device conform ADDRESS: try its firmware, promise by promise.")
@click.argument("address")
@click.option("--key", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Keys of encrypted links.")
@click.option("--unattended", is_flag=True, help="Ask nobody: leave out what needs a person at the device.")
@click.option("--forget-events", is_flag=True, help="Try it although it keeps events; they are lost.")
@click.option(
    "--limit", type=click.IntRange(1), default=LIMIT, show_default=True, help="Begin nothing after so many s."
)
@click.option("--junit", "xml", type=click.Path(path_type=Path, dir_okay=False), help="Write the results as JUnit XML.")
@with_json
@click.pass_obj
@explained
def conform(
    name: str,
    address: str,
    key: Path | None,
    unattended: bool,
    forget_events: bool,
    limit: int,
    xml: Path | None,
    as_json: bool,
) -> None:
    """Try every promise of docs/protocol.md on the device at ADDRESS, without the daemon.

    ADDRESS is as in table.toml: serial:///dev/..., usb://..., can://..., socket://..., or sim://shoe for a simulated
    one.  On a terminal you are asked to do things at the device; an empty line says that it is done, "s" skips it.
    --key FILE has the keys of devices by serial number, as `felt device NAME pair` keeps them in keys.toml.

    The suite acknowledges what the device reports, so never try a device in the middle of a game.  The status is 1 when
    a promise is broken, 0 when none is.
    """
    if name:
        raise click.UsageError("the suite takes an address: felt device conform ADDRESS")
    from controller.cli.conform.telling import TrialReport, junit
    from controller.cli.runner.junit import make_room
    from controller.config.key_file import KeyFile
    from firmware_bridge.address import parse

    if xml is not None:
        make_room(xml)
    keys = {} if key is None else KeyFile.at(key).all()
    telling = TrialReport(as_json)
    place = parse(address)
    asyncio.run(_try(place, keys, telling, unattended, forget_events, limit))
    if xml is not None:
        xml.write_bytes(junit(address, telling.results))
    telling.end(address)
    if telling.broken:
        sys.exit(TROUBLE)


async def _try(
    place: Address, keys: Mapping[str, bytes], telling: TrialReport, unattended: bool, forget_events: bool, limit: int
) -> None:
    from controller.cli.conform.person import Nobody
    from firmware_bridge.conform import suite
    from firmware_bridge.conform.bench import Bench

    async with _device(place, telling) as (make_transport, operator):
        bench = Bench(make_transport, Nobody() if unattended else operator, keys=keys, stream=_is_stream(place))
        telling.watch = bench.watch
        try:
            await suite.run(
                bench, begin=telling.begin, tell=telling.tell, limit=float(limit), forget_events=forget_events
            )
        finally:
            telling.clear()


@asynccontextmanager
async def _device(place: Address, telling: TrialReport) -> AsyncIterator[tuple[Callable[[], Transport], Operator]]:
    """Yields what opens the wire to the device, and who is there."""
    from controller.cli.conform.person import Nobody, TerminalOperator
    from firmware_bridge.address import open_transport

    if place.scheme == SIMULATED:
        from controller.sim.operator import simulated_device

        async with simulated_device(place) as (make_transport, operator):
            yield make_transport, operator
    elif sys.stdin.isatty() and sys.stderr.isatty():
        yield lambda: open_transport(place), TerminalOperator(telling.clear)
    else:
        yield lambda: open_transport(place), Nobody()


def _is_stream(place: Address) -> bool:
    """Tells whether the wire carries a stream of bytes, with byte stuffing."""
    return place.scheme not in WHOLE_MESSAGES and place.options.get("wire") not in WHOLE_MESSAGES
