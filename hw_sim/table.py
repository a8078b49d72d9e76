"""A whole simulated table: every device of it, ready to be plugged into a controller."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from firmware_bridge.extensions import ExtensionError
from firmware_bridge.frame import BodyError
from firmware_bridge.messages import FAMILIES, Event, Identity
from firmware_bridge.transport import Transport
from hw_sim.board import Board
from hw_sim.cabling import Cabling
from hw_sim.device import End
from hw_sim.errors import SimError, unknown
from hw_sim.faults import WIRE_FAULTS, FaultyWire
from hw_sim.line import Line
from hw_sim.models.base import DEALINGS, Dealing, Model
from hw_sim.models.register import MODELS
from hw_sim.replay.capture import Replay
from hw_sim.replay.clock import Clock
from hw_sim.replay.end import ReplayEnd
from hw_sim.vendors.register import NATIVE, MakeEnd, vendor_end, whole
from hw_sim.wire import MemoryWire, PtyWire, Remembering, Wire

FIRMWARE: Final = "1.0.0"
MOST_CARDS: Final = 10_000  # that any machine counts


class SimDevice:
    """One device: a model behind a device end behind a faulty wire.

    `make_end` makes it speak another protocol than ours; such a device has no serial number that it could tell.
    `key` encrypts its link; `signers` are the public keys whose firmware it takes.  With a `replay` it does nothing but
    play a capture; devices with one `clock` keep the order that they had.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        wire: Wire,
        *,
        seed: int = 0,
        make_end: MakeEnd | None = None,
        key: bytes | None = None,
        signers: Sequence[bytes] = (),
        replay: Replay | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.family = model.family
        self.serial = "" if make_end else f"SIM-{name}"
        self.wire = wire
        cutter = whole if make_end else None
        self._faults = FaultyWire(wire, self._reboot, seed=f"{seed}/{name}", cutter=cutter)
        identity = Identity(self.family, f"sim-{self.family}", self.serial, FIRMWARE, _epoch(seed, name), 0)
        self.board = Board(identity, model, self._faults.send, key, signers, wire if isinstance(wire, Line) else None)
        self._end: End = make_end(model, self._faults.send) if make_end else self.board
        if replay is not None:
            self._end = self._play(replay, clock or Clock(), f"{seed}/{name}")
        self._faults.attach(self._end.received)
        self._tick: asyncio.TimerHandle | None = None

    def _play(self, replay: Replay, clock: Clock, seed: str) -> ReplayEnd:
        if replay.identity.family != self.family:
            raise SimError(f"{self.name}: the capture is of a {replay.identity.family}, not of a {self.family}")
        self.serial = replay.identity.serial
        wire = self._faults
        return ReplayEnd(replay, wire.send, wire.start, lambda: wire.inject("unplug"), clock=clock, seed=seed)

    # ---- the wire

    def start(self) -> None:
        """Switches the device on and plugs it in.  Needs a running loop."""
        self._faults.start()

    def stop(self) -> None:
        """Unplugs the device and switches it off; an open controller notices the loss.  Nothing is left running."""
        self._faults.stop()
        self._end.restart()
        self.board.off()
        self._stop_ticking()

    def transport(self) -> Transport:
        """Returns the controller's end of a memory wire; SimError for any other wire."""
        if not isinstance(self.wire, MemoryWire):
            raise SimError(f"{self.name} is not on a memory wire: open {self.address}")
        return self.wire.transport

    @property
    def address(self) -> str:
        """Where a controller opens it; empty for a memory wire."""
        return self.wire.address

    @property
    def path(self) -> Path | None:
        """Where a pseudo-terminal is to be opened."""
        return self.wire.link if isinstance(self.wire, PtyWire) else None

    @property
    def quiet(self) -> bool:
        """Whether it has nothing left to say, or nobody could hear it: unplugged or hung."""
        return not self._end.pending or not self.wire.plugged or self._faults.hung

    @property
    def pending(self) -> int:
        """How many events wait for an acknowledgement."""
        return self._end.pending

    @property
    def faults(self) -> list[str]:
        """Names of all faults in force: its own, then those of its wire."""
        return [*self.model.faults, *self._faults.active]

    # ---- what happens to it

    def do(self, verb: str, *args: Any) -> None:
        """Does something at the device, such as `draw Kh`; SimError when it has no such deed.

        Every device with the native protocol has a pairing switch: `pairing on`, `pairing off`.
        """
        if verb == "pairing" and self._end is self.board:
            if args not in (("on",), ("off",)):
                raise SimError("a pairing switch is on or off")
            self.board.end.pairing = args == ("on",)
            return
        self._report(self.model.do(verb, *args))

    def fault(self, name: str, *args: Any) -> None:
        """Begins a fault of its wire or its own; SimError when it has no such fault."""
        if name in WIRE_FAULTS:
            self._faults.inject(name, *args)
        elif name in self.model.FAULTS:
            self._report(self.model.fault(name, *args))
            self._keep_ticking()
        else:
            raise unknown(f"fault of {self.name}", name, (*self.model.FAULTS, *WIRE_FAULTS))

    def clear(self) -> None:
        """Ends all its faults, those of the wire first."""
        self._faults.clear()
        self._stop_ticking()
        self._report(self.model.clear())

    def state(self) -> dict[str, Any]:
        """Returns how the device stands, as plain JSON data."""
        return {
            "family": self.family,
            "serial": self.serial,
            "path": None if self.path is None else str(self.path),
            "quiet": self.quiet,
            "pending": self.pending,
            "faults": self.faults,
            "view": self.model.view(),
            **(self._end.state() if isinstance(self._end, Board | ReplayEnd) else {}),
        }

    def _report(self, events: list[Event]) -> None:
        try:
            self._end.report(events)
        except BodyError as error:
            raise SimError(f"{self.name} cannot say that: {error.cause}") from error

    def _reboot(self) -> None:
        if isinstance(self.wire, Remembering):
            self.wire.restart()
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
    take another seed, or it will take the new events for old ones.  `wires` says which devices are not on a `wire`
    like the others, `protocols` which do not speak the native protocol.  `others` are devices of families that
    packages bring, each with its family.  `keys` are those of the devices that encrypt,
    by serial number.  `replays` are captures that devices play.  `cabling` makes wires of other kinds than ours.
    """

    def __init__(
        self,
        *,
        seats: int,
        dealing: Dealing = "hand",
        wire: str = "memory",
        wires: Mapping[str, str] = MappingProxyType({}),
        protocols: Mapping[str, str] = MappingProxyType({}),
        others: Mapping[str, str] = MappingProxyType({}),
        directory: Path | None = None,
        cabling: Cabling | None = None,
        seed: int = 0,
        cards: int = 52,
        keys: Mapping[str, bytes] = MappingProxyType({}),
        signers: Sequence[bytes] = (),
        replays: Mapping[str, Replay] = MappingProxyType({}),
    ) -> None:
        if dealing not in DEALINGS:
            raise unknown("way of dealing", dealing, DEALINGS)
        if seats < 1:
            raise SimError(f"a table has seats, not {seats}")
        if not 0 <= cards <= MOST_CARDS:
            raise SimError(f"a shuffler holds 0 to {MOST_CARDS} cards, not {cards}")
        models = _models(seats, dealing, cards) | _others(others)
        self.dealing = dealing
        self.cabling = cabling or Cabling(directory)
        clock = Clock()
        self._busy: SimDevice | None = None
        if strange := [name for name in (*protocols, *replays) if name not in models]:
            raise unknown("device", strange[0], models)
        self.devices = {
            name: SimDevice(
                name,
                model,
                self.cabling.wire(wires.get(name, wire), name),
                seed=seed,
                make_end=_make_end(protocols.get(name, NATIVE), model),
                key=keys.get(f"SIM-{name}"),
                signers=signers,
                replay=replays.get(name),
                clock=clock,
            )
            for name, model in models.items()
        }

    @property
    def cards_from(self) -> SimDevice:
        """The device that cards leave when the dealer draws them."""
        return self.device("shoe" if "shoe" in self.devices else "shuffler")

    @property
    def quiet(self) -> bool:
        """Whether no device has anything left to say."""
        if self._busy is not None and not self._busy.quiet:  # mostly it is still the one of the last time
            return False
        self._busy = next((device for device in self.devices.values() if not device.quiet), None)
        return self._busy is None

    def device(self, name: str) -> SimDevice:
        """Returns a device by name; SimError with the names that exist."""
        try:
            return self.devices[name]
        except KeyError:
            raise unknown("device", name, self.devices) from None

    def start(self) -> None:
        """Plugs everything in.  Needs a running loop."""
        self.cabling.plug()
        for device in self.devices.values():
            device.start()

    def stop(self) -> None:
        """Unplugs everything."""
        for device in self.devices.values():
            device.stop()
        self.cabling.unplug()


def families(seats: int, dealing: Dealing, others: Mapping[str, str]) -> dict[str, str]:
    """Returns the devices that such a table has, by name, each with its family; SimError when one cannot be made."""
    models = _models(seats, dealing, 52) | _others(others)
    return {name: model.family for name, model in models.items()}


def _models(seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
    models: dict[str, Model] = {}
    for family in MODELS.ours():
        models |= family.at_table(seats, dealing, cards)
    return models


def _others(families: Mapping[str, str]) -> dict[str, Model]:
    try:
        return {name: MODELS.find(family)() for name, family in families.items() if family not in FAMILIES}
    except ExtensionError as error:
        raise SimError(error.cause) from error


def _make_end(protocol: str, model: Model) -> MakeEnd | None:
    return None if protocol == NATIVE else vendor_end(protocol, model.family)


def _epoch(seed: int, name: str) -> int:
    """Returns the number of an event memory; never 0, which means none."""
    return zlib.crc32(f"{seed}/{name}".encode()) or 1
