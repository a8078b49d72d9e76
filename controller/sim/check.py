"""Whether the `sim://` addresses of a table lead anywhere, before anything is started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.config import Device
from controller.config.errors import did_you_mean
from controller.config.lines import Finding
from controller.config.options import Sound
from controller.config.wiring import SIMULATED
from controller.config.words import vendor_of
from controller.sim.addresses import USUAL_WIRE, replay_at
from controller.sim.dealing import dealing_at
from firmware_bridge.schemes.sim import WIRE
from hw_sim.cabling import Cabling
from hw_sim.errors import SimError
from hw_sim.table import families
from hw_sim.vendors.register import vendor_end


def check_simulated(meant: Sound, devices: Mapping[str, Device]) -> Iterator[Finding]:
    """Yields what is wrong with the simulated devices: each one is there, on a wire that there is, with its capture."""
    for name, device in devices.items():
        if device.address.scheme == SIMULATED:
            at = ("device", name)
            yield from (((*at, "address"), text) for text in _strange(meant, device))
            yield from (((*at, "address"), text) for text in _unplayed(device))
            yield from (((*at, "protocol"), text) for text in _unspoken(device))


def _strange(meant: Sound, device: Device) -> Iterator[str]:
    """Yields why there is no such device, or no such wire."""
    kinds, wire = Cabling().kinds, device.address.options.get(WIRE, USUAL_WIRE)
    if wire not in kinds:
        yield f'there is no wire "{wire}": {did_you_mean(wire, kinds)}'
    if not meant.unread.isdisjoint(("seats", "shoe")):
        return  # they say which devices there are
    host, dealing = device.address.host, dealing_at(meant.rules, meant.options)
    try:
        known = families(meant.options.seats, dealing, {host: device.family})
    except SimError as error:
        yield error.cause
        return
    if host not in known:
        yield f'there is no simulated device "{host}": {did_you_mean(host, known)}'
    elif known[host] != device.family:
        yield f'the simulated device "{host}" is a {known[host]}, not a {device.family}'


def _unplayed(device: Device) -> Iterator[str]:
    """Yields why its capture cannot be played."""
    try:
        replay = replay_at(device.address)
    except SimError as error:
        yield error.cause
        return
    if replay is not None and replay.identity.family != device.family:
        yield f"the capture is of a {replay.identity.family}, not of a {device.family}"


def _unspoken(device: Device) -> Iterator[str]:
    """Yields why no simulated device speaks its protocol."""
    vendor = vendor_of(device.protocol)
    if vendor is None or SIMULATED not in vendor.schemes:
        return  # it is ours, or its wire is wrong already
    try:
        vendor_end(device.protocol, device.family)
    except SimError as error:
        yield error.cause
