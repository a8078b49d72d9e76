"""The reference firmware in the place of a simulated device's own: everything around it is as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from firmware_bridge.messages import BetChanged, CardsLaid, Event, Fault, FaultCleared, KeyPressed
from hw_sim.device import DeviceEnd
from hw_sim.table import SimDevice
from tests.reference.stepped import Stepped

NOTICED = 0.5  # seconds in which a device has noticed what a hand did, and stored an event of it


class StandIn(DeviceEnd):
    """A device end that is a process with the reference firmware; what happens to the model, a hand does to it."""

    def __init__(self, simulated: SimDevice, device: Stepped) -> None:
        board, self._wire = simulated.board, simulated._faults
        super().__init__(board._identity, board._execute, self._wire.send, simulated.model.safe)
        self._device = device
        self._busy = 0.0
        self._lies: dict[str, str] = {}  # what a cut of the power does not take away: the last line for each place
        device.listen(self._wire.send)
        board.end = self

    @property
    def pending(self) -> int:
        return max(self._device.kept, int(asyncio.get_running_loop().time() < self._busy))

    def report(self, events: Iterable[Event]) -> None:
        for event in events:
            for line in deeds(event):
                self._device.hand(line)
                if not line.startswith("press"):
                    self._lies[place(line)] = line
            self._busy = asyncio.get_running_loop().time() + NOTICED

    def received(self, data: bytes) -> None:
        """Takes bytes from the controller."""
        self._device.write(data)

    def restart(self) -> None:
        """Cuts its power and gives it back."""
        self._device.kill()
        self._device.start()
        for line in self._lies.values():
            self._device.hand(line)


def place(line: str) -> str:
    """Returns where something lies after this: a spot has its chips, a reader all cards that came."""
    word, *rest = line.split()
    return f"{word} {rest[0]}" if word == "chips" else line


def deeds(event: Event) -> list[str]:
    """Returns what a hand does so that the device reports this event."""
    match event:
        case BetChanged(spots):
            return [" ".join(["chips", spot.spot, *(f"{cents}x{n}" for cents, n in spot.chips)]) for spot in spots]
        case KeyPressed(key, args):
            return [" ".join(["press", key, *args])]
        case CardsLaid(cards):
            return [" ".join(["lay", *(card or "?" for card in cards)])]
        case Fault(code="lamps.open-circuit", detail=channel):
            return [f"cut-wire {channel}"]
        case FaultCleared(code="lamps.open-circuit"):
            return ["mend-wire"]
        case _:
            raise AssertionError(f"no hand does {event}")
