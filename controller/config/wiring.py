"""The way to each device of table.toml: its address, its protocol, its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from controller.config.key_file import KeyFile
from controller.config.model import Device, TableConfig
from controller.errors import FeltError
from drivers.device_spec import DeviceSpec
from drivers.vendors.register import NATIVE, endpoint
from firmware_bridge.address import Address, AddressError, can_be_tapped, open_transport
from firmware_bridge.extensions import THEIRS, failed
from firmware_bridge.transport import Transport

Schemes: TypeAlias = Mapping[str, Callable[[Address], Transport]]
NO_SCHEMES: Schemes = MappingProxyType({})
SIMULATED = "sim"


def devices(
    config: TableConfig, schemes: Schemes = NO_SCHEMES, keys: Mapping[str, bytes] | None = None
) -> dict[str, DeviceSpec]:
    """Returns how to reach each device.  Raises FeltError when an address can never lead anywhere.

    `keys` None: those of the key file.
    """
    specs = {}
    keys = device_keys(config) if keys is None else keys
    for name, device in config.devices.items():
        least = config.families.get(device.family)
        try:
            specs[name] = replace(
                _spec(device, schemes),
                key=keys.get(device.serial or ""),
                encrypted=device.must_encrypt,
                tapped=can_be_tapped(device.address),
                min_firmware=least.min_firmware if least is not None else "",
                address=str(device.address),
                two_people=device.two_people,
            )
            specs[name].make_transport()
            if specs[name].key is not None and specs[name].make_link is not None:
                cause = f"a key is kept for {name}, but {device.protocol} cannot be encrypted"
                raise FeltError("keys.not-native", cause)
        except AddressError as error:
            cause = f"device {name} at {device.address}: {error.cause}"
            raise FeltError(error.code, cause, error.next_step) from None
        except THEIRS as error:
            theirs = failed(error)
            if theirs is None:
                raise
            raise FeltError(theirs.code, f"device {name}: {theirs.cause}", theirs.next_step) from error
    return specs


def device_keys(config: TableConfig) -> dict[str, bytes]:
    """Returns the devices' keys by serial number; raises FeltError when their file cannot be trusted."""
    return KeyFile(config.table.state).read({device.serial for device in config.devices.values() if device.serial})


def _spec(device: Device, schemes: Schemes) -> DeviceSpec:
    if device.protocol == NATIVE:
        make = partial(open_transport, device.address, schemes)
        return DeviceSpec(device.family, make, area=device.area or 0, serial=device.serial)
    reached = endpoint(device.protocol, device.settings, device.address, schemes, device.family)
    return DeviceSpec(
        device.family,
        reached.make_transport,
        area=device.area or 0,
        serial=device.serial,
        make_link=reached.make_link,
        make_driver=reached.make_driver,
    )


def whole_captures(config: TableConfig) -> bool:
    """Tells whether captures have their cards: only if it is wished and no card of this table can be a secret."""
    simulated = all(device.address.scheme == SIMULATED for device in config.devices.values())
    return config.simulation.whole_captures and simulated and bool(config.devices)


def needs_simulation(config: TableConfig) -> bool:
    """Tells whether an address leads to a simulated device."""
    return any(device.address.scheme == SIMULATED for device in config.devices.values())


def kind_of(config: TableConfig) -> str:
    """Returns what kind of table it is, for the record: test, or live where every device is real; "": neither."""
    if config.table.test:
        return "test"
    return "" if needs_simulation(config) or not config.devices else "live"


def is_for_trying_out(config: TableConfig) -> bool:
    """Tells whether no device of a table is real: nothing that happens there counts."""
    return all(device.address.scheme == SIMULATED for device in config.devices.values())
