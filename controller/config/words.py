"""What a device of table.toml is, as far as its words are known; what is wrong with them is told elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from drivers.families import FAMILIES, Family
from drivers.vendors.register import GPIO, NATIVE, VENDORS, Vendor
from firmware_bridge.extensions import ExtensionError

Raw: TypeAlias = Mapping[str, Any]


def family_of(device: Raw) -> Family | None:
    """Returns the device's family; None for a word that is none."""
    name = device.get("family")
    try:
        return FAMILIES.find(name).about if isinstance(name, str) else None
    except ExtensionError:
        return None


def scheme_of(device: Raw) -> str:
    """Returns the kind of its address, as it is written."""
    return str(device.get("address")).partition("://")[0]


def protocol_of(device: Raw) -> object:
    """Returns the word for what it speaks; pins say it by their address."""
    return device.get("protocol", GPIO if scheme_of(device) == GPIO else NATIVE)


def vendor_of(protocol: object) -> Vendor | None:
    """Returns the vendor of a protocol; None for our own, and for a word that is none."""
    try:
        return VENDORS.find(protocol).about if isinstance(protocol, str) and protocol != NATIVE else None
    except ExtensionError:
        return None
