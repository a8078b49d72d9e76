"""Where `sim://` addresses lead: simulated devices in this process, on the wires that the addresses ask for."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from controller.config import Device, TableConfig
from controller.config.begin import begin
from controller.config.wiring import SIMULATED, Schemes, device_keys
from controller.errors import FeltError
from controller.games import begun_with, find
from controller.sim.dealing import dealing_at
from controller.sim.directory import API, GAME, own_directory
from drivers.vendors.register import NATIVE
from firmware_bridge.address import SCHEMES, Address, AddressError, open_transport, parse
from firmware_bridge.schemes.sim import REPLAY, WIRE, WITHHELD
from firmware_bridge.schemes.usb import open_usb
from firmware_bridge.transport import Transport
from hw_sim.control import SOCKET, ControlServer
from hw_sim.errors import SimError
from hw_sim.replay.capture import Replay, read
from hw_sim.table import SimTable

log = structlog.get_logger()

USUAL_WIRE = "pty"


@asynccontextmanager
async def simulated_devices(config: TableConfig) -> AsyncIterator[Schemes]:
    """Yields the schemes for this configuration; the devices live until the end of the block."""
    async with simulated_table(config) as (table, _):
        yield schemes(table)


@asynccontextmanager
async def simulated_table(config: TableConfig) -> AsyncIterator[tuple[SimTable, Path]]:
    """Yields the hardware of this table, plugged in, and its control socket.

    At the socket others may play dealer, players and bad luck.
    """
    with own_directory(runtime_directory()) as directory:
        try:
            table = _table(config, directory)
        except SimError as error:
            raise FeltError("sim.wire", error.cause) from error
        (directory / API).symlink_to(Path(config.api.socket).absolute())
        (directory / GAME).write_text(config.table.game)
        control = ControlServer(table, directory / SOCKET)
        try:
            table.start()
            await _started(control)
            log.info("simulated.devices", control=str(control.path))
            yield table, control.path
        except SimError as error:
            raise FeltError("sim.failed", error.cause) from error
        finally:
            control.close()
            table.stop()


async def _started(control: ControlServer) -> None:
    """Opens the control socket; raises FeltError when its path is too long or nobody may write there."""
    try:
        await control.start()
    except OSError as error:
        step = "Let XDG_RUNTIME_DIR name a directory with a short path where you may write."
        raise FeltError("sim.failed", f"{control.path}: {error.strerror or error}", step) from None


def runtime_directory() -> str | None:
    """Returns where others find the control socket: the service's own directory, or the user's.

    None: that of temporary files.  The unit's /tmp is its own: nobody else sees what is in it.
    """
    for variable in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        directory = os.environ.get(variable, "").split(":")[0]
        if directory and os.access(directory, os.W_OK | os.X_OK):
            return directory
    return None


def _table(config: TableConfig, directory: Path) -> SimTable:
    started = begin(config)
    options = begun_with(started)
    return SimTable(
        seats=options.seats,
        dealing=dealing_at(find(started.game), options),
        wire=USUAL_WIRE,
        wires=dict(_options(config, WIRE)),
        replays=_replays(config),
        others={device.address.host: device.family for device in _simulated(config)},
        protocols={device.address.host: device.protocol for device in _simulated(config) if device.protocol != NATIVE},
        directory=directory,
        # New event memories: a journal that knows an earlier process must not take theirs for old.
        seed=secrets.randbits(63),
        cards=52 * options.decks,
        keys=device_keys(config),  # they were paired in an earlier life
        signers=config.firmware.public_keys,
    )


def _simulated(config: TableConfig) -> list[Device]:
    """Returns the devices at sim:// addresses."""
    return [device for device in config.devices.values() if device.address.scheme == SIMULATED]


def _options(config: TableConfig, option: str) -> Iterator[tuple[str, str]]:
    """Yields what addresses have for this option, as in `sim://shoe?wire=usb`: by simulated device."""
    for device in _simulated(config):
        if option in device.address.options:
            yield device.address.host, device.address.options[option]


def _replays(config: TableConfig) -> dict[str, Replay]:
    """Returns the captures that devices play, with the cards they withhold."""
    replays = ((device.address.host, replay_at(device.address)) for device in _simulated(config))
    return {name: replay for name, replay in replays if replay is not None}


def replay_at(address: Address) -> Replay | None:
    """Returns the capture that a device at this address plays, with the cards it withholds; None when it plays none.

    As in `sim://shoe?replay=/tmp/shoe.jsonl&withheld=Kh,2c`.  Raises SimError when it cannot be played.
    """
    file, cards = address.options.get(REPLAY), address.options.get(WITHHELD)
    return None if file is None else read(Path(file), cards.split(",") if cards is not None else ())


def schemes(table: SimTable) -> Schemes:
    """Returns the scheme `sim://`: `sim://shoe` is the device that this table calls shoe.

    It is reached by the same transport that goes to a real one.
    """

    def open_device(address: Address) -> Transport:
        device = table.devices.get(address.host)
        if device is None:
            cause = f"there is no simulated device {address.host!r}; known are {', '.join(table.devices)}"
            raise AddressError("address.host", cause, SCHEMES.find(SIMULATED).example)
        if not device.address:
            return device.transport()
        return open_transport(parse(device.address), {"usb": lambda place: open_usb(place, table.cabling.usb)})

    return {SIMULATED: open_device}
