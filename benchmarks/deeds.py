"""What the devices of a benchmark's table tell, deed by deed, as its own process reads it; and the table with ten."""

from __future__ import annotations

import msgspec

from firmware_bridge.frame import encode
from firmware_bridge.messages import BetChanged, CardDrawn, Event, KeyPressed, Spot

FILE = "deeds.msgpack"  # in the directory of the wires
SEATS = 7
TEN = {
    "shuffler": "shuffler",
    **{f"sensor.{seat}": "bet-sensor" for seat in range(1, SEATS + 1)},
    "console": "console",
    "lamps": "lamps",
}
QUIET = 0.001  # seconds without a byte: the table has said everything
BETWEEN_ROUNDS = 0.08  # seconds, where a table takes half a minute: what can wait is done meanwhile
BEFORE_A_CARD = 0.06  # seconds before a card that is timed, where a dealer takes longer; garbage is collected before it
BEFORE_THE_FLOOR = 0.02  # seconds at most; by then the console has its words
SPARE = 1.2  # cards for each that is to be timed: a heartbeat may come between


class Deed(msgspec.Struct, frozen=True, array_like=True):
    """What one device tells; `timed` when it lights a lamp, which is then waited for."""

    device: str
    event: bytes  # encoded
    timed: bool = False
    rest: float = 0.0  # seconds before it in which nothing happens


class Deeds(msgspec.Struct, frozen=True):
    """The devices of a table, each with its family, and all that they tell."""

    devices: dict[str, str]
    deeds: list[Deed]
    samples: int  # cards to be timed


def deed(device: str, event: Event, *, timed: bool = False, rest: float = 0.0) -> Deed:
    return Deed(device, encode(event), timed, rest)


# A round of Casino War with one player, in which the last card is a tie and so lights the lamp "decide".
STAKE = BetChanged((Spot("war", ((1000, 1),)),))
BEFORE_THE_TIE = (
    deed("sensor.1", STAKE, rest=BETWEEN_ROUNDS),
    deed("console", KeyPressed("no-more-bets")),
    deed("shuffler", CardDrawn("Kh")),
)
THE_TIE = deed("shuffler", CardDrawn("Kd"), timed=True, rest=QUIET)
AFTER_THE_TIE = (deed("console", KeyPressed("surrender", ("1",))), deed("console", KeyPressed("settle")))


def one_player(samples: int) -> Deeds:
    """Rounds of Casino War in which one of seven areas is played."""
    return Deeds(TEN, [*BEFORE_THE_TIE, THE_TIE, *AFTER_THE_TIE] * int(samples * SPARE), samples)
