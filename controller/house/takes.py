"""Takes and pays at a table against the house: which spots wait, and which chips are no new wager.

Only where the option `takes` asks for it.  No rule of a document stands behind it, so that it settles nothing, and only
`hold` keeps anybody waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from controller.places import JACKPOT, area_of, place_of
from controller.rules import TAKEN_BACK
from controller.table import takes
from controller.table.facts import Chips
from controller.table.requests import Gate
from controller.table.state import Line, Table
from controller.table.takes import Take

if TYPE_CHECKING:
    from controller.house.step import HouseStep


def watched(t: Table) -> bool:
    """Tells whether takes and pays are compared with the sensors here."""
    return t.options.typed.takes in takes.WATCHING


def settled(s: HouseStep, lines: list[Line]) -> None:
    """Keeps what must lie on each spot now that these lines are final; a Jackpot wager lies in the machine."""
    t, r = s.t, s.t.round
    assert r is not None  # lines are settled in a round
    for line in lines:
        at = line.at
        if line.spot == JACKPOT or f"sensor.{area_of(line.place)}" in t.faults:
            continue
        if line.spot in s.game.without_chips:
            t.takes = takes.bonus(t.takes, (line.place, s.game.opening[0]), line.net)
        elif line.result == "reversed":
            t.takes = t.takes.without(at)
        else:
            lies, staked = s.own.sensed.get(at, 0), r.wagers.get(at, 0)
            gone = line.stake if line.token == "kept" else 0
            want = max(0, lies - gone + line.net)  # of a lost wager no more can be taken than lies there
            t.takes = takes.settled(t.takes, at, Take(r.number, lies, want, lies, t.now), staked)


def ended(s: HouseStep) -> None:
    """Keeps chips that lie on a spot for wagers without being one, now that the round is over."""
    t, r = s.t, s.t.round
    assert r is not None  # a round has just ended
    for at, amount in s.own.sensed.items():
        if amount and at not in r.wagers and at[1] in s.game.opening and r.closed:
            take = Take(r.number, amount, amount, amount, t.now)
            t.takes = takes.settled(t.takes, at, take, 0)
    if {line.result for line in r.lines} <= set(TAKEN_BACK):
        t.takes = takes.NO_TAKES if not t.takes.wrong else replace(t.takes, waiting={})  # everything went back


def read(s: HouseStep, fact: Chips) -> Chips:
    """Follows what is taken, paid and lifted; returns the reading without the spots where that goes on."""
    spots = []
    for spot in fact.spots:
        at = (place_of(fact.area, spot.bettor), spot.spot)
        wager: int | None = spot.amount
        if at in s.t.takes.waiting:
            s.t.takes, wager = takes.read(s.t.takes, at, spot.amount)
        spots += [replace(spot, amount=wager)] if wager is not None else []
    return replace(fact, spots=tuple(spots))


def refused(s: HouseStep, fact: Chips) -> None:
    """Follows a reading that was refused: other chips of it may have been taken, paid or lifted."""
    wagers = read(s, fact)
    if gate(s.t) is not None and any(spot.amount for spot in wagers.spots):
        s.t.takes = takes.tried(s.t.takes, s.t.now)


def close(s: HouseStep) -> None:
    """Judges what was to be taken and paid of earlier rounds: the next one's betting is closed."""
    blind = frozenset(area for area in range(1, s.t.options.typed.seats + 1) if f"sensor.{area}" in s.t.faults)
    s.t.takes = takes.over(s.t.takes, s.t.number, blind)


def gate(t: Table) -> Gate | None:
    """Returns why no wagers may come yet; None when they may: only `hold` keeps them back."""
    if t.options.typed.takes != "hold":
        return None
    for place, spot in t.takes.unfinished:
        return Gate(False, "", f"the last round is not taken and paid: {spot} at {place}")
    for mistake in t.takes.wrong:
        return Gate(False, "", f"takes and pays are looked at: {mistake.at[1]} at {mistake.at[0]}")
    return None
