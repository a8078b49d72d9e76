"""Cards that come to lie on the readers, in the order in which they were dealt; the cards of hands (8.16, 9.7)."""

from __future__ import annotations

from controller.poker.hand import board, boxed, deal, opening
from controller.poker.hand.course import HOLE, known
from controller.poker.hand.irregular import rule_on_what_was_reported
from controller.poker.room import lists
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, ReadLater
from controller.poker.view import next_reader
from controller.poker.words import Street
from controller.table.facts import CardRead
from controller.table.faults import LOST
from controller.table.state import Burn
from controller.table.step import Refusal, Step


def card_read(s: Step, fact: CardRead) -> None:
    """Takes a card that was dealt, or several that were opened at once."""
    if room_of(s.t).drawing:
        lists.card_for_seat(s, fact.card)
        return
    h = _hand(s)
    if h is None:
        s.prompt("dealer", "a card was dealt, but no hand can be played", "8.16.1")
        return
    h.later.append(ReadLater(fact.reader, list(fact.together or (fact.card,)), fact.face_up))
    due = next_reader(s.t)
    if fact.reader != due and LOST in s.t.faults.get(f"reader.{due}", {}):
        return  # what was laid there before is reported when that reader is back
    _in_order(s, h, fact.reader == due)


def _in_order(s: Step, h: Hand, patient: bool) -> None:
    """Takes cards that were read meanwhile after the one that they waited for; without it as they were read."""
    while h.later:
        due = next_reader(s.t)
        at = next((n for n, waiting in enumerate(h.later) if waiting.reader == due), None if patient else 0)
        if at is None:
            return
        _take(s, h, *h.later.pop(at))


def _take(s: Step, h: Hand, reader: str, read: list[str], face_up: bool) -> None:
    cards = tuple(read)
    if face_up:
        boxed.boxed(s, h)
        return
    h.faceup = False
    _twice(s, h, cards)
    if _belongs_to_a_hand(h, reader):
        for card in cards:
            _hole(s, h, reader, card)
    else:
        board.community_cards(s, h, cards)


def _belongs_to_a_hand(h: Hand, reader: str) -> bool:
    if reader != "board":
        return True
    return h.in_deal or bool(h.replaces)


def _hand(s: Step) -> Hand | None:
    """Returns the hand that is being dealt; a card without any wager opens one."""
    try:
        h = opening.open_hand(s)
    except Refusal:
        return None
    if h.undealt:
        r = s.t.round
        assert r is not None
        if r.closed != "dealt":
            opening.first_card(s, r, h)
    return h


def _twice(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Tells the dealer of a card that comes a second time: one was misread, or the deck is defective (1.1)."""
    r = s.t.round
    lying = known(r, h) if r is not None else []
    if any(card in lying for card in cards):
        text = "the same card lies there twice: count the deck, or declare a misdeal"
        s.prompt("dealer", text, "9.1.1(h)", offers=("count", "misdeal"))


def _hole(s: Step, h: Hand, reader: str, card: str) -> None:
    seat = "" if reader == "board" else reader
    if h.in_deal:
        deal.hole_card(s, h, seat, card)
        rule_on_what_was_reported(s, h)
    elif h.replaces:
        _replace(s, h, card)
    elif _is_short(s, h, seat):
        h.cards[seat].append(card)  # a hand that was read one card short is made up before anybody acts
        h.given[seat] = list(h.cards[seat])
    else:
        s.prompt("dealer", "a card was dealt although none was due", "9.1.1(e)", seat, ("excess",))


def _is_short(s: Step, h: Hand, seat: str) -> bool:
    if seat not in h.cards or seat in h.discarded:
        return False
    return len(h.cards[seat]) < HOLE[s.t.game]


def _replace(s: Step, h: Hand, card: str) -> None:
    """Puts what was to be the first burn card in the place of the exposed one, which is burned (9.7)."""
    seat, n = h.exposed.pop(0)
    if n > len(h.cards[seat]):  # the deal was read anew since, and the card is another seat's
        h.replaces = ""
        s.prompt("dealer", "the exposed card is not in this hand any more", "9.7", seat)
        return
    shown = h.cards[seat][n - 1]
    h.cards[seat][n - 1] = card
    h.given[seat] = list(h.cards[seat])
    h.replaces = ""
    r = s.t.round
    assert r is not None
    if all(b.card != shown for b in r.burns):
        r.burns.append(Burn(shown, shown=True))
    h.burnt = Street.FLOP
    s.ruled("continue", "9.7", f"{shown} was exposed: it is the first burn card")
