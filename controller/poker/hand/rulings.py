"""Rulings on a hand: rebuilt, dead, void, shown on request, invalid, a player excluded (rules 9 and 13)."""

from __future__ import annotations

from controller.poker.hand import betting, deal, deck, leaving, opening, rounds
from controller.poker.hand.course import ON_THE_BOARD, acted, contested, live, turns
from controller.poker.money import returns, settle, side_wagers, stacks
from controller.poker.options import crown
from controller.poker.state import Betting, Done, Hand
from controller.poker.words import Ended, Misdeal, Street
from controller.rules import UNDONE
from controller.table.documents import CAUSES
from controller.table.state import Round
from controller.table.step import Refusal, Step


def reconstruct(s: Step, args: tuple[str, ...]) -> None:
    """Rebuilds the hands in the right order, or as the dealer names them."""
    _, h = opening.running(s, "9.1.1(c)")
    rule = "9.1.1(c)" if h.trouble is None else h.trouble.rule
    if h.trouble is Misdeal.NO_BLINDS:
        raise Refusal(rule, "a hand without blinds cannot be rebuilt")
    if h.trouble is Misdeal.LATE_DISCARDS:
        raise Refusal(rule, "it is too late to discard: declare a misdeal")
    before = (h.trouble, h.board[:], {seat: hand[:] for seat, hand in h.cards.items()})
    if args:
        _named(s, h, args, rule)
    elif deck.rebuildable(h):
        deck.burn_the_last(s, h)
        return
    else:
        _in_the_right_order(s, h, rule)
    h.trouble = None
    s.ruled("reconstructed", rule, "the hands are rebuilt")
    s.prompt("dealer", "the hands are rebuilt", rule)
    if (h.trouble, h.board, h.cards) == before:
        s.nothing_to_do()


def _in_the_right_order(s: Step, h: Hand, rule: str) -> None:
    """Deals the cards that were read again, to everybody who is in the hand."""
    if not any((h.missed, h.strays, h.trouble)):
        raise Refusal(rule, "there is nothing to rebuild")
    if acted(h):
        raise Refusal(rule, "somebody has acted: the hands cannot be rebuilt")
    h.missed, h.strays, h.given = [], [], {}
    order = turns(s.t, h)
    surplus = h.tape[len(order) :]
    h.tape = h.tape[: len(order)]
    deal.lay(s.t, h)
    if len(h.tape) < len(order):
        h.street, h.betting = Street.DEAL, None
        _unpost(s, h)
    elif surplus:
        s.prompt("dealer", "the card left over goes back on top of the deck", rule)


def _unpost(s: Step, h: Hand) -> None:
    """Lays the blinds as before the deal was complete, with what an all-in blind left uncalled: the deal goes on."""
    for seat, amount in h.returned.items():
        returns.hand_back(s, seat, -amount)
    h.paid, h.gathered, h.returned = {}, {}, {}


def _named(s: Step, h: Hand, args: tuple[str, ...], rule: str) -> None:
    """Lays the hands and community cards as the dealer names them."""
    for arg in args:
        place, _, text = arg.partition("=")
        cards = text.split(",")
        if place in h.cards:
            h.given[place] = list(cards)
            h.cards[place] = list(cards)
        elif place in ON_THE_BOARD:
            first = {"flop": 0, "community": 0, "turn": 3, "river": 4}[place]
            if first + len(cards) > len(h.board):
                raise Refusal("8.18.1", f"the {place} does not lie there")
            h.board[first : first + len(cards)] = cards
        else:
            raise Refusal(rule, f"seat {place} has no hand")


def dead(s: Step, args: tuple[str, ...]) -> None:
    """Takes a hand's claim away: out of time (6.15), or exchanged information (13.14)."""
    _, h = opening.running(s, "13.14")
    seat = args[0]
    if h.in_deal or seat not in live(h):
        raise Refusal("13.14", f"seat {seat} has no hand")
    if not contested(h):
        raise Refusal("8.17.3(a)", "the last player has won the pot")
    late = any(turn.seat == seat for turn in h.overdue)
    leaving.dead(s, h, seat, "6.15" if late else "13.14", f"the hand of seat {seat} is dead")
    h.acts.append(Done(h.street, seat, "fold"))
    rounds.advance(s, h)


def void_hand(s: Step, h: Hand, seat: str, why: Ended, text: str) -> None:
    """Ends a hand that never counted: all it has wagered goes back."""
    if seat not in s.t.seats:
        returns.unmade(s, h)
    back = h.paid.pop(seat, 0)
    if h.in_deal:
        back += h.posted.pop(seat, 0)
    b = betting.joined(h, seat)
    if b is not None:
        back += b.bets.get(seat, 0)
        b.stacks[seat] += back
        b.bets[seat] = 0
        betting.drop(b, seat)
        _nobody_calls(s, b, h.street)
    rounds.sync(s, h)
    h.pending.pop(seat, None)
    h.short.pop(seat, None)
    h.out.append(seat)
    h.void.append(seat)
    h.ended[seat] = why
    returns.hand_back(s, seat, back)
    h.returned[seat] = h.returned.get(seat, 0) + back
    s.ruled("void", why.rule, text)
    s.prompt("dealer", text, why.rule, seat)


def _nobody_calls(s: Step, b: Betting, street: Street) -> None:
    """Lowers what is to be called to the highest bet that others have made: a void wager need not be called."""
    blind = crown(s.t).last_blind if street == Street.FIRST else 0
    highest = max([blind, *b.bets.values()])
    if highest < b.level:
        b.level = b.full = highest
        b.step = blind


def ask(s: Step, args: tuple[str, ...]) -> None:
    """Shows a mucked hand; it lives only when the winner asked for it (9.5)."""
    _, h = opening.running(s, "9.5")
    who, other = args
    if who not in s.t.seats:
        raise Refusal("9.5", f"nobody sits at {who}")
    if not _mucked_unseen(h, other):
        raise Refusal("9.5", f"seat {other} did not discard a hand at the showdown")
    settle.readable(s, h)  # who wins is known only when every card is
    if who in settle.leading(s.t, h):
        h.out.remove(other)
        h.mucked.remove(other)
        h.asked.append(other)
        text = f"a pot winner asks: the hand of seat {other} is shown and can still win"
    else:
        text = f"tap the hand of seat {other} on the muck and show it: it cannot win"
    h.shown.append(other)
    s.ruled("continue", "9.5", text)
    s.prompt("dealer", text, "9.5", other)


def _mucked_unseen(h: Hand, seat: str) -> bool:
    if h.street != Street.SHOWDOWN or seat in h.shown:
        return False
    return seat in h.mucked


def invalidate(s: Step, args: tuple[str, ...]) -> None:
    """Invalidates the outcome (13.5): all wagers go back (13.6)."""
    rule = s.powers.invalidate(CAUSES[args[0]]).rule
    hand = stacks.last_hand(s.t)
    if hand is None or hand[0].outcome in UNDONE:
        raise Refusal(rule, "there is no outcome to invalidate")
    r, h = hand
    s.ruled("void", "13.6", "all wagers for this result are refunded")
    h.refund = "13.6"
    if not r.outcome:
        settle.all_back(s, r, h, "void", rule, "the outcome is invalid: all wagers go back", "13.6")
    else:
        settle.undo(s, r, h, rule, "13.6")


def exclude(s: Step, args: tuple[str, ...]) -> None:
    """Takes a player out of the game; the wagers are void (13.2)."""
    seat = args[0]
    who = s.t.seats.get(seat)
    if who is None:
        raise Refusal("13.2.2", f"nobody sits at {seat}")
    s.t.people[who].excluded = True
    hand = stacks.current(s.t)
    ended = hand is not None and _out_of_the_hand(s, *hand, seat, "is excluded")
    if not ended:
        s.ruled("void", "13.2", "the player is excluded")


def void_wagers(s: Step, args: tuple[str, ...]) -> None:
    """Declares the wagers of a player in this hand void (13.2.1); the player stays in the game."""
    seat, hand = args[0], stacks.current(s.t)
    if hand is None or not hand[1].tape or seat not in live(hand[1]):
        raise Refusal("13.2.1", f"seat {seat} has no hand with wagers in it")
    _out_of_the_hand(s, *hand, seat, "has broken the rules")


def _out_of_the_hand(s: Step, r: Round, h: Hand, seat: str, why: str) -> bool:
    """Gives back what a player has wagered; True when that was ruled on as the end of a hand."""
    side_wagers.give_back(s, r, "13.2.1", "void", seat)
    if live(h) == [seat]:
        settle.all_back(s, r, h, "void", "13.2.1", f"the only player left {why}: all wagers go back")
        return True
    if not h.tape:
        _blind_back(s, h, seat)
        return False
    if seat not in live(h):
        return False
    void_hand(s, h, seat, Ended.EXCLUDED, f"the player {why} and the wagers are void")
    rounds.advance(s, h)
    return True


def _blind_back(s: Step, h: Hand, seat: str) -> None:
    """Gives a blind back before any card is dealt; the next player owes it."""
    returns.hand_back(s, seat, h.posted.pop(seat, 0))
    if seat in h.due:
        opening.replan(s, h)
