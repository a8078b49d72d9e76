"""What an event of a device means for the table: the one register from messages to facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from controller.cards import UNREAD
from controller.places import family_and_place
from controller.table import facts
from controller.table.facts import AnyFact
from controller.table.faults import door_code
from firmware_bridge import messages as m

TOLD_BY_AN_EVENT: Final = ("shoe.low", "shoe.empty")  # faults that the device also tells with an event of their own
DEAL: Final = ("shoe", "shuffler", "reader")


class Source(NamedTuple):
    """The device that sent an event, as the table knows it."""

    device: str
    area: int

    @property
    def family(self) -> str:
        """The first part of its name: "sensor" of "sensor.3"."""
        return family_and_place(self.device)[0]

    @property
    def place(self) -> str:
        """The second part of its name: "3" of "reader.3", "board" of "reader.board"."""
        return family_and_place(self.device)[1]


def is_dealing(device: str) -> bool:
    """Tells whether cards come from this device: nothing of what it sends is lost without a hold."""
    return family_and_place(device)[0] in DEAL


Meaning: TypeAlias = Callable[[Source, Any], AnyFact]


def to_fact(device: str, area: int, event: m.Event) -> AnyFact:
    """Returns the fact that this event is.  Every event is one fact, so that a device's counter names a fact.

    >>> to_fact("reader.board", 0, m.CardsLifted(2))
    Noted(device='reader.board', what='CardsLifted', account=-1)
    """
    return MEANINGS.get(type(event), _noted)(Source(device, area), event)


def _noted(source: Source, event: m.Event) -> AnyFact:
    """Returns the fact of an event that the table only writes down."""
    return facts.Noted(source.device, type(event).__name__)


def _cards(event: m.CardDrawn | m.CardsTogether | m.SetDispensed | m.CardsLaid) -> tuple[str, ...]:
    """Returns the cards as the table writes them: one left the shoe, or lies there, whatever it is."""
    return tuple(face or UNREAD for face in event.faces)


def _drawn(_: Source, event: m.CardDrawn) -> AnyFact:
    return facts.CardOut(_cards(event)[0], event.face_up)


def _several(_: Source, event: m.CardsTogether | m.SetDispensed) -> AnyFact:
    return facts.CardsOut(_cards(event))


def _laid(source: Source, event: m.CardsLaid) -> AnyFact:
    cards = _cards(event)
    return facts.CardRead(source.place, cards[0], event.face_up, cards if len(cards) > 1 else ())


def _chips(source: Source, event: m.BetChanged) -> AnyFact:
    spots = tuple(facts.Spot(s.spot, s.bettor, s.cents, s.token) for s in event.spots)
    return facts.Chips(source.area, spots, isinstance(event, m.CashBet), isinstance(event, m.CoveredBet))


def _fault(source: Source, event: m.Fault) -> AnyFact:
    if event.code in TOLD_BY_AN_EVENT:
        return _noted(source, event)
    if event.code == m.UNSTORABLE and is_dealing(source.device):
        return facts.Hold(event.code, event.detail, source.device)  # it may have been a card
    return facts.DeviceFault(source.device, event.code, event.detail)


def _door(source: Source, event: m.DoorChanged) -> AnyFact:
    code = door_code(source.device)
    if event.open:
        return facts.DeviceFault(source.device, code, "the door is open")
    return facts.DeviceCleared(source.device, code)


MEANINGS: Final[Mapping[type[m.Event], Meaning]] = MappingProxyType(
    {
        m.CardDrawn: _drawn,
        m.CardsTogether: _several,
        m.SetDispensed: _several,
        m.CardsLaid: _laid,
        m.CuttingCardSeen: lambda _, event: facts.CuttingCard(),
        m.CardsLow: lambda source, _: facts.Noted(source.device, facts.CARDS_LOW),
        m.ShoeEmpty: lambda _, event: facts.ShoeEmpty(),
        m.DeckInserted: lambda source, event: facts.DeckIn(source.device, event.colour),
        m.ShuffleComplete: lambda _, event: facts.Shuffled(event.count, event.verified),
        m.BetChanged: _chips,
        m.CashBet: _chips,
        m.CoveredBet: _chips,
        m.ChipsPushed: lambda source, event: facts.Pushed(source.area, event.chips),
        m.UnknownChip: lambda source, event: facts.UnknownChip(source.area, event.spot, event.bettor),
        m.KeyPressed: lambda _, event: facts.Key(event.key, event.args),
        m.Fault: _fault,
        m.FaultCleared: lambda source, event: facts.DeviceCleared(source.device, event.code),
        m.DoorChanged: _door,
    }
)
