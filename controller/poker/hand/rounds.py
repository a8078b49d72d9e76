"""Betting rounds: how one begins, goes on and ends, and the community cards between them."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.money import cents
from controller.poker.hand import betting, discards, pending_acts
from controller.poker.hand.course import (
    BOARD,
    DISCARD,
    PLACE,
    SHOWDOWN,
    clockwise,
    contested,
    live,
    shows_first,
    substantial,
    to_discard,
    unsettled_side_wagers,
)
from controller.poker.money import commission, returns
from controller.poker.room import blinds, seats
from controller.poker.state import Betting, Hand, Structure
from controller.table.state import Table
from controller.table.step import Step


def structure(t: Table, street: int) -> Structure:
    """The limits of a betting round (6.6-6.8)."""
    kind = t.options["limit"]
    small, large = blinds.amounts(t.options["bets"])
    if kind == "fixed":
        return Structure(kind, small if street < 2 else large)
    if kind == "spread":
        return Structure(kind, small, large)
    least = max(blinds.amounts(t.options["blinds"])[-1], cents(t.options["min"]))
    return Structure(kind, least, chip=cents(t.options["chip"]))


def new_round(s: Step, h: Hand, order: list[str]) -> Betting:
    room = seats.room_of(s.t)
    return Betting(
        structure=structure(s.t, h.street),
        order=order,
        stacks={seat: room.stakes.get(seat, 0) for seat in order},  # who has left is all-in (6.16.1)
        pot=sum(h.paid.values()),
        step=blinds.amounts(s.t.options["blinds"])[-1] if h.street == 0 else 0,
    )


def sync(s: Step, h: Hand) -> None:
    """What lies behind is the same everywhere."""
    if h.betting is not None:
        room = seats.room_of(s.t)
        behind = h.betting.stacks.items()
        room.stakes.update({seat: n for seat, n in behind if seat in s.t.seats and seat not in h.betting.folded})


def advance(s: Step, h: Hand) -> None:
    """After an act: acts made out of turn whose turn has come, then the end of the betting round."""
    sync(s, h)
    discards.rule_on_late_discards(s, h)
    if h.unburned == discards.UNDISCARDED and substantial(h):
        h.unburned = ""
    if h.unburned and substantial(h):
        s.ruled("continue", h.unburned, "no card was burned: the hand goes on with one burn card less")
        s.prompt("dealer", "no card was burned: the hand goes on with one burn card less", h.unburned)
        h.unburned = ""
    if h.unshuffled and substantial(h):
        s.ruled("continue", "9.1.1(b)", "the hand is played out")
        h.unshuffled = False
    go_on(s, h)


def go_on(s: Step, h: Hand) -> None:
    while h.betting is not None:
        b = h.betting
        turn = betting.to_act(b)
        if turn is None:
            close_round(s, h)
            return
        if turn not in h.early or not pending_acts.stands(s, h, turn):  # 6.18
            if turn != h.turn:  # what others do meanwhile gives nobody more time (6.15)
                h.turn, h.since = turn, s.t.now
            return
        sync(s, h)


def close_round(s: Step, h: Hand) -> None:
    """The bets go into the pot; what nobody called goes back."""
    b = h.betting
    assert b is not None
    returns.unmade(s, h)
    for seat, amount in b.bets.items():
        h.paid[seat] = h.paid.get(seat, 0) + amount
    sync(s, h)
    h.gathered = dict(b.bets)
    h.betting, h.early, h.short, h.turn = None, {}, {}, ""
    returns.give_back_uncalled(s, h, b)
    commission.to_slide(s, h)
    if h.street == 2 and h.aside:
        h.shuffle, h.burnt, h.aside = "9.12.3", 3, []
        text = "shuffle the card set aside into the deck; no burn before the fifth card"
        s.prompt("dealer", text, "9.12.3", PLACE[3], ("shuffled",))
    if h.street == 3 and contested(h):
        h.street = SHOWDOWN
        s.prompt("dealer", "shows first", "8.20.4", shows_first(h), ("settle", "muck"))
    _what_next(s, h)


def _what_next(s: Step, h: Hand) -> None:
    """What the dealer might forget when a betting round is over."""
    due = DISCARD.get(s.t.game)
    for seat in to_discard(s.t, h) if due is not None and contested(h) and h.street == due[0] else ():
        s.prompt("dealer", "discards one card", due[1] if due is not None else "", seat, ("discard",))
    r = s.t.round
    if r is not None and not contested(h) and unsettled_side_wagers(r) and len(h.board) < BOARD[1]:
        text = "one player is left: burn, deal the flop and settle the side wagers"
        s.prompt("dealer", text, "8.17.3(a)(i)", PLACE[1], ("burn",))


def undo_round(s: Step, h: Hand) -> None:
    """The street is dealt again: what was bet on it goes back, and the round before it is complete."""
    if h.betting is not None:
        returns.unmade(s, h)
        sync(s, h)
        for seat, amount in h.betting.bets.items():
            returns.hand_back(s, seat, amount)
    h.betting, h.early, h.short = None, {}, {}
    h.acts = [act for act in h.acts if act[0] < h.street]


def board_card(s: Step, h: Hand, card: str) -> None:
    """A community card that was due; with the last of its street the next betting round begins."""
    street = next_street(h)
    h.gathered = {}
    h.board.append(card)
    h.mixed = False
    if h.spare:  # an incorrect card was kept as this burn (9.13.2)
        h.spare = ""
    h.burnt = max(h.burnt, street)
    if card == UNREAD:
        s.prompt("dealer", "a community card could not be read: name it", "8.18.1", "", ("reconstruct",))
    if len(h.board) == BOARD[street] and len(live(h)) > 1:
        begin_round(s, h, street)


def next_street(h: Hand) -> int:
    """The betting round for which the next community card is dealt."""
    return next((n for n in (1, 2, 3) if len(h.board) < BOARD[n]), SHOWDOWN)


def begin_round(s: Step, h: Hand, street: int) -> None:
    h.street = street
    h.aggressor = ""
    h.betting = new_round(s, h, clockwise(live(h), h.button))
    go_on(s, h)
