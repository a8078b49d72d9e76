"""The lamps of the table: named by what they mean, numbered by channel."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Final

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m

OFF: Final = 0
ON: Final = 1
BLINKING: Final = 2

TABLE_LAMPS: Final = ("bets", "shuffle", "jackpot")
AREA_LAMPS: Final = (
    "decide",
    "marker",
    "blind",
    "cut",
    "jackpot",
    "act",
    "button",
    "absent",
    "missed-blind",
    "dealt-out",
    "walking",
    "reserved",
)
_TABLE_CHANNELS: Final = 8  # kept free for lamps of the table, so that the areas never move
_AREA_CHANNELS: Final = 16
FLASHES: Final = 4
FLASH: Final = 0.4  # seconds
_AT_ONCE: Final = 64  # lamps in one command


def lamp_channels(seats: int) -> dict[str, int]:
    """Returns the channel of every lamp at a table with so many areas.

    >>> lamp_channels(7)["decide:3"]
    40
    """
    channels = {name: channel for channel, name in enumerate(TABLE_LAMPS)}
    for seat in range(1, seats + 1):
        first = _TABLE_CHANNELS + _AREA_CHANNELS * (seat - 1)
        channels |= {f"{name}:{seat}": first + index for index, name in enumerate(AREA_LAMPS)}
    return channels


@family("lamps")
class LampsDriver(Driver):
    """Lights lamps by name.  Their safe state is off.  A door switch may be wired with them."""

    events = m.SENT_BY["lamps"]

    def __init__(self, channels: Mapping[str, int]) -> None:
        super().__init__()
        self._channels = dict(channels)
        self.make_safe()  # what the last session left burning goes out

    @classmethod
    def at_table(cls, seats: int) -> LampsDriver:
        return cls(lamp_channels(seats))

    @property
    def names(self) -> Collection[str]:
        """The names of all lamps."""
        return self._channels.keys()

    def show(self, lamps: Mapping[str, int]) -> None:
        """Turns these lamps OFF, ON or BLINKING; the others stay.  ValueError for a lamp that the table lacks."""
        for name, state in lamps.items():
            if name not in self._channels:
                raise ValueError(f"there is no lamp {name!r}")
            if state not in (OFF, ON, BLINKING):
                raise ValueError(f"lamp {name!r} cannot be {state!r}")
        for name, state in lamps.items():
            self.want(name, state)
        self.hurry()  # players wait for them

    def make_safe(self) -> None:
        for name in self._channels:
            self.want(name, OFF)

    async def identify(self, name: str) -> str:
        for state in (ON, OFF) * FLASHES:
            for _, command in self.commands(dict.fromkeys(self._channels, state)):
                await self.ask(command)
            await asyncio.sleep(FLASH)
        for lamp in self._channels:
            self.repeat(lamp)
        return f"all its lamps flash {FLASHES} times"

    def commands(self, changed: Mapping[str, int]) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        names = list(changed)
        for start in range(0, len(names), _AT_ONCE):
            some = tuple(names[start : start + _AT_ONCE])
            yield some, m.SetLamps(tuple((self._channels[name], changed[name]) for name in some))

    def label(self, key: str) -> str:
        return f"lamp {key} (channel {self._channels[key]})"
