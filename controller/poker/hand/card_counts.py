"""A wrong number of cards: what is reported of a seat or of the board, and what the document says of it (9.1.1)."""

from __future__ import annotations

from controller.poker.hand import deal, deck, irregular, leaving, rounds, rulings
from controller.poker.hand.course import HOLE, ON_THE_BOARD, acted, before_substantial_action, live, missing_cards
from controller.poker.money import settle
from controller.poker.state import Hand
from controller.poker.words import Ended, Misdeal, Misreported, Street
from controller.table.state import Round
from controller.table.step import Step


def wrong_count(s: Step, args: tuple[str, ...], key: Misreported) -> None:
    """Rules on a seat with a card too few or too many (9.1.1(d)-(g)); `short` and `stray` read the deal anew."""
    hand = deck.reported(s, key)
    if hand is None:
        return
    r, h = hand
    place = args[0]
    if place in ON_THE_BOARD:
        deck.board_count(s, h, place, key)
        return
    if not h.tape:
        s.prompt("dealer", f"no card is dealt yet: {key} was noted and changes nothing", "9.1.1(e)", place)
        return
    whole_hand = key == "stray" or "all" in args
    in_hand = place in h.dealt
    if in_hand == (key == "stray"):
        text = "is in this hand" if in_hand else "is not in this hand"
        s.prompt("dealer", f"seat {place} {text}: {key} was noted and changes nothing", "9.1.1(d)", place)
        return
    ground = Misdeal.WRONG_HANDS if whole_hand else Misdeal.WRONG_NUMBER
    _read_anew(s, h, key, args)
    if h.in_deal:
        h.reported = (ground, place)
        s.prompt("dealer", f"seat {place} has the wrong number of cards", ground.rule, place, ("misdeal",))
    elif live(h) == [place]:
        _alone(s, r, h, place)
    elif before_substantial_action(h):
        irregular.rule_on(s, h, ground, place)
    elif key == "stray":
        _stray_stays_out(s, place)
    else:
        _wrong_number_in_play(s, h, place)


def _wrong_number_in_play(s: Step, h: Hand, seat: str) -> None:
    """Ends a hand with a wrong number of cards after substantial action (9.1.1(f))."""
    if seat not in live(h):
        s.prompt("dealer", f"seat {seat} has no hand any more: noted", "9.1.1(f)", seat)
        return
    if acted(h, seat):
        text = "the wrong number of cards: the hand is dead, its wagers stay in the pot"
        leaving.dead(s, h, seat, "9.1.1(f)", text)
    else:
        text = "the wrong number of cards: the hand is void, its wagers go back"
        rulings.void_hand(s, h, seat, Ended.WRONG_NUMBER, text)
    rounds.advance(s, h)


def _read_anew(s: Step, h: Hand, key: Misreported, args: tuple[str, ...]) -> None:
    """Reads the same cards in the same order over the places that really got them."""
    if h.given and h.street > Street.FIRST:
        return
    if h.extra and h.street == Street.FIRST:  # they were no flop: the deal went on
        h.tape, h.extra, h.shuffle, h.cut = [*h.tape, *h.extra], [], None, None
    if not _who_was_served(s, h, key, args):
        return
    deal.lay(s.t, h)
    if h.in_deal and missing_cards(s.t, h) <= 0:
        deal.deal_done(s, h)


def _who_was_served(s: Step, h: Hand, key: Misreported, args: tuple[str, ...]) -> bool:
    """Notes who got no card, or cards too many; False when the cards that were read lie as before."""
    place = args[0]
    match key:
        case "short":
            nth = (place, _nth_card(s, args))
            if nth not in h.missed:
                h.missed.append(nth)
            return True
        case "stray":
            read_to_the_end = not h.in_deal and missing_cards(s.t, h) >= 0
            if read_to_the_end or place in (*h.strays, *h.dealt):
                return False  # the cards of that hand were not among those that were read
            h.strays.append(place)
            return True
        case "excess":  # pragma: no branch - every report has its case
            return False


def _nth_card(s: Step, args: tuple[str, ...]) -> int:
    """Returns which card of the seat was left out; 0: all of them."""
    if "all" in args:
        return 0
    return int(args[1]) if len(args) > 1 else HOLE[s.t.game]


def _stray_stays_out(s: Step, place: str) -> None:
    text = "the extra hand is dead; the hand goes on"
    s.ruled("continue", "9.1.1(d)", text)
    s.prompt("dealer", text, "9.1.1(d)", place)


def _alone(s: Step, r: Round, h: Hand, seat: str) -> None:
    """Gives everybody everything back, since the last player's hand is dead (9.1.1(g), AMB-CP-15)."""
    text = "the only hand left has the wrong number of cards: all wagers go back"
    s.prompt("dealer", text, "9.1.1(g)", seat, ("misdeal",))
    settle.all_back(s, r, h, "misdeal", "9.1.1(g)", text)
