"""Betting rounds: how one begins, goes on and ends, and the community cards between them."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import betting, discards, pending_acts
from controller.poker.hand.course import (
    BOARD,
    DISCARD,
    FOR_SIDE_WAGERS,
    PLACE,
    clockwise,
    contested,
    live,
    next_street,
    shows_first,
    substantial,
    to_discard,
    unsettled_side_wagers,
)
from controller.poker.money import commission, returns
from controller.poker.options import crown
from controller.poker.room import seats
from controller.poker.state import Betting, Hand, Structure
from controller.poker.words import BoardFault, Street
from controller.table.state import Table
from controller.table.step import Step


def structure(t: Table, street: Street) -> Structure:
    """Returns the limits of a betting round (6.6-6.8)."""
    options = crown(t)
    kind, (small, large) = options.limit, options.bets
    if kind == "fixed":
        return Structure(kind, small if street < Street.TURN else large)
    if kind == "spread":
        return Structure(kind, small, large)
    return Structure(kind, max(options.last_blind, options.min), chip=options.chip)


def new_round(s: Step, h: Hand, order: list[str]) -> Betting:
    """Returns a betting round in which nobody has acted."""
    room = seats.room_of(s.t)
    return Betting(
        structure=structure(s.t, h.street),
        order=order,
        stacks={seat: room.stakes.get(seat, 0) for seat in order},  # who has left is all-in (6.16.1)
        pot=sum(h.paid.values()),
        step=crown(s.t).last_blind if h.street == Street.FIRST else 0,
    )


def sync(s: Step, h: Hand) -> None:
    """Writes what lies behind into the stakes, so that it is the same everywhere."""
    b = h.betting
    if b is None:
        return
    stakes = seats.room_of(s.t).stakes
    for seat in betting.active(b):
        if seat in s.t.seats:
            stakes[seat] = b.stacks[seat]


def advance(s: Step, h: Hand) -> None:
    """Goes on after an act: with acts made out of turn whose turn has come, then the end of the betting round."""
    sync(s, h)
    discards.rule_on_late_discards(s, h)
    if substantial(h):
        _too_late_to_put_right(s, h)
    go_on(s, h)


def _too_late_to_put_right(s: Step, h: Hand) -> None:
    """Lets a street stand that was dealt without a burn or too soon, and a deck that was not shuffled."""
    fault, h.unburned = h.unburned, None
    if fault in (BoardFault.CARD_UNBURNED, BoardFault.FLOP_UNBURNED):
        text = "no card was burned: the hand goes on with one burn card less"
        s.ruled("continue", fault.rule, text)
        s.prompt("dealer", text, fault.rule)
    if h.unshuffled:
        s.ruled("continue", "9.1.1(b)", "the hand is played out")
        h.unshuffled = False


def go_on(s: Step, h: Hand) -> None:
    """Finds whose turn it is; ends the betting round when no act is due any more."""
    while h.betting is not None:
        turn = betting.to_act(h.betting)
        if turn is None:
            close_round(s, h)
            return
        done = turn in h.pending and pending_acts.stands(s, h, turn)  # 6.18
        if not done:
            if turn != h.turn:  # what others do meanwhile gives nobody more time (6.15)
                h.turn, h.since = turn, s.t.now
            return
        sync(s, h)


def close_round(s: Step, h: Hand) -> None:
    """Puts the bets into the pot; what nobody called goes back."""
    b = h.betting
    assert b is not None
    returns.unmade(s, h)
    for seat, amount in b.bets.items():
        h.paid[seat] = h.paid.get(seat, 0) + amount
    sync(s, h)
    h.gathered = dict(b.bets)
    h.betting, h.pending, h.short, h.turn = None, {}, {}, ""
    returns.give_back_uncalled(s, h, b)
    commission.to_slide(s, h)
    if h.street == Street.TURN and h.aside:
        h.shuffle, h.burnt, h.aside = BoardFault.TURN_EARLY, Street.RIVER, []
        text = "shuffle the card set aside into the deck; no burn before the fifth card"
        s.prompt("dealer", text, "9.12.3", PLACE[Street.RIVER], ("shuffled",))
    if not contested(h):
        _flop_for_side_wagers(s, h)
        return
    if h.street == Street.RIVER:
        h.street = Street.SHOWDOWN
        s.prompt("dealer", "shows first", "8.20.4", shows_first(h), ("settle", "muck"))
    _ask_for_discards(s, h)


def _ask_for_discards(s: Step, h: Hand) -> None:
    """Names who discards after this betting round."""
    after, rule = DISCARD.get(s.t.game, (None, ""))
    if h.street == after:
        for seat in to_discard(s.t, h):
            s.prompt("dealer", "discards one card", rule, seat, ("discard",))


def _flop_for_side_wagers(s: Step, h: Hand) -> None:
    """Asks for a flop when one player is left and side wagers wait for it."""
    r = s.t.round
    assert r is not None
    if unsettled_side_wagers(r) and len(h.board) < BOARD[Street.FLOP]:
        text = "one player is left: burn, deal the flop and settle the side wagers"
        s.prompt("dealer", text, FOR_SIDE_WAGERS, PLACE[Street.FLOP], ("burn",))


def undo_round(s: Step, h: Hand) -> None:
    """Gives back what was bet on a street that is dealt again; the round before it is complete."""
    if h.betting is not None:
        returns.unmade(s, h)
        sync(s, h)
        for seat, amount in h.betting.bets.items():
            returns.hand_back(s, seat, amount)
    h.betting, h.pending, h.short = None, {}, {}
    h.acts = [act for act in h.acts if act.street < h.street]


def board_card(s: Step, h: Hand, card: str) -> None:
    """Lays a community card that was due; with the last of its street the next betting round begins."""
    street = next_street(h)
    h.gathered = {}
    h.board.append(card)
    h.mixed = False
    h.spare = ""  # an incorrect card that was kept was this burn (9.13.2)
    h.burnt = max(h.burnt, street)
    if card == UNREAD:
        s.prompt("dealer", "a community card could not be read: name it", "8.18.1", "", ("reconstruct",))
    if len(h.board) == BOARD[street] and contested(h):
        begin_round(s, h, street)


def begin_round(s: Step, h: Hand, street: Street) -> None:
    """Begins a betting round after the first, from the left of the button."""
    h.street = street
    h.aggressor = ""
    h.betting = new_round(s, h, clockwise(live(h), h.button))
    go_on(s, h)
