"""Cards that come to lie on the readers: dealt in their order, or too soon, too many, without a burn (rules 8, 9)."""

from __future__ import annotations

from typing import Final

from controller.cards import UNREAD
from controller.poker.hand import deal, deck, discards, opening, rounds
from controller.poker.hand.course import (
    BOARD,
    HOLE,
    PLACE,
    Stage,
    acted,
    acted_on,
    contested,
    known,
    next_street,
    stage,
)
from controller.poker.hand.irregular import defective_after_boxed, rule_on_what_was_reported
from controller.poker.room import lists
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, ReadLater
from controller.poker.view import next_reader
from controller.poker.words import BoardFault, Street
from controller.table.facts import CardRead
from controller.table.faults import LOST
from controller.table.state import Burn
from controller.table.step import Refusal, Step

BOXED = "a card that lay face up does not exist: put it into the muck; the next one takes its place"
TOO_SOON: Final = {Street.FLOP: "9.10", Street.TURN: "9.12", Street.RIVER: "9.11"}


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
        boxed(s, h)
        return
    h.faceup = False
    _twice(s, h, cards)
    if _belongs_to_a_hand(h, reader):
        for card in cards:
            _hole(s, h, reader, card)
    else:
        _board(s, h, cards)


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


def boxed(s: Step, h: Hand, by_dealer: bool = False) -> None:
    """Rules on a card that lay face up (9.3); the fifth one makes the deck defective (1.1).

    A reader's report and the dealer's are of one card.
    """
    if by_dealer and h.faceup:
        h.faceup = False
        return
    h.boxed += 1
    h.faceup = not by_dealer
    if by_dealer:
        h.boxed_at = ("board", len(h.board)) if h.board else ("tape", len(h.tape))
    s.ruled("continue", "9.3", BOXED)
    s.prompt("dealer", BOXED, "9.3")
    defective_after_boxed(s, h)


def _replaces_boxed(s: Step, h: Hand, card: str) -> bool:
    """Puts a card more than was due in the place of a boxed one that a reader had read before it was reported."""
    if h.boxed_at is None or not _boxed_in_this_street(h, *h.boxed_at):
        return False
    where, n = h.boxed_at
    cards = h.board if where == "board" else h.tape
    del cards[n - 1]
    cards.append(card)
    h.boxed_at = None
    if where == "tape":
        deal.lay(s.t, h)
    return True


def _boxed_in_this_street(h: Hand, where: str, n: int) -> bool:
    """Was the boxed card dealt for the street that lies there, after which nothing has happened?"""
    if len(h.board) not in BOARD:
        return False
    street = BOARD.index(len(h.board))
    if h.burnt > street or acted_on(h, street):
        return False
    cards = h.board if street else h.tape
    if where != ("board" if street else "tape"):
        return False
    before = BOARD[street - 1] if street else 0
    return before < n <= len(cards)


# ---- hands


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


# ---- the board


def _board(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    if len(cards) == 1 and _replaces_boxed(s, h, cards[0]):
        return
    at = stage(s.t)
    if at.what == "over" or next_street(h) == Street.SHOWDOWN:
        s.prompt("dealer", "no more cards are to be dealt: put it into the muck", "9.13.3")
        return
    if _dealt_on(h):
        deck.burn_the_last(s, h)  # the dealer deals on, as 9.4 says
        _lay(s, h, cards)
        return
    match at.what:
        case "act" | "ruling":
            _too_soon(s, h, cards)
        case "discard":
            _before_discards(s, h, cards)
        case "shuffle" | "cut":
            _before_shuffle_or_cut(s, h, cards, at)
        case "burn":
            _without_burn(s, h, cards)
        case _:
            if len(h.board) in BOARD:
                h.unburned = None  # the next street: what was not burned before the last one stands
            _lay(s, h, cards)


def _dealt_on(h: Hand) -> bool:
    """Does this card follow one that was not burned for, before anybody has acted on it?"""
    if not deck.rebuildable(h) or h.burnt > h.street:
        return False
    return not acted_on(h, h.street)


def _before_shuffle_or_cut(s: Step, h: Hand, cards: tuple[str, ...], at: Stage) -> None:
    first = "shuffled" if at.what == "shuffle" else "cut"
    s.prompt("dealer", f"the deck must be {first} first", at.rule)
    if h.board or at.what == "cut":  # a card more of a flop that goes back goes with it
        _lay(s, h, cards)


def _lay(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Lays the cards that are due, and rules on those that are too many (9.9, 9.13, 9.14)."""
    street = next_street(h)
    missing = BOARD[street] - len(h.board)
    for card in cards[:missing]:
        rounds.board_card(s, h, card)
    extra = cards[missing:]
    if not extra:
        return
    if street == Street.FLOP:
        deck.flop_back(s, h, BoardFault.FLOP_OVERDEALT)
    elif len(extra) > 1:
        _many_opened(s, h, street)
    elif street == Street.TURN:
        h.spare = extra[0]
        _two_opened(s, f"{extra[0]} becomes the next burn card", "9.13.2", street, ("burn",))
        deck.burn(s, h, extra[0])
    else:
        _two_opened(s, f"{extra[0]} goes into the muck", "9.13.3", street)


def _many_opened(s: Step, h: Hand, street: Street) -> None:
    """Keeps the first of more than two cards; the others are shuffled in, if another card is to come (9.14)."""
    more_to_come = street < Street.RIVER
    h.shuffle = h.cut = BoardFault.MANY_OPENED if more_to_come else None
    text = "more than two cards were opened: the first stays, shuffle the others into the deck and cut"
    s.ruled("continue", "9.14", text)
    s.prompt("dealer", text, "9.14", PLACE[street], ("shuffled",) if more_to_come else ())


def _two_opened(s: Step, what: str, rule: str, street: Street, offers: tuple[str, ...] = ()) -> None:
    text = f"two cards were opened: {what}"
    s.ruled("continue", rule, text)
    s.prompt("dealer", text, rule, PLACE[street], offers)


# ---- community cards that come too soon


def _too_soon(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Rules on a community card before its betting round is complete (9.10-9.12), or on a flop of four (9.9)."""
    if h.street == Street.FIRST:
        if not acted(h) and h.burnt < Street.FLOP:
            h.extra += cards
        _early_flop(s, h)
    elif h.street != Street.FLOP:
        _early_river(s, h)
    elif _belongs_to_the_flop(h):
        deck.flop_back(s, h, BoardFault.FLOP_OVERDEALT)
    else:
        _early_turn(s, h, cards)


def _belongs_to_the_flop(h: Hand) -> bool:
    """Is a fourth card one too many of the flop: nothing was burned for the turn, nobody has acted?"""
    if h.burnt >= Street.TURN or h.aside:
        return False
    return not acted_on(h, Street.FLOP)


def _early_flop(s: Step, h: Hand) -> None:
    if h.shuffle is BoardFault.FLOP_EARLY:
        return
    h.shuffle = h.cut = BoardFault.FLOP_EARLY
    text = "the flop came too soon: take it back without the burn card, finish the betting, shuffle and cut"
    s.ruled("continue", "9.10", text)
    s.prompt("dealer", text, "9.10", "flop", ("shuffled",))


def _early_turn(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    h.aside, h.burnt = [*h.aside, *cards], Street.FLOP
    text = "the fourth card came too soon: set it aside; finish the betting, then burn and turn a new one"
    s.ruled("continue", "9.12.1", text)
    s.prompt("dealer", text, "9.12.1", "turn")


def _early_river(s: Step, h: Hand) -> None:
    h.shuffle = BoardFault.RIVER_EARLY
    text = "the fifth card came too soon: shuffle it into the deck; the burn card stays"
    s.ruled("continue", "9.11", text)
    s.prompt("dealer", text, "9.11", "river", ("shuffled",))


def street_exposed(s: Step, place: str) -> None:
    """Takes the dealer's word that a community card was exposed too soon, whether a reader saw it or not."""
    hand = deck.reported(s, f"{place} exposed")
    if hand is None:
        return
    _, h = hand
    street = Street(PLACE.index(place)) if place in PLACE else Street(min(h.street + 1, Street.SHOWDOWN))
    if not _exposed_too_soon(s, h, street):
        nearest = min(max(street, Street.FLOP), Street.RIVER)
        s.prompt("dealer", f"the {place} was exposed: noted", TOO_SOON[nearest], place)


def _exposed_too_soon(s: Step, h: Hand, street: Street) -> bool:
    """Rules on an exposed street if the betting before it is open; False when it is not, or was ruled on already."""
    if h.betting is None or h.street != street - 1:
        return False
    match street:
        case Street.FLOP:
            _early_flop(s, h)
        case Street.TURN if not h.aside:
            _early_turn(s, h, (UNREAD,))
        case Street.RIVER if h.shuffle is not BoardFault.RIVER_EARLY:
            _early_river(s, h)
        case _:
            return False
    return True


def _before_discards(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Takes a card before all have discarded: the round is not complete (9.15.1).

    Who discards before two players have acted still has a hand (9.15.2).
    """
    first = len(h.board) in BOARD
    if first:
        discards.name_those_to_discard(s, h)
    if h.burnt < h.street + 1:
        _without_burn(s, h, cards)
        return
    if first and h.street == Street.FIRST:
        text = "the flop came before all discards: it may be taken back; shuffle and cut"
        s.prompt("dealer", text, "9.10", PLACE[Street.FLOP], ("shuffled",))
        h.unburned = BoardFault.FLOP_EARLY
    _lay(s, h, cards)


def _without_burn(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Takes a card that none was burned for: 9.8 for the flop, 9.4 for the others (AMB-CP-14).

    It is put right until two players have acted.
    """
    street = next_street(h)
    if street == Street.FLOP:
        h.unburned = BoardFault.FLOP_UNBURNED
        text = "no card was burned: take the flop back, shuffle, cut, burn and deal it again"
        s.prompt("dealer", text, "9.8", PLACE[street], ("shuffled",))
    else:
        h.unburned = None if _stands_unburned(h) else BoardFault.CARD_UNBURNED
        text = f"no card was burned: {cards[0]} becomes the burn card, and the next card is dealt"
        s.prompt("dealer", text, "9.4", PLACE[street], ("burn", "reconstruct"))
    _lay(s, h, cards)


def _stands_unburned(h: Hand) -> bool:
    """Is one player left after somebody has acted, so that nothing needs to be put right?"""
    return acted(h) and not contested(h)
