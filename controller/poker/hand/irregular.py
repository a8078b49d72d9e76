"""Irregularities of a hand (document 000, rule 9): what is reported, and what the document says of it."""

from __future__ import annotations

from controller.poker.hand import betting, deal, deck, leaving, opening, rounds
from controller.poker.hand.course import HOLE, LATE, SHOWDOWN, acted, contested, live, substantial, turns, twice
from controller.poker.hand.deck import reported
from controller.poker.money import returns, settle, side_wagers
from controller.poker.room import blinds
from controller.poker.state import Betting, Hand
from controller.table.deck import void_shoe
from controller.table.state import Round, Table
from controller.table.step import Refusal, Step

FULL = 52
DEFECTIVE = "9.1.1(h)"
WRONG_NUMBER = "9.1.1(e)"  # and (f), which asks for no proof that it cannot be corrected (AMB-CP-20)
BOXED_MAX = 4  # the fifth one makes a deck defective (1.1)


# ---- misdeals


def misdeal(s: Step, args: tuple[str, ...]) -> None:
    """9.1.1: a dealer or supervisor determines it; after substantial action the hand is played out."""
    if s.round is None and s.t.round is not None and s.t.round.outcome == "misdeal":
        return  # the table has ruled so already
    r, h = opening.running(s, "9.1.1")
    rule = h.trouble or (DEFECTIVE if twice(r, h) else "")
    if not rule and h.street >= 0 and (h.street > 0 or substantial(h)):
        raise Refusal("9.1.1(b)", "there has been substantial action: the hand is played out")
    _misdealt(s, r, h, rule or _ground(s.t, h))


def _ground(t: Table, h: Hand) -> str:
    """Why the dealer declares a misdeal: what is known of the hand, else what no other report tells."""
    if not h.tape:
        return "9.1.1(a)"
    if h.strays or any(n == 0 for _, n in h.missed):
        return "9.1.1(d)"
    if h.missed:
        return WRONG_NUMBER
    if h.street >= 0 and (missing := len(turns(t, h)) - len(h.tape)) > 0:  # players have acted all the same
        return WRONG_NUMBER if missing == 1 else "9.1.1(d)"
    return "9.1.1(b)" if h.unshuffled else "9.1.1(c)"


def _misdealt(s: Step, r: Round, h: Hand, rule: str) -> None:
    if not rule.startswith("9.1.1"):
        s.ruled("misdeal", "9.1.1(g)" if rule == LATE else "9.1.1", "the dealer declares a misdeal")
    if rule == WRONG_NUMBER:
        s.ruled("misdeal", "9.1.1(f)", "a wrong number of cards, seen before substantial action")
    text = "misdeal: all wagers go back; shuffle and cut, the same player is first"
    settle.all_back(s, r, h, "misdeal", rule, text, rule if rule == DEFECTIVE else "")


def told_in_the_deal(s: Step, h: Hand) -> None:
    """9.1.1(e): at the end of the initial deal an irregularity that was told in it is ruled on."""
    if h.told is not None and h.street == 0:
        (rule, seat), h.told = h.told, None
        _rule_on(s, h, rule, seat)


def _rule_on(s: Step, h: Hand, rule: str, seat: str) -> None:
    """Before substantial action: rebuilt when nobody has acted, else a misdeal (AMB-CP-20)."""
    text = f"seat {seat} " + ("has the wrong number of cards" if seat in h.dealt else "was dealt an extra hand")
    r = s.t.round
    assert r is not None
    if rule == WRONG_NUMBER:
        s.prompt("dealer", f"{text}: a misdeal unless it can be corrected", "9.1.1(f)", seat, ("misdeal",))
    if acted(h):
        s.prompt("dealer", f"{text}: misdeal", rule, seat, ("misdeal",))
        _misdealt(s, r, h, rule)
    else:
        h.trouble = rule
        s.prompt("dealer", f"{text}: rebuild the hands, or declare a misdeal", rule, seat, ("reconstruct", "misdeal"))


def wrong_count(s: Step, args: tuple[str, ...], key: str) -> None:
    """A seat has a card too few or too many (9.1.1(d)-(g)); `short` and `stray` read the deal anew."""
    found = reported(s, key)
    if found is None:
        return
    r, h = found
    place = args[0]
    if place in ("flop", "turn", "river", "community"):
        deck.board_count(s, h, place, key)
        return
    if not h.tape:
        s.prompt("dealer", f"no card is dealt yet: {key} was noted and changes nothing", "9.1.1(e)", place)
        return
    if (key == "stray") == (place in h.dealt):
        text = "is in this hand" if key == "stray" else "is not in this hand"
        s.prompt("dealer", f"seat {place} {text}: {key} was noted and changes nothing", "9.1.1(d)", place)
        return
    rule = "9.1.1(d)" if key == "stray" or "all" in args else WRONG_NUMBER
    _read_anew(s, h, key, args)
    if h.street < 0:
        h.told = (rule, place)
        s.prompt("dealer", f"seat {place} has the wrong number of cards", rule, place, ("misdeal",))
        return
    if not contested(h) and place in live(h):
        _alone(s, r, h, place)
    elif key == "stray":
        _stray(s, h, place)
    elif h.street == 0 and not substantial(h):
        _rule_on(s, h, rule, place)
    elif place not in live(h):
        s.prompt("dealer", f"seat {place} has no hand any more: noted", "9.1.1(f)", place)
    elif acted(h, place):
        leaving.dead(s, h, place, "9.1.1(f)", "the wrong number of cards: the hand is dead, its wagers stay in the pot")
        rounds.advance(s, h)
    else:
        void_hand(s, h, place, "9.1.1(f)", "the wrong number of cards: the hand is void, its wagers go back")
        rounds.advance(s, h)


def _read_anew(s: Step, h: Hand, key: str, args: tuple[str, ...]) -> None:
    """The same cards in the same order, over the places that really got them."""
    place = args[0]
    if h.street > 0 and h.given:
        return
    if h.extra and h.street == 0:  # they were no flop: the deal went on
        h.tape, h.extra, h.shuffle, h.cut = [*h.tape, *h.extra], [], "", ""
    if key == "short":
        n = 0 if "all" in args else int(args[1]) if len(args) > 1 else HOLE[s.t.game]
        if (place, n) not in h.missed:
            h.missed.append((place, n))
    elif key == "stray":
        if place in (*h.strays, *h.dealt) or (h.street >= 0 and len(h.tape) <= len(turns(s.t, h))):
            return  # the cards of that hand were not among those that were read
        h.strays.append(place)
    elif key == "excess":
        return
    deal.lay(s.t, h)
    if h.street < 0 and len(h.tape) >= len(turns(s.t, h)):
        deal.deal_done(s, h)


def _stray(s: Step, h: Hand, place: str) -> None:
    if h.street == 0 and not substantial(h):
        _rule_on(s, h, "9.1.1(d)", place)
        return
    text = "the extra hand is dead; the hand goes on"
    s.ruled("continue", "9.1.1(d)", text)
    s.prompt("dealer", text, "9.1.1(d)", place)


def _alone(s: Step, r: Round, h: Hand, seat: str) -> None:
    """9.1.1(g): the last player's hand is dead, and everybody gets everything back (AMB-CP-15)."""
    text = "the only hand left has the wrong number of cards: all wagers go back"
    s.prompt("dealer", text, "9.1.1(g)", seat, ("misdeal",))
    settle.all_back(s, r, h, "misdeal", "9.1.1(g)", text)


def void_hand(s: Step, h: Hand, seat: str, rule: str, text: str) -> None:
    """A hand that never counted: all it has wagered goes back."""
    if seat not in s.t.seats:
        returns.unmade(s, h)
    back = h.paid.pop(seat, 0) + (h.posted.pop(seat, 0) if h.street < 0 else 0)
    if h.betting is not None and seat in h.betting.order:
        back += h.betting.bets.get(seat, 0)
        h.betting.stacks[seat] += back
        h.betting.bets[seat] = 0
        betting.drop(h.betting, seat)
        _nobody_calls(s, h.betting, h.street)
    rounds.sync(s, h)
    h.early.pop(seat, None)
    h.short.pop(seat, None)
    h.out.append(seat)
    h.void.append(seat)
    h.ended[seat] = rule
    returns.hand_back(s, seat, back)
    h.returned[seat] = h.returned.get(seat, 0) + back
    s.ruled("void", rule, text)
    s.prompt("dealer", text, rule, seat)


def _nobody_calls(s: Step, b: Betting, street: int) -> None:
    """A wager that is void need not be called: what is to be called is the highest bet that others have made."""
    blind = blinds.amounts(s.t.options["blinds"])[-1] if street == 0 else 0
    highest = max([blind, *b.bets.values()])
    if highest < b.level:
        b.level = b.full = highest
        b.step = blind


# ---- exposed and boxed cards


def exposed(s: Step, args: tuple[str, ...]) -> None:
    """9.7 for one card of the initial deal, 9.1.1(i) for more."""
    found = reported(s, "exposed")
    if found is None:
        return
    r, h = found
    place = args[0]
    n = int(args[1]) if len(args) > 1 else len(h.cards.get(place, ()))
    if not 0 < n <= len(h.cards.get(place, ())):
        s.prompt("dealer", f"seat {place} has no such card", "9.7", place)
        return
    if h.street > 0 or (h.street == 0 and acted(h)):
        s.prompt("dealer", "the card is played all the same", "9.6", place)
        return
    if (place, n) in h.exposed:
        return
    h.exposed.append((place, n))
    if len(h.exposed) > 1 or h.burnt:
        text = "more than one card was exposed in the deal: misdeal"
        s.prompt("dealer", text, "9.1.1(i)", place, ("misdeal",))
        _misdealt(s, r, h, "9.1.1(i)")
        return
    text = "complete the deal, then replace the exposed card with the next one"
    s.ruled("continue", "9.7", text)
    s.prompt("dealer", text, "9.7", place)
    if h.street == 0:
        deal.deal_done(s, h)


def defective_after_boxed(s: Step, h: Hand) -> None:
    if h.boxed > BOXED_MAX:
        defective(s, "five boxed cards: the deck is defective")


def defective(s: Step, text: str) -> None:
    """9.1.1(h): before the pot is pushed everything goes back; the cards leave the table."""
    if s.round is not None and s.round.hand is not None:
        r, h = s.round, s.round.hand
        s.prompt("dealer", text, DEFECTIVE, offers=("misdeal",))
        back = f"{text}: all wagers, forced bets and blinds go back"
        settle.all_back(s, r, h, "misdeal", DEFECTIVE, back, DEFECTIVE)
    void_shoe(s, DEFECTIVE, "dealer")  # the dealer may change the cards (5.3.1)


def count(s: Step, args: tuple[str, ...]) -> None:
    """3.4: the cards are counted."""
    if int(args[0]) != FULL:
        defective(s, f"the deck has {args[0]} cards")
        return
    s.t.deck.unverified = ""
    if s.round is not None:
        s.prompt("dealer", "the deck is complete", "3.4")


# ---- rulings


def reconstruct(s: Step, args: tuple[str, ...]) -> None:
    """The hands are rebuilt in the right order, or as the dealer names them."""
    _, h = opening.running(s, "9.1.1(c)")
    rule = h.trouble or "9.1.1(c)"
    if rule == "8.9.2":
        raise Refusal(rule, "a hand without blinds cannot be rebuilt")
    if rule == LATE:
        raise Refusal(rule, "it is too late to discard: declare a misdeal")
    if not args and deck.rebuildable(h):
        deck.burn_the_last(s, h)
        return
    if args:
        _named(s, h, args, rule)
    elif not h.missed and not h.strays and not h.trouble:
        raise Refusal(rule, "there is nothing to rebuild")
    else:
        if acted(h):
            raise Refusal(rule, "somebody has acted: the hands cannot be rebuilt")
        h.missed, h.strays, h.given = [], [], {}
        order = turns(s.t, h)
        surplus = h.tape[len(order) :]
        h.tape = h.tape[: len(order)]
        deal.lay(s.t, h)
        if len(h.tape) < len(order):
            h.street, h.betting = -1, None
            _unpost(s, h)
        elif surplus:
            s.prompt("dealer", "the card left over goes back on top of the deck", rule)
    h.trouble = ""
    s.ruled("reconstructed", rule, "the hands are rebuilt")
    s.prompt("dealer", "the hands are rebuilt", rule)


def _unpost(s: Step, h: Hand) -> None:
    """The deal goes on: the blinds lie there as before it was complete, with what an all-in blind left uncalled."""
    for seat, amount in h.returned.items():
        returns.hand_back(s, seat, -amount)
    h.paid, h.gathered, h.returned = {}, {}, {}


def _named(s: Step, h: Hand, args: tuple[str, ...], rule: str) -> None:
    for arg in args:
        place, _, text = arg.partition("=")
        cards = text.split(",")
        if place in h.cards:
            h.given[place] = list(cards)
            h.cards[place] = list(cards)
        elif place in ("flop", "turn", "river", "community"):
            first = {"flop": 0, "community": 0, "turn": 3, "river": 4}[place]
            if first + len(cards) > len(h.board):
                raise Refusal("8.18.1", f"the {place} does not lie there")
            h.board[first : first + len(cards)] = cards
        else:
            raise Refusal(rule, f"seat {place} has no hand")


def dead(s: Step, args: tuple[str, ...]) -> None:
    """A hand loses its claim: out of time (6.15), or exchanged information (13.14)."""
    r, h = opening.running(s, "13.14")
    seat = args[0]
    if seat not in live(h) or h.street < 0:
        raise Refusal("13.14", f"seat {seat} has no hand")
    if not contested(h):
        raise Refusal("8.17.3(a)", "the last player has won the pot")
    late = any(flag.startswith("late ") and flag.split(" ")[2] == seat for flag in r.flags)
    leaving.dead(s, h, seat, "6.15" if late else "13.14", f"the hand of seat {seat} is dead")
    h.acts.append((h.street, seat, "fold"))
    rounds.advance(s, h)


def ask(s: Step, args: tuple[str, ...]) -> None:
    """9.5: a mucked hand is shown; it lives only when the winner asked for it."""
    _, h = opening.running(s, "9.5")
    who, other = args
    if who not in s.t.seats:
        raise Refusal("9.5", f"nobody sits at {who}")
    if h.street != SHOWDOWN or other not in h.mucked or other in h.shown:
        raise Refusal("9.5", f"seat {other} did not discard a hand at the showdown")
    settle.readable(s, h)  # who wins is known only when every card is
    winners = settle.leading(s.t, h)
    if who in winners:
        h.out.remove(other)
        h.mucked.remove(other)
        h.asked.append(other)
        text = f"a pot winner asks: the hand of seat {other} is shown and can still win"
    else:
        text = f"tap the hand of seat {other} on the muck and show it: it cannot win"
    h.shown.append(other)
    s.ruled("continue", "9.5", text)
    s.prompt("dealer", text, "9.5", other)


def invalidate(s: Step, args: tuple[str, ...]) -> None:
    """13.5: the outcome is invalid; 13.6: all wagers go back."""
    rule = "13.5.2" if args[0] == "fraud" else "13.5.1"
    r = s.t.round
    if r is None or r.hand is None or (r.outcome and r.outcome != "settled"):
        raise Refusal(rule, "there is no outcome to invalidate")
    s.ruled("void", "13.6", "all wagers for this result are refunded")
    if not r.outcome:
        settle.all_back(s, r, r.hand, "void", rule, "the outcome is invalid: all wagers go back", "13.6")
    else:
        settle.undo(s, r, r.hand, rule, "13.6")


def exclude(s: Step, args: tuple[str, ...]) -> None:
    """13.2: the player is out of the game, and the wagers are void."""
    who = s.t.seats.get(args[0])
    if who is None:
        raise Refusal("13.2.2", f"nobody sits at {args[0]}")
    s.t.people[who].excluded = True
    r = s.round
    if r is not None and r.hand is not None:
        side_wagers.give_back(s, r, "13.2.1", "void", args[0])
        if live(r.hand) == [args[0]]:
            settle.all_back(s, r, r.hand, "void", "13.2.1", "the only player left is excluded: all wagers go back")
            return
        if not r.hand.tape:
            _blind_back(s, r.hand, args[0])
        elif args[0] in live(r.hand):
            void_hand(s, r.hand, args[0], "13.2.1", "the player is excluded and the wagers are void")
            rounds.advance(s, r.hand)
            return
    s.ruled("void", "13.2", "the player is excluded")


def _blind_back(s: Step, h: Hand, seat: str) -> None:
    """No card is dealt yet: the blind goes back, and the next player owes it."""
    returns.hand_back(s, seat, h.posted.pop(seat, 0))
    if seat in h.due:
        opening.replan(s, h)
