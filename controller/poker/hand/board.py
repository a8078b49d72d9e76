"""Community cards: those that are due, and those that come too soon, too many or without a burn (8.18-8.20, 9)."""

from __future__ import annotations

from typing import Final

from controller.cards import UNREAD
from controller.poker.hand import boxed, deck, discards, rounds
from controller.poker.hand.course import BOARD, PLACE, Stage, acted, acted_on, contested, next_street, stage
from controller.poker.state import Hand
from controller.poker.words import BoardFault, Street
from controller.table.step import Step

TOO_SOON: Final = {Street.FLOP: "9.10", Street.TURN: "9.12", Street.RIVER: "9.11"}


def community_cards(s: Step, h: Hand, cards: tuple[str, ...]) -> None:
    """Takes cards that were laid on the board: due, too soon, too many, or without a burn."""
    if len(cards) == 1 and boxed.replaces_boxed(s, h, cards[0]):
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
    """Tells whether this card follows one that was not burned for, before anybody has acted on it."""
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
    """Tells whether a fourth card is one too many of the flop: nothing was burned for the turn, nobody has acted."""
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
    """Tells whether one player is left after somebody has acted, so that nothing needs to be put right."""
    return acted(h) and not contested(h)
