"""What people see of a poker table: lamps, gates, and where the next card will lie.  Reads only."""

from __future__ import annotations

from typing import Final

from controller.poker.hand.course import live, stage
from controller.poker.money import charges
from controller.poker.money.stacks import running
from controller.poker.room import blinds
from controller.poker.state import room_in
from controller.poker.words import BUTTONS, DECIDES, NOT_ABOUT_THE_DECK, ONTO_A_READER, BoardFault
from controller.table.deck import deck_trouble
from controller.table.declare import SEAT
from controller.table.lamps import BUTTON, SHUFFLE, Lamp, Lit
from controller.table.requests import Gate, GateName
from controller.table.rules import Rules
from controller.table.state import Table, cards_lie

ACT: Final = Lamp("act", (SEAT,))  # who is next to act
LIGHTS: Final = (ACT, *(Lamp(button, (SEAT,)) for button in BUTTONS))


def next_reader(t: Table) -> str:
    """Returns the reader on which the next card is expected: a seat's, or "board"."""
    room = room_in(t)
    if room is None or room.drawing:
        return "board"
    h = running(t)
    if h is None:
        return next(iter(_to_be_dealt(t)), "board")
    if h.undealt:
        return next(iter(h.dealt or blinds.dealt_now(t, h)), "board")
    at = stage(t)
    dealt_to = at.place if at.what == "deal" else ""
    return dealt_to or "board"


def _to_be_dealt(t: Table) -> list[str]:
    """Returns who would get cards if the hand were dealt now, the first one left of the button first."""
    plan = blinds.next_hand(t) if blinds.able(t) else None
    return [seat for seat in plan.dealt if blinds.no_cards(t, seat) is None] if plan is not None else []


def lamps(t: Table) -> Lit:
    """Returns the lit lamps of the seats: whose turn it is, the dealer button, the buttons in front of players."""
    out: Lit = {}
    h = running(t)
    if h is not None:
        at = stage(t)
        if at.what in DECIDES and at.place:
            out[ACT.name] = [at.place]
        if h.shuffle is not None or h.unburned is BoardFault.FLOP_UNBURNED:  # the rest of the deck
            out[SHUFFLE.name] = [""]
    if button := button_at(t):  # pragma: no branch - it always lies somewhere
        out[BUTTON.name] = [button]
    return out | buttons(t)


def buttons(t: Table) -> Lit:
    """Returns the buttons that lie in front of players, lit there."""
    room = room_in(t)
    assert room is not None
    out: Lit = {}
    for name in BUTTONS:
        if seats := [seat for seat, lying in room.buttons.items() if name in lying]:
            out[name] = sorted(seats, key=int)
    return out


def button_at(t: Table) -> str:
    """Returns the seat of the dealer button: of the hand that is running, or of the next one."""
    room = room_in(t)
    assert room is not None
    h = running(t)
    if h is not None:
        return h.button
    if blinds.able(t):
        return blinds.next_hand(t).button
    return room.button or max(t.seats, key=int, default=str(t.options.typed.seats))


# ---- gates: None when open, else the rule that shuts it


def gate(t: Table, game: Rules, what: GateName, place: str) -> Gate:
    """Tells whether chips or cards may come now; there are no Jackpot wagers."""
    if what == "jackpot":
        return Gate(False, "")
    if what == "bets":
        shut = bets_shut(t, place)
    elif place:
        shut = deal_to_shut(t, place)
    else:
        trouble = deck_trouble(t, game)
        if trouble is not None and (not cards_lie(t) or t.deck.bad):
            return Gate(False, trouble.rule)
        shut = deal_shut(t)
    return Gate(True) if shut is None else Gate(False, shut)


def bets_shut(t: Table, place: str) -> str | None:
    """Returns the rule by which no chips may come: after the first card none but those of the seat in turn."""
    if place:
        at = stage(t)
        if at.what == "act" and at.place == place:
            return None
        if place not in t.seats:
            return "8.15.1"
    r = t.round
    if r is None or r.outcome:
        return None
    return "8.15.2" if r.closed else None


def deal_shut(t: Table) -> str | None:
    """Returns the rule by which the next card may not be dealt."""
    h = running(t)
    if h is None:
        return charges.fee_due(t) or "8.9.2"  # the fee comes before the hand begins
    at = stage(t)
    if h.undealt and (rule := charges.fee_due(t)) is not None:
        return rule
    if at.what in ONTO_A_READER:
        return "" if f"reader.{next_reader(t)}" in t.faults else None
    fault = h.shuffle or h.unburned
    if at.what in NOT_ABOUT_THE_DECK and fault is not None:
        return fault.rule
    return None if at.what == "burn" else at.rule  # the burn is the next card to be dealt


def deal_to_shut(t: Table, seat: str) -> str | None:
    """Returns the rule by which this seat gets no cards."""
    h = running(t)
    if h is None:
        return blinds.no_cards(t, seat)
    if h.trouble is not None:
        return h.trouble.rule
    if not h.dealt:
        return blinds.no_cards(t, seat)
    return None if seat in live(h) else blinds.no_cards(t, seat) or "8.4"
