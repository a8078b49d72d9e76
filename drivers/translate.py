"""From the native protocol's events to readings.  What cannot be true becomes a fault, never a guess."""

from __future__ import annotations

from typing import Final

from drivers import readings as r
from firmware_bridge import messages as m

MOST_CENTS: Final = 100_000_000_000  # on one spot: a thousand million dollars


class _NotACard(Exception):
    pass


def to_reading(event: m.Event) -> r.Reading:
    """What this event means at the table.

    >>> to_reading(m.CardDrawn("1x"))
    Fault(code='shoe.card-code', detail='the device named a card that does not exist')
    """
    try:
        return _cards(event) or _plain(event)
    except _NotACard:  # the text is left out: it may be a card after all, badly written
        where = "reader" if isinstance(event, m.CardsLaid) else "shoe"
        return r.Fault(f"{where}.card-code", "the device named a card that does not exist")


def to_bets(spots: tuple[m.Spot, ...]) -> r.Reading:
    """The chips on these spots, added up."""
    bets = []
    for spot in spots:
        if any(value <= 0 or count < 0 for value, count in spot.chips) or spot.bettor < 1:
            return r.Fault("sensor.chips", f"impossible chips on spot {spot.spot!r}")
        cents = sum(value * count for value, count in spot.chips)
        if cents > MOST_CENTS:
            return r.Fault("sensor.chips", f"more chips than there can be on spot {spot.spot!r}")
        bets.append(r.SpotBet(spot.spot, spot.bettor, cents, spot.token))
    return r.BetChanged(tuple(bets))


def to_push(chips: tuple[int, ...]) -> r.Reading:
    """Chips pushed forward, each on its own: how many and how large they are decides what was meant."""
    if not chips or min(chips) <= 0 or sum(chips) > MOST_CENTS:
        return r.Fault("sensor.chips", "impossible chips were pushed forward")
    return r.ChipsPushed(chips)


def _card(text: str) -> str | None:
    if text and text not in r.CARDS:
        raise _NotACard
    return text or None


def _cards(event: m.Event) -> r.Reading | None:
    match event:
        case m.CardDrawn(card, face_up):
            return r.CardDrawn(_card(card), face_up)
        case m.CardsTogether(cards):
            return r.CardsTogether(tuple(map(_card, cards)))
        case m.SetDispensed(cards):
            return r.SetDispensed(tuple(map(_card, cards)))
        case m.CardsLaid(cards, face_up):
            laid = tuple(map(_card, cards))
            return r.CardsLaid(laid, face_up) if laid else r.Fault("reader.cards", "no card at all")
        case _:
            return None


def _plain(event: m.Event) -> r.Reading:
    match event:
        case m.CuttingCardSeen():
            return r.CuttingCard()
        case m.CardsLow():
            return r.CardsLow()
        case m.ShoeEmpty():
            return r.ShoeEmpty()
        case m.DeckInserted(colour):
            return r.DeckInserted(colour)
        case m.ShuffleStarted():
            return r.ShuffleStarted()
        case m.ShuffleComplete(count, verified):
            return r.ShuffleComplete(count, verified)
        case m.BetChanged(spots):
            return to_bets(spots)
        case m.UnknownChip(spot, bettor):
            return r.UnknownChip(spot, bettor)
        case m.ChipsPushed(chips):
            return to_push(chips)
        case m.CardsLifted(left):
            return r.CardsLifted(left)
        case m.KeyPressed(key, args):
            return r.KeyPressed(key, args)
        case m.BadgeShown(role, name):
            return r.BadgeShown(role, name)
        case m.DoorChanged(is_open):
            return r.DoorChanged(is_open)
        case m.Fault(code, detail):
            return r.Fault(code, detail)
        case m.FaultCleared(code):
            return r.FaultCleared(code)
    raise TypeError(f"no reading for {type(event).__name__}")
