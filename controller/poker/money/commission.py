"""Commission that is taken from the pot (document 000, rule 7): on the slide as play goes on, dropped with the pot."""

from __future__ import annotations

from controller.poker.hand import showdown
from controller.poker.hand.course import BOARD, live
from controller.poker.money import pots
from controller.poker.options import FROM_THE_POT, crown
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, Pot
from controller.poker.words import Street
from controller.table.state import Table
from controller.table.step import Step


def taken(t: Table, h: Hand, made: list[Pot]) -> list[int]:
    """Returns the commission of each pot as things stand."""
    options = crown(t)
    rake, cap = options.rake, options.cap
    if options.rake_method not in FROM_THE_POT or not _wagered(h):  # 7.6
        return [0] * len(made)
    if options.rake_method == "per-hand":
        amount = rake.fee(len(h.dealt))
        return pots.fixed(made, amount if cap is None else min(amount, cap))  # 7.7
    return pots.percentage(made, rake.share or 0, cap, options.chip)


def _wagered(h: Hand) -> bool:
    """Tells whether something but blinds was wagered and called (7.6, AMB-CP-05)."""
    return not pots.only_blinds(h.paid, h.posted)


def reversed_by_tie(t: Table, h: Hand) -> bool:
    """Tells whether all who contributed hold equal hands to the end, so that no percentage is deducted (7.8)."""
    if crown(t).rake_method != "percent" or len(h.board) < BOARD[Street.RIVER]:
        return False
    at_showdown = live(h)
    if len(at_showdown) < 2:
        return False
    worth = {}
    for seat in at_showdown:
        cards = h.cards[seat]
        worth[seat] = (showdown.high(t.game, cards, h.board), showdown.low(t.game, cards, h.board))
    return pots.all_tied(h.paid, worth)


def to_slide(s: Step, h: Hand) -> None:
    """Puts the commission on the slide after a betting round (7.2.1(a), 7.2.3(a)).

    It can be taken back until the pot is pushed (AMB-CP-30).
    """
    room = room_of(s.t)
    now = sum(taken(s.t, h, pots.pots(h.paid, h.out, sum(h.dead.values()))))
    room.slide += now - h.rake
    h.rake = now
