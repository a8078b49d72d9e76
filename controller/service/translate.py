"""From what a driver read to what it means for the table."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.table import facts
from controller.table.facts import AnyFact, Spot
from drivers import readings as r

SAID_ALREADY = ("shoe.low", "shoe.empty")  # what the device also says in its own words


def to_fact(device: str, area: int, reading: r.Reading) -> AnyFact:
    """Every reading is one fact, so that a device's counter names a fact."""
    match reading:
        case r.CardDrawn(card, face_up):
            return facts.CardOut(card or UNREAD, face_up)
        case r.CardsTogether(cards) | r.SetDispensed(cards):
            return facts.CardsOut(tuple(card or UNREAD for card in cards))
        case r.Fault("shoe.card-code"):
            return facts.CardOut(UNREAD)  # a card left the shoe, whatever it is
        case r.CardsLaid(cards, face_up):
            read = tuple(card or UNREAD for card in cards)
            return facts.CardRead(_reader(device), read[0], face_up, read if len(read) > 1 else ())
        case r.Fault("reader.card-code"):
            return facts.CardRead(_reader(device), UNREAD)  # a card lies there, whatever it is
        case r.ChipsPushed(chips):
            return facts.Pushed(area, chips)
        case r.CuttingCard():
            return facts.CuttingCard()
        case r.ShoeEmpty():
            return facts.ShoeEmpty()
        case r.ShuffleComplete(count, verified):
            return facts.Shuffled(count, verified)
        case r.BetChanged(spots):
            return facts.Chips(area, tuple(Spot(s.spot, s.bettor, s.cents, s.token) for s in spots))
        case r.UnknownChip(spot, bettor):
            return facts.UnknownChip(area, spot, bettor)
        case r.KeyPressed(key, args):
            return facts.Key(key, args)
        case r.BadgeShown(role, name):
            return facts.Badge(role, name)
        case r.Fault(code, detail) if code not in SAID_ALREADY:
            return facts.DeviceFault(device, code, detail)
        case r.FaultCleared(code):
            return facts.DeviceCleared(device, code)
        case r.DoorChanged(True):
            return facts.DeviceFault(device, f"{device.partition('.')[0]}.door", "the door is open")
        case r.DoorChanged():
            return facts.DeviceCleared(device, f"{device.partition('.')[0]}.door")
    return facts.Noted(device, type(reading).__name__)


def _reader(device: str) -> str:
    """As the table knows it.

    >>> _reader("reader.3"), _reader("reader.board")
    ('3', 'board')
    """
    return device.partition(".")[2]
