"""Irregularities of a hand (document 000, rule 9): what is reported, and what the document says of it."""

from __future__ import annotations

from controller.poker.hand import betting, deal, deck, leaving, opening, rounds
from controller.poker.hand.course import (
    HOLE,
    acted,
    before_substantial_action,
    contested,
    live,
    missing_cards,
    turns,
    twice,
)
from controller.poker.money import returns, settle, side_wagers, stacks
from controller.poker.room import blinds
from controller.poker.state import Betting, Done, Hand
from controller.poker.words import Ended, Misdeal, Misreported, Street
from controller.table.deck import void_shoe
from controller.table.state import Round, Table
from controller.table.step import Refusal, Step

FULL = 52
BOXED_MAX = 4  # the fifth one makes a deck defective (1.1)
COMMUNITY = ("flop", "turn", "river", "community")


# ---- misdeals


def misdeal(s: Step, args: tuple[str, ...]) -> None:
    """Declares a misdeal, as the dealer or a supervisor determines; after substantial action the hand is played out."""
    if s.t.round is not None and s.t.round.outcome == "misdeal":
        return  # the table has ruled so already
    r, h = opening.running(s, "9.1.1")
    _misdealt(s, r, h, _known_ground(r, h) or _ground(s.t, h))


def _known_ground(r: Round, h: Hand) -> Misdeal | None:
    """Returns what makes the hand a misdeal at any moment: what waits for a ruling, or the same card twice."""
    if h.trouble is not None:
        return h.trouble
    return Misdeal.DEFECTIVE if twice(r, h) else None


def _ground(t: Table, h: Hand) -> Misdeal:
    """Returns why the dealer declares a misdeal: what is known of the hand, else what no other report tells.

    Refuses after substantial action.
    """
    if not h.in_deal and not before_substantial_action(h):
        raise Refusal("9.1.1(b)", "there has been substantial action: the hand is played out")
    if not h.tape:
        return Misdeal.NOT_DEALT
    if h.strays or any(n == 0 for _, n in h.missed):
        return Misdeal.WRONG_HANDS
    if h.missed:
        return Misdeal.WRONG_NUMBER
    missing = 0 if h.in_deal else missing_cards(t, h)  # players have acted all the same
    if missing > 0:
        return Misdeal.WRONG_NUMBER if missing == 1 else Misdeal.WRONG_HANDS
    return Misdeal.UNSHUFFLED if h.unshuffled else Misdeal.WRONG_ORDER


def _misdealt(s: Step, r: Round, h: Hand, ground: Misdeal) -> None:
    if not ground.by_9_1_1:
        h.refund = "9.1.1"
        late = ground is Misdeal.LATE_DISCARDS
        s.ruled("misdeal", "9.1.1(g)" if late else "9.1.1", "the dealer declares a misdeal")
    if ground is Misdeal.WRONG_NUMBER:
        s.ruled("misdeal", "9.1.1(f)", "a wrong number of cards, seen before substantial action")
    text = "misdeal: all wagers go back; shuffle and cut, the same player is first"
    refund = ground.rule if ground is Misdeal.DEFECTIVE else ""
    settle.all_back(s, r, h, "misdeal", ground.rule, text, refund)


def rule_on_what_was_reported(s: Step, h: Hand) -> None:
    """Rules at the end of the initial deal on an irregularity that was reported in it (9.1.1(e))."""
    if h.reported is not None and h.street == Street.FIRST:
        (ground, seat), h.reported = h.reported, None
        _rule_on(s, h, ground, seat)


def _rule_on(s: Step, h: Hand, ground: Misdeal, seat: str) -> None:
    """Rules before substantial action: rebuilt when nobody has acted, else a misdeal (AMB-CP-20)."""
    text = f"seat {seat} " + ("has the wrong number of cards" if seat in h.dealt else "was dealt an extra hand")
    r = s.t.round
    assert r is not None
    if ground is Misdeal.WRONG_NUMBER:
        s.prompt("dealer", f"{text}: a misdeal unless it can be corrected", "9.1.1(f)", seat, ("misdeal",))
    if acted(h):
        s.prompt("dealer", f"{text}: misdeal", ground.rule, seat, ("misdeal",))
        _misdealt(s, r, h, ground)
        return
    h.trouble = ground
    choice = f"{text}: rebuild the hands, or declare a misdeal"
    s.prompt("dealer", choice, ground.rule, seat, ("reconstruct", "misdeal"))


# ---- a wrong number of cards


def wrong_count(s: Step, args: tuple[str, ...], key: Misreported) -> None:
    """Rules on a seat with a card too few or too many (9.1.1(d)-(g)); `short` and `stray` read the deal anew."""
    hand = deck.reported(s, key)
    if hand is None:
        return
    r, h = hand
    place = args[0]
    if place in COMMUNITY:
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
        _rule_on(s, h, ground, place)
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
        void_hand(s, h, seat, Ended.WRONG_NUMBER, text)
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
        case "excess":
            return False


def _nth_card(s: Step, args: tuple[str, ...]) -> int:
    """Which card of the seat was left out; 0: all of them."""
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
    blind = blinds.amounts(s.t.options["blinds"])[-1] if street == Street.FIRST else 0
    highest = max([blind, *b.bets.values()])
    if highest < b.level:
        b.level = b.full = highest
        b.step = blind


# ---- exposed and boxed cards


def exposed(s: Step, args: tuple[str, ...]) -> None:
    """Rules on a card of the initial deal that was exposed: 9.7 for one, 9.1.1(i) for more."""
    hand = deck.reported(s, "exposed")
    if hand is None:
        return
    r, h = hand
    place = args[0]
    held = len(h.cards.get(place, ()))
    n = int(args[1]) if len(args) > 1 else held
    if not 0 < n <= held:
        s.prompt("dealer", f"seat {place} has no such card", "9.7", place)
        return
    if _betting_began(h):
        s.prompt("dealer", "the card is played all the same", "9.6", place)
        return
    if (place, n) in h.exposed:
        return
    h.exposed.append((place, n))
    if len(h.exposed) > 1 or h.burnt:
        text = "more than one card was exposed in the deal: misdeal"
        s.prompt("dealer", text, "9.1.1(i)", place, ("misdeal",))
        _misdealt(s, r, h, Misdeal.EXPOSED)
        return
    text = "complete the deal, then replace the exposed card with the next one"
    s.ruled("continue", "9.7", text)
    s.prompt("dealer", text, "9.7", place)
    if h.street == Street.FIRST:
        deal.deal_done(s, h)


def _betting_began(h: Hand) -> bool:
    if h.street == Street.FIRST:
        return acted(h)
    return h.street > Street.FIRST


def defective_after_boxed(s: Step, h: Hand) -> None:
    """Takes the deck out of play after the fifth boxed card."""
    if h.boxed > BOXED_MAX:
        defective(s, "five boxed cards: the deck is defective")


def defective(s: Step, text: str) -> None:
    """Gives everything back before the pot is pushed; the cards leave the table (9.1.1(h))."""
    rule = Misdeal.DEFECTIVE.rule
    hand = stacks.current(s.t)
    if hand is not None:
        s.prompt("dealer", text, rule, offers=("misdeal",))
        back = f"{text}: all wagers, forced bets and blinds go back"
        settle.all_back(s, *hand, "misdeal", rule, back, rule)
    void_shoe(s, rule, "dealer")  # the dealer may change the cards (5.3.1)


def count(s: Step, args: tuple[str, ...]) -> None:
    """Takes the count of the cards (3.4)."""
    if int(args[0]) != FULL:
        defective(s, f"the deck has {args[0]} cards")
        return
    s.t.deck.unverified = ""
    if s.round is not None:
        s.prompt("dealer", "the deck is complete", "3.4")


# ---- rulings


def reconstruct(s: Step, args: tuple[str, ...]) -> None:
    """Rebuilds the hands in the right order, or as the dealer names them."""
    _, h = opening.running(s, "9.1.1(c)")
    rule = "9.1.1(c)" if h.trouble is None else h.trouble.rule
    if h.trouble is Misdeal.NO_BLINDS:
        raise Refusal(rule, "a hand without blinds cannot be rebuilt")
    if h.trouble is Misdeal.LATE_DISCARDS:
        raise Refusal(rule, "it is too late to discard: declare a misdeal")
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
        elif place in COMMUNITY:
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
    rule = "13.5.2" if args[0] == "fraud" else "13.5.1"
    hand = stacks.last_hand(s.t)
    if hand is None or hand[0].outcome not in ("", "settled"):
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
    ended = hand is not None and _out_of_the_hand(s, *hand, seat)
    if not ended:
        s.ruled("void", "13.2", "the player is excluded")


def _out_of_the_hand(s: Step, r: Round, h: Hand, seat: str) -> bool:
    """Gives back what an excluded player has wagered; True when that was ruled on as the end of a hand."""
    side_wagers.give_back(s, r, "13.2.1", "void", seat)
    if live(h) == [seat]:
        settle.all_back(s, r, h, "void", "13.2.1", "the only player left is excluded: all wagers go back")
        return True
    if not h.tape:
        _blind_back(s, h, seat)
        return False
    if seat not in live(h):
        return False
    void_hand(s, h, seat, Ended.EXCLUDED, "the player is excluded and the wagers are void")
    rounds.advance(s, h)
    return True


def _blind_back(s: Step, h: Hand, seat: str) -> None:
    """Gives a blind back before any card is dealt; the next player owes it."""
    returns.hand_back(s, seat, h.posted.pop(seat, 0))
    if seat in h.due:
        opening.replan(s, h)
