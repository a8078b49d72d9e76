"""Two devices with one serial number: the one that came first goes on, the other is not served."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class Serials:
    """Knows which device has which serial number.  `promised`: those that table.toml gives to a device, by number.

    A number stays with its device while that is away, so that a twin which was refused does not take its place; it is
    free when its device comes with another one.  Devices that nobody refused may change places.

    >>> serials = Serials()
    >>> serials.claim("sensor.1", "A-1"), serials.claim("sensor.2", "A-1")
    ('', 'sensor.1')
    """

    def __init__(self, promised: Mapping[str, str] = MappingProxyType({})) -> None:
        self._promised = dict(promised)
        self._owners: dict[str, str] = {}  # names by serial number
        self._served: set[str] = set()  # names of the devices that are served
        self._refused: dict[str, str] = {}  # serial numbers by name

    def claim(self, name: str, serial: str) -> str:
        """Returns the name of another device that has this number; empty when it is this one's, or no number."""
        if not serial:
            return ""
        owner = self._promised.get(serial) or self._owners.get(serial) or name
        if owner != name and (serial in self._promised or owner in self._served or self._refused.get(name) == serial):
            self._refused[name] = serial
            return owner
        self._refused.pop(name, None)
        self._owners = {number: other for number, other in self._owners.items() if other != name}
        self._owners[serial] = name
        self._served.add(name)
        return ""

    def release(self, name: str) -> None:
        """Records that the connection of this device has ended."""
        self._served.discard(name)
