"""Flop Chase (document 000, rules 8.15 and 10): a side wager on the colour of the flop."""

from __future__ import annotations

from typing import Final

from controller.cards import UNREAD
from controller.money import Odds, short
from controller.poker.hand.course import BOARD, acted, contested, unsettled_side_wagers
from controller.poker.money import returns
from controller.poker.room.seats import excluded, room_of
from controller.poker.state import Hand, hand_in
from controller.poker.words import Street
from controller.rules import WON_OR_LOST, Unsettled
from controller.table.facts import Chips
from controller.table.state import Line, Round
from controller.table.step import Refusal, Step

ODDS: Final = Odds(7)  # 10.2.2
SUITS = {"red": "dh", "black": "cs"}
RULES = {("black", True): "(a)", ("black", False): "(b)", ("red", True): "(c)", ("red", False): "(d)"}


def chips(s: Step, fact: Chips) -> None:
    """Takes what is on the spots of a seat as wagers; the chips come from the table stake (6.11.1(a))."""
    seat = str(fact.area)
    room = room_of(s.t)
    if seat not in room.stakes or seat not in s.t.seats:
        raise Refusal("8.15.1", "only seated players place a side wager")
    if excluded(s.t, s.t.seats[seat]):
        raise Refusal("13.2.2", "this player is excluded from the game")
    r = s.round
    if _dealt(r):
        raise Refusal("8.15.2", "side wagers are placed before any card is dealt")
    if not s.t.open:
        raise Refusal("13.3", "the table is closed")
    for spot in fact.spots:
        if spot.token:
            raise Refusal("6.2", "wagers are made in chips")
        _limits(s, spot.amount)
        if r is None:
            r = s.open_round()
        at = (seat, spot.spot)
        before = r.wagers.pop(at, 0)
        if spot.amount - before > room.stakes[seat]:
            raise Refusal("6.11.1(a)", f"the table stake is {short(room.stakes[seat])}")
        room.stakes[seat] -= spot.amount - before
        if spot.amount:
            r.wagers[at] = spot.amount


def _dealt(r: Round | None) -> bool:
    if r is None:
        return False
    hand = hand_in(r)
    cards = hand.tape if hand is not None else []
    return bool(r.closed or cards)


def _limits(s: Step, amount: int) -> None:
    options = s.t.options.typed
    least, most, chip = options.min, options.max, options.chip
    if amount and not least <= amount <= most:
        raise Refusal("6.1", f"side wagers are {short(least)} to {short(most)}")
    if amount % chip:
        raise Refusal("6.2", f"the smallest chip is {short(chip)}")


def can_settle(r: Round, h: Hand) -> bool:
    """Tells whether the flop is dealt, and the action after it has begun, or none can follow (10.2.1, AMB-CP-13)."""
    flop = h.board[: BOARD[Street.FLOP]]
    if len(flop) < BOARD[Street.FLOP] or UNREAD in flop:
        return False
    if not _board_stands(h):
        return False
    if h.betting is None or not acted(h):
        return True
    return not contested(h) or any(act.street >= Street.FLOP for act in h.acts)


def _board_stands(h: Hand) -> bool:
    """Tells whether nothing is to be put right before the next card."""
    return all(fault is None for fault in (h.shuffle, h.cut, h.unburned, h.trouble))


def why_not(r: Round, h: Hand) -> str:
    """Returns the rule by which the side wagers are not settled yet.

    "" when there are none, or the flop is dealt for them.
    """
    if not unsettled_side_wagers(r):
        return ""
    faults = [fault for fault in (h.shuffle, h.cut) if fault is not None]
    if h.unburned is not None or any(fault.of_the_flop for fault in faults):
        return "9.16"
    return "10.2.1" if contested(h) or len(h.board) >= BOARD[Street.FLOP] else ""


def settle(s: Step, r: Round, h: Hand) -> bool:
    """Settles the side wagers of a hand; returns False when there was nothing to settle."""
    room = room_of(s.t)
    lines = []
    for seat, colour in unsettled_side_wagers(r):
        stake = r.wagers[(seat, colour)]
        won = all(card[1] in SUITS[colour] for card in h.board[: BOARD[Street.FLOP]])
        rule = "10.1.1" + RULES[colour, won]
        lines.append(Line(seat, colour, stake, "win" if won else "lose", ODDS.to * stake if won else -stake, rule))
        if won:
            room.held[seat] = room.held.get(seat, 0) + stake + ODDS.to * stake
    s.settle(lines)
    return bool(lines)


def give_back(s: Step, r: Round, rule: str, result: Unsettled, seat: str = "") -> None:
    """Gives wagers of a hand without a result back to the stakes."""
    lines = []
    for who, colour in unsettled_side_wagers(r):
        if seat in ("", who):
            stake = r.wagers[(who, colour)]
            lines.append(Line(who, colour, stake, result, 0, rule))
            returns.hand_back(s, who, stake)
    s.settle(lines)


def undo(s: Step, r: Round, rule: str, result: Unsettled) -> None:
    """Gives back all side wagers and reverses those that were settled, since the hand counts for nothing."""
    room = room_of(s.t)
    give_back(s, r, rule, result)
    standing = {line.at: line for line in r.lines}
    lines = []
    for line in standing.values():
        if line.result in WON_OR_LOST:
            lines.append(Line(line.place, line.spot, line.stake, result, 0, rule))
            if r.outcome or line.result == "lose":  # a win still held was never part of the stake
                returns.hand_back(s, line.place, -line.net)
            else:
                room.held[line.place] -= line.stake + line.net
                returns.hand_back(s, line.place, line.stake)
    s.settle(lines)
