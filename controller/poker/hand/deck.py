"""The rest of the deck while a hand is played: burn cards, reshuffles, and a flop that is dealt again (rule 9)."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import choices, discards, rounds
from controller.poker.hand.course import BOARD, PLACE, Stage, next_street, stage, substantial
from controller.poker.money import stacks
from controller.poker.state import Hand
from controller.poker.words import COMES_BEFORE_THE_BURN, BoardFault, Misreported, Street
from controller.table.state import Burn, Round
from controller.table.step import Refusal, Step


def reported(s: Step, what: str) -> tuple[Round, Hand] | None:
    """Returns the hand that a report is about; a report without one is noted."""
    hand = stacks.current(s.t)
    if hand is None:
        s.prompt("dealer", f"no hand is being played: {what} was noted and changes nothing", "9.1.1")
    return hand


# ---- too many community cards


def board_count(s: Step, h: Hand, place: str, key: Misreported) -> None:
    """Rules on a wrong number of community cards that the dealer reports."""
    match key, place:
        case "excess", "turn" | "river":
            _two_opened(s, h, place)
        case "excess", "flop" if _flop_can_go_back(h):
            flop_back(s, h, BoardFault.FLOP_OVERDEALT)
        case _:
            s.prompt("dealer", f"{key} {place} was noted", "9.9", place)


def _flop_can_go_back(h: Hand) -> bool:
    return len(h.board) >= BOARD[Street.FLOP] and h.street <= Street.FLOP


def _two_opened(s: Step, h: Hand, place: str) -> None:
    """Rules on a second card that no reader saw (9.13)."""
    if place == "turn" and _next_burn_is_open(h):
        h.burnt = Street.RIVER
        burn(s, h)
        text, rule = "two cards were opened: the wrong one becomes the next burn card", "9.13.2"
    else:
        text, rule = "only the correct card stays in play", "9.13.1" if place == "turn" else "9.13.3"
    s.ruled("continue", rule, text)
    s.prompt("dealer", text, rule, place)


def _next_burn_is_open(h: Hand) -> bool:
    """Tells whether the turn is dealt, with no card burned for the river yet."""
    if len(h.board) != BOARD[Street.TURN]:
        return False
    return h.burnt < Street.RIVER and not h.spare


def flop_back(s: Step, h: Hand, fault: BoardFault, shuffled: bool = False) -> None:
    """Takes the flop back into the deck, without the burn card; the betting before it is complete."""
    unburned = fault is BoardFault.FLOP_UNBURNED
    first = "cut" if shuffled else "shuffle, cut"
    text = f"the flop is taken back: {first}{', burn' if unburned else ''} and deal it again"
    s.ruled("continue", fault.rule, text)
    s.prompt("dealer", text, fault.rule, PLACE[Street.FLOP], ("cut",) if shuffled else ("shuffled",))
    h.street = Street.FLOP
    rounds.undo_round(s, h)
    h.board, h.unburned, h.street = [], None, Street.FIRST
    h.shuffle, h.cut = (None if shuffled else fault), fault
    if unburned:
        h.burnt = 0


# ---- shuffle and cut


def shuffled(s: Step, args: tuple[str, ...]) -> bool:
    """Takes note that the rest of the deck was shuffled inside a hand; False when no hand is dealt."""
    h = stacks.dealt_hand(s.t)
    if h is None:
        return False
    if h.shuffle is not None:
        _shuffled_as_asked(h)
        return True
    flop_fault = h.unburned if h.unburned is not BoardFault.CARD_UNBURNED else None
    if flop_fault is None or substantial(h):
        raise Refusal("5.1", "cards are shuffled when the hand is over")
    flop_back(s, h, flop_fault, shuffled=True)
    return True


def _shuffled_as_asked(h: Hand) -> None:
    h.shuffle, h.mixed = None, True
    if len(h.board) < BOARD[Street.FLOP]:
        h.board = []  # cards of a flop that were still coming when it was taken back


def cut(s: Step, args: tuple[str, ...]) -> bool:
    """Takes note that the rest of the deck was cut inside a hand; False when no hand is dealt."""
    h = stacks.dealt_hand(s.t)
    if h is None:
        return False
    if h.shuffle is not None:
        raise Refusal(h.shuffle.rule, "no cut is due")
    if h.cut is None and not h.mixed:
        raise Refusal("5.2", "no cut is due")
    h.cut, h.mixed = None, False
    return True


# ---- burn cards


def burn(s: Step, h: Hand, card: str = "") -> None:
    """Burns a card unread, or one that everybody has seen."""
    r = s.t.round
    assert r is not None
    r.burns.append(Burn(card or UNREAD, shown=bool(card)))


def burned(s: Step, args: tuple[str, ...]) -> None:
    """Takes note of a card burned unread, or makes one that everybody has seen the burn card (9.4, 9.7, 9.13)."""
    hand = reported(s, "burn")
    if hand is None:
        return
    r, h = hand
    card = args[0] if args else ""
    if h.spare and card in ("", h.spare):
        h.burnt, h.spare = next_street(h), ""
    elif card:
        _shown_burn(s, r, h, card)
    else:
        _unread_burn(s, h, stage(s.t))
        burn(s, h)


def _unread_burn(s: Step, h: Hand, at: Stage) -> None:
    """Notes for which street the card was burned, and tells the dealer when it was not due."""
    if at.what == "burn":
        h.burnt = next_street(h)
    elif _burned_too_soon(h, at):
        h.burnt = h.street + 1
        _tell_of_early_burn(s, h, at)
    else:
        s.prompt("dealer", "no burn was due", at.rule)


def _burned_too_soon(h: Hand, at: Stage) -> bool:
    """Tells whether this is the burn for the next street, before what comes first is done."""
    if h.burnt > h.street:
        return False
    if at.what == "act":
        return next_street(h) == h.street + 1
    return at.what in COMES_BEFORE_THE_BURN


def _tell_of_early_burn(s: Step, h: Hand, at: Stage) -> None:
    if at.what == "act":
        s.prompt("dealer", "the card was burned before the betting was complete", at.rule)
    elif at.what == "discard":
        discards.name_those_to_discard(s, h)
    else:
        s.prompt("dealer", f"a card was burned too soon: {choices.comes_first(s.t)}", at.rule)


def _shown_burn(s: Step, r: Round, h: Hand, card: str) -> None:
    if any(b.card == card for b in r.burns):
        return  # it is one already (9.7, 9.13)
    if rebuildable(h) and h.board[-1] == card:
        burn_the_last(s, h)
        return
    if any(h.cards.get(seat, [])[n - 1 : n] == [card] for seat, n in h.exposed):
        h.burnt = Street.FLOP
    elif card in h.board:
        s.prompt("dealer", "there has been substantial action: the card stays on the board", "9.4")
        return
    else:
        s.prompt("dealer", f"{card} was burned face up", "9.4")
    burn(s, h, card)


def rebuildable(h: Hand) -> bool:
    """Tells whether a turn or river was dealt without a burn, on which two players have not acted (9.4)."""
    if h.unburned is not BoardFault.CARD_UNBURNED or not h.board:
        return False
    return not substantial(h)


def burn_the_last(s: Step, h: Hand) -> None:
    """Burns the card that was turned and should have been burned; the next one takes its place (9.4)."""
    card = h.board.pop()
    street = next_street(h)
    h.street = street  # when all are all-in it has gone on already
    rounds.undo_round(s, h)
    h.burnt, h.street, h.unburned = street, Street(street - 1), None
    text = f"{card} is the burn card: deal the next one"
    s.ruled("reconstructed", "9.4", text)
    s.prompt("dealer", text, "9.4", PLACE[street])
    burn(s, h, card)
