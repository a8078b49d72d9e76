"""A whole simulated table: every device of it, ready to be plugged into a controller."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from firmware_bridge.frame import BodyError
from firmware_bridge.messages import Event, Identity
from firmware_bridge.transport import Transport
from hw_sim.device import DeviceEnd
from hw_sim.errors import SimError, unknown
from hw_sim.faults import WIRE_FAULTS, FaultyWire
from hw_sim.models import BetSensor, Console, Display, Lamps, Model, Shoe, Shuffler
from hw_sim.wire import MemoryWire, PtyWire

Dealing = Literal["hand", "csm", "shuffler", "batch"]
DEALINGS: Final = ("hand", "csm", "shuffler", "batch")
FIRMWARE: Final = "1.0.0"


class SimDevice:
    """One device: a model behind a device end behind a faulty wire."""

    def __init__(self, name: str, model: Model, wire: MemoryWire | PtyWire, *, seed: int = 0) -> None:
        self.name = name
        self.model = model
        self.family = model.family
        self.serial = f"SIM-{name}"
        self._wire = wire
        self._faults = FaultyWire(wire, self._reboot, seed=f"{seed}/{name}")
        identity = Identity(self.family, f"sim-{self.family}", self.serial, FIRMWARE, _epoch(seed, name), 0)
        self._end = DeviceEnd(identity, model.execute, self._faults.send, model.safe)
        self._faults.attach(self._end.received)
        self._tick: asyncio.TimerHandle | None = None

    # ---- the wire

    def start(self) -> None:
        """Power on and plug in.  Needs a running loop."""
        self._faults.start()

    def stop(self) -> None:
        """Unplug and power off; a controller that listens hears the loss.  Nothing is left running."""
        self._faults.stop()
        self._end.restart()
        self._stop_ticking()

    def transport(self) -> Transport:
        """The controller's end of a memory wire."""
        if not isinstance(self._wire, MemoryWire):
            raise SimError(f"{self.name} is on a pseudo-terminal: open {self.path}")
        return self._wire.transport

    @property
    def path(self) -> Path | None:
        """Where a pseudo-terminal is to be opened."""
        return self._wire.link if isinstance(self._wire, PtyWire) else None

    @property
    def quiet(self) -> bool:
        """It has nothing left to say, or nobody could hear it: unplugged or hung."""
        return not self._end.pending or not self._wire.plugged or self._faults.hung

    @property
    def pending(self) -> int:
        """How many events wait for an acknowledgement."""
        return self._end.pending

    # ---- what happens to it

    def do(self, verb: str, *args: Any) -> None:
        """A deed at the device, such as `draw Kh`; SimError when it has no such deed."""
        self._report(self.model.do(verb, *args))

    def fault(self, name: str, *args: Any) -> None:
        """A fault of its wire or its own begins; SimError when it has no such fault."""
        if name in WIRE_FAULTS:
            self._faults.inject(name, *args)
        elif name in self.model.FAULTS:
            self._report(self.model.fault(name, *args))
            self._keep_ticking()
        else:
            raise unknown(f"fault of {self.name}", name, (*self.model.FAULTS, *WIRE_FAULTS))

    def clear(self) -> None:
        """All its faults end, those of the wire first."""
        self._faults.clear()
        self._stop_ticking()
        self._report(self.model.clear())

    def state(self) -> dict[str, Any]:
        """How it stands, as plain JSON data."""
        return {
            "family": self.family,
            "serial": self.serial,
            "path": None if self.path is None else str(self.path),
            "quiet": self.quiet,
            "pending": self.pending,
            "faults": [*self.model.faults, *self._faults.active],
            "view": self.model.view(),
        }

    def _report(self, events: list[Event]) -> None:
        try:
            self._end.report(events)
        except BodyError as error:
            raise SimError(f"{self.name} cannot say that: {error}") from error

    def _reboot(self) -> None:
        self._end.restart()
        self.model.restart()

    def _keep_ticking(self) -> None:
        if self.model.tick_every is not None and self._tick is None:
            self._tick = asyncio.get_running_loop().call_later(self.model.tick_every, self._ticked)

    def _stop_ticking(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def _ticked(self) -> None:
        self._tick = None
        self._report(self.model.tick())
        self._keep_ticking()


class SimTable:
    """The devices of one table by the names that scripts use.

    The same seed gives the same table, its event memories included: where a controller remembers an earlier table,
    take another seed, or it will take the new events for old ones.
    """

    def __init__(
        self,
        *,
        seats: int,
        dealing: Dealing = "hand",
        wire: Literal["memory", "pty"] = "memory",
        directory: Path | None = None,
        seed: int = 0,
        cards: int = 52,
    ) -> None:
        if dealing not in DEALINGS:
            raise unknown("way of dealing", dealing, DEALINGS)
        if seats < 1:
            raise SimError(f"a table has seats, not {seats}")
        connect: Callable[[str], MemoryWire | PtyWire]
        if wire == "memory":
            connect = _memory_wire
        elif wire != "pty":
            raise unknown("wire", wire, ("memory", "pty"))
        elif directory is None:
            raise SimError("pseudo-terminals need a directory for their links")
        else:
            connect = _pty_wires(directory)
        models = _models(seats, dealing, cards)
        self.dealing = dealing
        self.devices = {name: SimDevice(name, model, connect(name), seed=seed) for name, model in models.items()}

    @property
    def cards_from(self) -> SimDevice:
        """The device that cards leave when the dealer draws them."""
        return self.device("shoe" if "shoe" in self.devices else "shuffler")

    @property
    def quiet(self) -> bool:
        """No device has anything left to say."""
        return all(device.quiet for device in self.devices.values())

    def device(self, name: str) -> SimDevice:
        """A device by name; SimError with the names that exist."""
        try:
            return self.devices[name]
        except KeyError:
            raise unknown("device", name, self.devices) from None

    def start(self) -> None:
        """Plug everything in.  Needs a running loop."""
        for device in self.devices.values():
            device.start()

    def stop(self) -> None:
        """Unplug everything."""
        for device in self.devices.values():
            device.stop()


def _models(seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
    models: dict[str, Model] = {}
    if dealing in ("hand", "batch"):
        models["shoe"] = Shoe()
    if dealing != "hand":
        models["shuffler"] = Shuffler(cards)
    for seat in range(1, seats + 1):
        models[f"sensor.{seat}"] = BetSensor()
    return {**models, "console": Console(), "lamps": Lamps(), "display": Display(), "sign": Display()}


def _memory_wire(_name: str) -> MemoryWire:
    return MemoryWire()


def _pty_wires(directory: Path) -> Callable[[str], PtyWire]:
    return lambda name: PtyWire(directory / name)


def _epoch(seed: int, name: str) -> int:
    """Of the event memory; never 0, which means none."""
    return zlib.crc32(f"{seed}/{name}".encode()) or 1
