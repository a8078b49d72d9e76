"""Full tables of each game, played beforehand without devices: what their devices tell, which cards light a lamp."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec

from benchmarks.deeds import BEFORE_A_CARD, SEATS, SPARE, Deed, Deeds, deed, one_player
from benchmarks.measure import happened
from benchmarks.settlement import FullPokerTable, FullTable
from controller.cards import DECK
from controller.games import defaults, find
from controller.poker.hand.course import HOLE
from controller.table.facts import AnyFact, CardOut, CardRead, Chips, Key, Started
from controller.table.view import lamps
from firmware_bridge import messages as m

TIE = ("casino-war",)  # games in which only a tie with the dealer lights a lamp


class Plan(msgspec.Struct, frozen=True):
    """How a table begins, and what its devices tell."""

    name: str
    begin: Started
    wires: Deeds
    seats: int
    veiled: bool = False  # cards are written hidden, as a table in service writes them


def event(fact: AnyFact) -> tuple[str, m.Event]:
    """Returns the device that tells this fact, and how."""
    match fact:
        case Chips(area, spots):
            chips = (m.Spot(spot.spot, ((spot.amount, 1),), spot.bettor) for spot in spots)
            return f"sensor.{area}", m.BetChanged(tuple(chips))
        case Key(name, args):
            return "console", m.KeyPressed(name, args)
        case CardOut(card):
            return "shoe", m.CardDrawn(card)
        case CardRead(reader, card):
            return f"reader.{reader}", m.CardsLaid((card,))
        case _:
            raise TypeError(f"no device tells {fact}")


class _Heard(FullTable):
    """A full table that keeps what was told, and which cards lit a lamp."""

    def __init__(self, game: str) -> None:
        self.told: list[tuple[AnyFact, bool]] = []
        super().__init__(game)

    def tell(self, fact: AnyFact) -> float:
        before = self._lit()
        took = super().tell(fact)
        if not isinstance(fact, Started):
            self.told.append((fact, isinstance(fact, CardOut | CardRead) and bool(self._lit() - before)))
        return took

    def _lit(self) -> set[tuple[str, str]]:
        if not self.table.game:
            return set()
        lit = lamps(self.table, find(self.table.game))
        return {(name, place) for name, places in lit.items() for place in places}

    def round(self, cards: list[str]) -> float:
        lights = sum(lit for _, lit in self.told)
        took = super().round(cards)
        happened(sum(lit for _, lit in self.told) > lights, f"{self.table.game}: no card of a round lit a lamp")
        return took


class _HeardPoker(_Heard, FullPokerTable):
    """The same of a table whose players play each other."""


def full_table(game: str, samples: int) -> Plan:
    """Returns rounds of a full table, every area wagered, in which enough cards light a lamp."""
    table, chance = (_HeardPoker if game in HOLE else _Heard)(game), random.Random(1)
    while sum(lights for _, lights in table.told) < samples * SPARE:
        cards = chance.sample(DECK, len(DECK))
        table.round([*cards, *kings(table.seats + 1)] if game in TIE else cards)
    deeds, devices = list[Deed](), {"console": "console", "lamps": "lamps"}
    for fact, lights in table.told:
        device, told = event(fact)
        devices[device] = _family(device)
        deeds.append(deed(device, told, timed=lights, rest=BEFORE_A_CARD if lights else 0.0))
    wires = Deeds(dict(sorted(devices.items())), deeds, samples)
    return Plan(game, Started(game, defaults(game)), wires, table.seats, veiled=True)


def kings(many: int) -> list[str]:
    """Returns the cards of a round in which all players and the dealer have a king."""
    return [f"K{'shdc'[n % 4]}" for n in range(many)]


def _family(device: str) -> str:
    kind = device.partition(".")[0]
    return "bet-sensor" if kind == "sensor" else kind


def war_begin() -> Started:
    """Returns the start of the table with ten devices, which plays Casino War."""
    return Started("casino-war", {**defaults("casino-war"), "shoe": "csm", "seats": str(SEATS)})


def war(samples: int) -> Plan:
    """Returns that table, at which one player plays."""
    return Plan("casino-war", war_begin(), one_player(samples), 1)


def with_displays(devices: Mapping[str, str], many: int) -> dict[str, str]:
    """Returns so many devices: these, and displays."""
    more = many - len(devices)
    happened(more >= 0, f"there are {len(devices)} devices, more than {many}")
    return {**devices, **{f"display.{n}": "display" for n in range(1, more + 1)}}


def with_devices(plan: Plan, many: int) -> Plan:
    """Returns the same table with so many devices, of which it needs some."""
    devices = with_displays(plan.wires.devices, many)
    return msgspec.structs.replace(plan, wires=msgspec.structs.replace(plan.wires, devices=devices))
