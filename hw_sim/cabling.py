"""The wires of a simulated table, each kind by its name, and what several devices share: a bus."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hw_sim.errors import SimError, unknown
from hw_sim.wire import MemoryWire, PtyWire, Wire

if TYPE_CHECKING:
    from hw_sim.can import SimBus
    from hw_sim.usb import UsbBus, UsbWire


class Cabling:
    """Makes the wires of one table; a kind's library is loaded with its first wire."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._kinds: dict[str, Callable[[str], Wire]] = {
            "memory": lambda _name: MemoryWire(),
            "pty": self._pty,
            "usb": self._usb,
            "tcp": self._tcp,
            "can": lambda _name: self._node("can"),
            "slcan": lambda _name: self._node("slcan"),
        }
        self.buses: dict[str, SimBus] = {}  # CAN, by kind

    def plug(self) -> None:
        """Plugs in what several devices share."""
        for bus in self.buses.values():
            bus.plug()

    def unplug(self) -> None:
        """Unplugs what several devices share."""
        for bus in self.buses.values():
            bus.unplug()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of wires that can be made."""
        return tuple(self._kinds)

    def wire(self, kind: str, name: str) -> Wire:
        """Returns a wire, not plugged in yet, for the device of this name; SimError when there is no such kind."""
        if kind not in self._kinds:
            raise unknown("wire", kind, self._kinds)
        return self._kinds[kind](name)

    @cached_property
    def usb(self) -> UsbBus:
        """Where USB devices are plugged in: a pyusb backend."""
        from hw_sim.usb import UsbBus

        return UsbBus()

    def _pty(self, name: str) -> Wire:
        if self._directory is None:
            raise SimError("pseudo-terminals need a directory for their links")
        return PtyWire(self._directory / name)

    def _usb(self, name: str) -> UsbWire:
        from hw_sim.usb import UsbWire

        return UsbWire(self.usb, f"SIM-{name}")

    def _tcp(self, _name: str) -> Wire:
        from hw_sim.tcp import TcpWire

        return TcpWire()

    def _node(self, kind: str) -> Wire:
        from hw_sim.can import SimBus, SlcanAdapter, VirtualAdapter

        if kind not in self.buses:
            if kind == "can":
                self.buses[kind] = SimBus(VirtualAdapter(f"sim-{secrets.token_hex(4)}"))
            elif self._directory is None:
                raise SimError("an SLCAN adapter needs a directory for its link")
            else:
                self.buses[kind] = SimBus(SlcanAdapter(self._directory / "adapter"))
        return self.buses[kind].add()
