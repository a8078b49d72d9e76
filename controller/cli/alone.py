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
from controller.api.frames import frame_json
from controller.api.shapes import FrameShown
from controller.cli.client import Json
from controller.config import TableConfig
from controller.config.wiring import Schemes, device_keys, devices
from controller.errors import FeltError
from drivers.device_spec import DeviceSpec
from drivers.probe import Probe
from drivers.serials import Serials
from drivers.vendors.register import GPIO, NATIVE, VENDORS
from firmware_bridge.can_health import bus_health
from firmware_bridge.transport import Receiver, TransportError

LOOK: Final = 0.6  # seconds that a device is heard, once it has answered: a question or two of ours, noise on its wire
WATCH: Final = 1.0  # seconds of a trace that nobody follows
POLL: Final = 0.1  # seconds between looks at the trace
AGAIN: Final = 1.0  # seconds until a lost device is greeted again


async def look(config: TableConfig) -> Json:
    """Returns the same as the daemon's answer to /devices; all devices at once."""
    probes = {name: _probe(name, spec) for name, spec in _specs(config).items()}
    try:
        locked = keys_of(config)[1] is not None
        await asyncio.gather(*(_greet(config, probe, locked) for probe in probes.values()))
        _name_twins(config, probes)
        if any(probe.seen == "answers" for probe in probes.values()):
            await asyncio.sleep(LOOK)
    finally:
        await asyncio.gather(*(probe.close() for probe in probes.values()))
    addresses = {name: str(device.address) for name, device in config.devices.items()}
    offset = time.time() - asyncio.get_running_loop().time()
    return {
        "devices": [_device_json(probe, addresses[name]) for name, probe in probes.items()],
        "buses": [wires.bus(health, addresses, offset) for health in bus_health()],
    }


async def watch(config: TableConfig, name: str, say: Callable[[FrameShown], None], *, follow: bool) -> None:
    """Hands on every frame that passes.

    Raises FeltError when the device does not answer and nobody wants to wait for it.
    """
    specs = _specs(config)
    if name not in specs:
        raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {', '.join(specs)}.")
    if why := _changed_by_asking(config.devices[name].protocol):
        raise FeltError("device.not-asked", f"{name}: {why}", "Start the daemon to trace it.")
    probe = _probe(name, specs[name])
    loop, last = asyncio.get_running_loop(), 0
    offset = time.time() - loop.time()

    def report_new_frames() -> None:
        nonlocal last
        for number, entry in probe.trace.after(last):
            last = number
            say(frame_json(number, entry, offset))

    while True:
        try:
            await probe.greet()
            until = loop.time() + WATCH
            while probe.seen != "lost" and (follow or loop.time() < until):
                report_new_frames()
                await asyncio.sleep(POLL)
        finally:
            report_new_frames()
            await probe.close()
        if not follow:
            break
        await asyncio.sleep(AGAIN)
    if probe.cause is not None:
        error = wires.explained(probe.cause.code, f"{name}: {probe.cause.text}", str(config.devices[name].address))
        raise FeltError(error["code"], error["cause"], error["next_step"])


def keys_of(config: TableConfig) -> tuple[dict[str, bytes], FeltError | None]:
    """Returns the devices' keys; without them, why: only the daemon's user may read them."""
    try:
        return device_keys(config), None
    except FeltError as error:
        return {}, error


def _specs(config: TableConfig) -> Mapping[str, DeviceSpec]:
    schemes: Schemes = {"sim": lambda _address: _InTheDaemon()}
    return devices(config, schemes, keys=keys_of(config)[0])


def _probe(name: str, spec: DeviceSpec) -> Probe:
    return Probe(
        name,
        spec.family,
        spec.make_transport,
        make_link=spec.make_link,
        expect_serial=spec.serial,
        key=spec.key,
        needs_key=spec.encrypted,
        tapped=spec.tapped,
        min_firmware=spec.min_firmware,
    )


async def _greet(config: TableConfig, probe: Probe, locked: bool) -> None:
    """Asks a device who it is; `locked`: the keys cannot be read, so nobody knows whether it has one."""
    protocol = config.devices[probe.name].protocol
    if locked and probe.link == "unpaired":
        probe.mark_not_asked("it is only spoken to over an encrypted link, and its key cannot be read")
        return
    why = _changed_by_asking(protocol)
    if protocol == GPIO:
        probe.mark_not_asked(why)  # its wire is the pins themselves
    elif why:
        await probe.check_wire(why)
    else:
        await probe.greet()


def _changed_by_asking(protocol: str) -> str:
    """Returns why a device with this protocol cannot be asked anything without changing it; "" when it can."""
    return "" if protocol == NATIVE else VENDORS.find(protocol).about.changed_by_asking


def _name_twins(config: TableConfig, probes: Mapping[str, Probe]) -> None:
    """Names twins as the daemon would; nobody came first, so it goes by their order in table.toml."""
    serials = Serials({device.serial: name for name, device in config.devices.items() if device.serial})
    for name, probe in probes.items():
        serial = probe.identity.serial if probe.seen == "answers" and probe.identity is not None else ""
        if first := serials.claim(name, serial):
            probe.mark_same_serial(first)


def _device_json(probe: Probe, address: str) -> Json:
    cause = probe.cause
    seen = wires.device_link(
        probe.name,
        probe.family,
        address,
        probe.seen,
        link=probe.link,
        trouble=cause,
        identity=probe.identity,
        stats=probe.stats,
        unacknowledged=probe.kept,
    )
    if seen["cause"]:  # what the daemon would do is of no help now
        seen["cause"]["next_step"] = re.sub("; the daemon reconnects( by itself)?", "", seen["cause"]["next_step"])
    return seen


class _InTheDaemon:
    """The transport to which a sim:// address leads without the daemon: it never opens."""

    async def open(self, receiver: Receiver) -> None:
        raise TransportError("sim.no-daemon", "a simulated device lives in the daemon's process, which does not run")

    def write(self, data: bytes) -> None:
        pass

    async def close(self) -> None:
        pass
