"""Readings that make no sense: a card that does not exist is one that could not be read, anything else a named fault.

Whatever a device or a program tells, the table goes on.  A fault of this kind lasts until the device tells something
sensible again.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.rules import is_role
from controller.table import faults
from controller.table.facts import (
    AnyFact,
    Badge,
    CardOut,
    CardRead,
    CardsOut,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    Hold,
    MeterIs,
    MeterTold,
    Pushed,
    Shuffled,
    UnknownChip,
)
from controller.table.step import Refusal, Step
from controller.table.values import MOST_CENTS

CHIPS: Final = "sensor.chips"
CARDS: Final = "shoe.cards"
READER: Final = "reader.place"
COUNT: Final = "shuffler.count"
METER: Final = "meter.value"
NO_CODE: Final = "device.no-code"  # of a fault whose device gives it no code
_KNOWN: Final = frozenset({*DECK, UNREAD})
_MOST_CARDS: Final = 416  # eight decks
_MOST_TICKS: Final = 10**17  # of a prize meter, in ten-thousandths of a dollar
_BETTORS: Final = 9


def sense(s: Step, fact: AnyFact) -> AnyFact | None:
    """Returns the fact as the table can follow it; None when it makes no sense: then a fault is named."""
    match fact:
        case CardOut(card):
            return replace(fact, card=_card(card))
        case CardsOut():
            return _together(s, fact)
        case CardRead():
            return _laid(s, fact)
        case Chips() | Pushed() | UnknownChip():
            return _chips(s, fact)
        case Shuffled(count):
            return _unless(s, "shuffler", COUNT, "" if 0 <= count <= 10_000 else f"{count} cards", fact)
        case MeterIs() | MeterTold():
            return _unless(s, "meter", METER, _no_value(fact), fact)
        case DeviceFault(_, "") | DeviceCleared(_, "") | DeviceLost(_, ""):
            return replace(fact, code=NO_CODE)
        case Badge(role) if not is_role(role):
            raise Refusal("", f'there is no role "{role}"')
        case Hold(""):
            raise Refusal("", "a hold has a code")
    return fact


def _card(text: str) -> str:
    return text if text in _KNOWN else UNREAD


def _together(s: Step, fact: CardsOut) -> AnyFact | None:
    if not 0 < len(fact.cards) <= _MOST_CARDS:
        return _unless(s, "shoe", CARDS, f"{len(fact.cards)} cards at once", fact)
    return replace(fact, cards=tuple(map(_card, fact.cards)))


def _laid(s: Step, fact: CardRead) -> CardRead | None:
    seats = s.t.options.typed.seats
    known = fact.reader == "board" or fact.reader in map(str, range(1, seats + 1))
    if not known:
        _nonsense(s, f"reader.{fact.reader}", READER, f"there is no reader {fact.reader} at this table")
        return None
    cards = tuple(map(_card, fact.together))
    return replace(fact, card=_card(fact.card), together=cards if len(cards) > 1 else ())


def _chips(s: Step, fact: Chips | Pushed | UnknownChip) -> AnyFact | None:
    """Returns chips that can lie there, each spot once, as it was read last; None when they cannot."""
    sensor, why = f"sensor.{fact.area}", _impossible(s, fact)
    if isinstance(fact, Chips):
        spots = {(x.spot, x.bettor): x for x in fact.spots}
        fact = replace(fact, spots=tuple(spots.values()))
    return _unless(s, sensor, CHIPS, why, fact)


def _impossible(s: Step, fact: Chips | Pushed | UnknownChip) -> str:
    match fact:
        case Pushed(_, chips):
            wrong = not chips or min(chips) <= 0 or sum(chips) > MOST_CENTS
            return "impossible chips were pushed forward" if wrong else ""
        case Chips(_, spots):
            for x in spots:
                if x.spot not in _spots(s):
                    return f"there is no spot {x.spot!r} at this table"
                if not 1 <= x.bettor <= _BETTORS or not 0 <= x.amount <= MOST_CENTS:
                    return f"impossible chips on {x.spot}"
            return ""
        case UnknownChip(_, spot, bettor):
            known = spot in _spots(s) and 1 <= bettor <= _BETTORS
            return "" if known else f"there is no spot {spot!r} of bettor {bettor} at this table"


def _spots(s: Step) -> tuple[str, ...]:
    return (*s.game.spots, *(["jackpot"] if "jackpot" in s.t.options else []))


def _ticks(value: int) -> str:
    return "" if 0 <= value <= _MOST_TICKS else f"the prize meter cannot hold {value}"


def _no_value(fact: MeterIs | MeterTold) -> str:
    """Returns why a prize meter cannot hold what it says; "" when it can."""
    numbers = [fact.value]
    if isinstance(fact, MeterTold):
        numbers += [fact.last, *(award.after for _, award in fact.awards), *(award.at for _, award in fact.awards)]
    return next((wrong for n in numbers if (wrong := _ticks(n))), "")


def _unless(s: Step, device: str, code: str, why: str, fact: AnyFact) -> AnyFact | None:
    if why:
        _nonsense(s, device, code, why)
        return None
    faults.cleared(s, DeviceCleared(device, code))
    return fact


def _nonsense(s: Step, device: str, code: str, why: str) -> None:
    if s.t.faults.get(device, {}).get(code) != why:
        faults.fault(s, DeviceFault(device, code, why))
