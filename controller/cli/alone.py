"""The devices of a table whose daemon does not run, asked directly: who they are, how their wires do, what passes.

Nothing is acknowledged and nothing is shown on them: what happened at a device stays there until the daemon is back.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from typing import Final

from controller.api import wires
from controller.api.frames import told
from controller.cli.client import Json
from controller.config import TableConfig
from controller.config.wiring import Schemes, device_keys, devices
from controller.errors import FeltError
from drivers.device_spec import DeviceSpec
from drivers.onlooker import Onlooker
from drivers.serials import Serials
from drivers.vendors.catalogue import GPIO
from firmware_bridge.can_health import bus_health
from firmware_bridge.transport import Receiver, TransportError

LOOK: Final = 0.6  # seconds that a device is heard, once it has answered: a question or two of ours, noise on its wire
WATCH: Final = 1.0  # seconds of a trace that nobody follows
POLL: Final = 0.1  # seconds between looks at the trace
AGAIN: Final = 1.0  # seconds until a lost device is greeted again
CHANGES: Final = {  # protocols that cannot be asked anything without changing the device
    GPIO: "its pins belong to the daemon",
    "alpha": "its wire is there; asking it might change what it shows",
    "cia401": "its bus is there; asking it would start it",
}


async def look(config: TableConfig) -> Json:
    """As the daemon's answer to /devices; all devices at once."""
    onlookers = {name: _onlooker(name, spec) for name, spec in _specs(config).items()}
    try:
        await asyncio.gather(*(_greet(config, onlooker) for onlooker in onlookers.values()))
        _name_twins(config, onlookers)
        if any(onlooker.seen == "answers" for onlooker in onlookers.values()):
            await asyncio.sleep(LOOK)
    finally:
        await asyncio.gather(*(onlooker.close() for onlooker in onlookers.values()))
    addresses = {name: str(device.address) for name, device in config.devices.items()}
    offset = time.time() - asyncio.get_running_loop().time()
    return {
        "devices": [_told(onlooker, addresses[name]) for name, onlooker in onlookers.items()],
        "buses": [wires.bus(health, addresses, offset) for health in bus_health()],
    }


async def watch(config: TableConfig, name: str, say: Callable[[Json], None], *, follow: bool) -> None:
    """Hand on every frame that passes; FeltError when the device does not answer and nobody wants to wait for it."""
    specs = _specs(config)
    if name not in specs:
        raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {', '.join(specs)}.")
    if why := CHANGES.get(config.devices[name].protocol):
        raise FeltError("device.not-asked", f"{name}: {why}", "Start the daemon to trace it.")
    onlooker = _onlooker(name, specs[name])
    loop, last = asyncio.get_running_loop(), 0
    offset = time.time() - loop.time()

    def told_so_far() -> None:
        nonlocal last
        for number, entry in onlooker.trace.after(last):
            last = number
            say(told(number, entry, offset))

    while True:
        try:
            await onlooker.greet()
            until = loop.time() + WATCH
            while onlooker.seen != "lost" and (follow or loop.time() < until):
                told_so_far()
                await asyncio.sleep(POLL)
        finally:
            told_so_far()
            await onlooker.close()
        if not follow:
            break
        await asyncio.sleep(AGAIN)
    if onlooker.cause is not None:
        said = wires.explained(onlooker.cause.code, f"{name}: {onlooker.cause.text}", str(config.devices[name].address))
        raise FeltError(said["code"], said["cause"], said["next_step"])


def keys_of(config: TableConfig) -> tuple[dict[str, bytes], FeltError | None]:
    """The devices' keys; without them, why: only the daemon's user may read them."""
    try:
        return device_keys(config), None
    except FeltError as error:
        return {}, error


def _specs(config: TableConfig) -> Mapping[str, DeviceSpec]:
    schemes: Schemes = {"sim": lambda _address: _InTheDaemon()}
    return devices(config, schemes, keys=keys_of(config)[0])


def _onlooker(name: str, spec: DeviceSpec) -> Onlooker:
    return Onlooker(
        name,
        spec.family,
        spec.make_transport,
        make_link=spec.make_link,
        expect_serial=spec.serial,
        key=spec.key,
        min_firmware=spec.min_firmware,
    )


async def _greet(config: TableConfig, onlooker: Onlooker) -> None:
    protocol = config.devices[onlooker.name].protocol
    if config.devices[onlooker.name].sealed and not onlooker.sealed:
        onlooker.leave_alone("it is only spoken to over a sealed link, and its key cannot be read")
        return
    if protocol == GPIO:
        onlooker.leave_alone(CHANGES[GPIO])
    elif why := CHANGES.get(protocol):
        await onlooker.only_the_wire(why)
    else:
        await onlooker.greet()


def _name_twins(config: TableConfig, onlookers: Mapping[str, Onlooker]) -> None:
    """As the daemon would; nobody came first, so it goes by their order in table.toml."""
    serials = Serials({device.serial: name for name, device in config.devices.items() if device.serial})
    for name, onlooker in onlookers.items():
        serial = onlooker.identity.serial if onlooker.seen == "answers" and onlooker.identity is not None else ""
        if first := serials.claim(name, serial):
            onlooker.is_twin_of(first)


def _told(onlooker: Onlooker, address: str) -> Json:
    cause = onlooker.cause
    seen = wires.link(
        onlooker.name,
        onlooker.family,
        address,
        onlooker.seen,
        sealed=onlooker.sealed,
        trouble=cause,
        identity=onlooker.identity,
        stats=onlooker.stats,
        unacknowledged=onlooker.kept,
    )
    if seen["cause"]:  # what the daemon would do is of no help now
        seen["cause"]["next_step"] = re.sub("; the daemon reconnects( by itself)?", "", seen["cause"]["next_step"])
    return seen


class _InTheDaemon:
    """Where a sim:// address leads without the daemon."""

    async def open(self, receiver: Receiver) -> None:
        raise TransportError("sim.no-daemon", "a simulated device lives in the daemon's process, which does not run")

    def write(self, data: bytes) -> None:
        pass

    async def close(self) -> None:
        pass
