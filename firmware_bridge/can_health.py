"""How a CAN bus does in the long run: a record that outlives its openings, for trouble closes and opens a bus."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args
from weakref import WeakKeyDictionary

from firmware_bridge.transport import TransportError

Health: TypeAlias = Literal["active", "warning", "passive", "bus-off"]
State: TypeAlias = Literal["closed", Health, "lost"]
STATES: Final[tuple[State, ...]] = get_args(State)
_TROUBLE: Final[tuple[Health, ...]] = ("passive", "bus-off")


@dataclass(slots=True)
class BusHealth:
    """The record of one bus since this process began.  Times are those of the loop.

    `warning`, `passive`, `bus-off` are the states of our own CAN controller; `lost`: its adapter is not there, or takes
    nothing; `closed`: nobody uses it.  Where the adapter does not tell its error counters they are None.
    """

    interface: str
    channel: str
    state: State = "closed"
    cause: TransportError | None = None  # of what is wrong now
    tx_errors: int | None = None
    rx_errors: int | None = None
    times: Counter[Health] = field(default_factory=Counter)  # how often it came to warning, passive, bus-off
    losses: Counter[str] = field(default_factory=Counter)  # all nodes at once, by code
    frames_in: int = 0
    frames_out: int = 0
    since: float | None = None  # when the present trouble began
    recovered: float | None = None  # when the last one was over
    _reported: Health = "active"  # by our controller, since the bus was opened

    def opened(self) -> None:
        """Records that the adapter is there; whether trouble behind it is over will show."""
        self._reported = "active"
        if self.since is None:
            self.state = "active"

    def set_health(self, health: Health, now: float) -> None:
        """Records the state that our controller reports."""
        self.state = self._reported = health
        if health != "active":
            self.times[health] += 1
        if health in _TROUBLE:
            self.since = now if self.since is None else self.since
        elif health == "active":
            self._over(now)

    def set_counters(self, tx_errors: int, rx_errors: int) -> None:
        """Records our controller's error counters: 96 is a warning, 128 error-passive, above 255 bus-off."""
        self.tx_errors, self.rx_errors = tx_errors, rx_errors

    def count_frames(self, frames: int, now: float) -> None:
        """Counts frames that came: somebody else on the bus is alive."""
        self.frames_in += frames
        if self._reported == "active":
            self.state = "active"
            self._over(now)

    def lost(self, why: TransportError, now: float) -> None:
        """Records that the bus was lost, and all nodes with it."""
        self.losses[why.code] += 1
        self.failed(why, now)

    def failed(self, why: TransportError, now: float) -> None:
        """Records that the bus could not be opened, or not again."""
        self.cause = why
        self.since = now if self.since is None else self.since
        if why.code not in ("can.bus-off", "can.passive"):  # those keep their names
            self.state = "lost"

    def closed(self) -> None:
        """Records that nobody uses the bus any more; trouble that is not over stays to be seen."""
        if self.since is None:
            self.state = "closed"

    def _over(self, now: float) -> None:
        self.cause = None
        if self.since is not None:
            self.since, self.recovered = None, now


_records: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str], BusHealth]]] = WeakKeyDictionary()


def health_record(interface: str, channel: str) -> BusHealth:
    """Returns the record of this bus; needs a running loop."""
    records = _records.setdefault(asyncio.get_running_loop(), {})
    return records.setdefault((interface, channel), BusHealth(interface, channel))


def bus_health() -> list[BusHealth]:
    """Returns the record of every bus that was ever opened in this loop, in the order of their first opening."""
    return list(_records.get(asyncio.get_running_loop(), {}).values())
