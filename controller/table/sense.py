"""Readings that make no sense: a card that does not exist is one that could not be read, anything else a named fault.

Whatever a device or a program tells, the table goes on.  A fault of this kind lasts until the device tells something
sensible again.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.cards import DECK, UNREAD
from controller.places import JACKPOT
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
    SignedIn,
    Spot,
    UnknownChip,
)
from controller.table.step import Refusal, Step
from controller.table.values import MOST_CENTS

CARDS: Final = "shoe.cards"
READER: Final = "reader.place"
COUNT: Final = "shuffler.count"
METER: Final = "meter.value"
NO_CODE: Final = "device.no-code"  # of a fault whose device gives it no code
_KNOWN: Final = frozenset({*DECK, UNREAD})
_MOST_CARDS: Final = 416  # eight decks
_MOST_TICKS: Final = 10**17  # of a prize meter, in ten-thousandths of a dollar
_BETTORS: Final = 9
_MOST_SPOTS: Final = 64  # that make no sense; a sensor that invents spots does not fill the table


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
        case Badge(role=role) | SignedIn(role=role) if not is_role(role):
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
    """Returns what can lie there, each spot once, as it was read last; None when nothing of it can.

    A spot that makes no sense hides none of the others, and is a fault until it does, or nothing lies there.
    """
    match fact:
        case Chips(area, spots):
            last = {(x.spot, x.bettor): x for x in spots}.values()
            known = tuple([x for x in last if _spot(s, area, x)])
            _tell(s, area)
            return None if spots and not known else replace(fact, spots=known)
        case UnknownChip(area, spot, bettor):
            where = _nowhere(s, spot, bettor)
            _note(s, (area, spot, bettor), where)
            _tell(s, area)
            return None if where else fact
        case Pushed(area, chips):  # pragma: no branch - there are no other chips
            wrong = not chips or min(chips) <= 0 or sum(chips) > MOST_CENTS
            _tell(s, area, "impossible chips were pushed forward" if wrong else "")
            return None if wrong else fact


def _spot(s: Step, area: int, x: Spot) -> bool:
    """Tells whether chips are read as they lie there; keeps why when they cannot.

    Nothing on a spot that this table does not have is nothing at all.
    """
    why = _nowhere(s, x.spot, x.bettor)
    if not why and not 0 <= x.amount <= MOST_CENTS:
        why = f"impossible chips on {x.spot}"
    _note(s, (area, x.spot, x.bettor), why if x.amount else "")
    return not why


def _nowhere(s: Step, spot: str, bettor: int) -> str:
    """Returns why nothing can lie there; "" when it can."""
    if spot not in _spots(s):
        return (
            f"there is no spot {spot!r} at this table: take the chips off it; the sensor is of another game, or its "
            "layout is wrong"
        )
    return "" if 1 <= bettor <= _BETTORS else f"impossible chips on {spot}: there is no bettor {bettor}"


def _note(s: Step, at: tuple[int, str, int], why: str) -> None:
    """Keeps why a spot cannot be read, the newest last; forgets it when it can."""
    misread = s.t.misread
    misread.pop(at, None)
    if why:
        misread[at] = why
        if len(misread) > _MOST_SPOTS:
            del misread[next(iter(misread))]


def _tell(s: Step, area: int, why: str = "") -> None:
    """Names the fault of a sensor by what was wrong last, or ends it when nothing is."""
    reasons = [reason for at, reason in s.t.misread.items() if at[0] == area]
    if why or reasons:
        _nonsense(s, f"sensor.{area}", faults.MISREAD, why or reasons[-1])
    else:
        faults.cleared(s, DeviceCleared(f"sensor.{area}", faults.MISREAD))


def _spots(s: Step) -> tuple[str, ...]:
    return s.game.spots if s.document.jackpot is None else (*s.game.spots, JACKPOT)


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
