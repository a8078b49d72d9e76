"""Irregularities of a hand (document 000, rule 9): what is reported, and what the document says of it."""

from __future__ import annotations

from controller.poker.hand import deal, deck, opening
from controller.poker.hand.course import acted, before_substantial_action, missing_cards, twice
from controller.poker.money import settle, stacks
from controller.poker.state import Hand
from controller.poker.words import Misdeal, Street
from controller.table.deck import void_shoe
from controller.table.state import Round, Table
from controller.table.step import Refusal, Step

FULL = 52
BOXED_MAX = 4  # the fifth one makes a deck defective (1.1)


# ---- misdeals


def misdeal(s: Step, args: tuple[str, ...]) -> None:
    """Declares a misdeal, as the dealer or a supervisor determines; after substantial action the hand is played out."""
    if s.t.round is not None and s.t.round.outcome == "misdeal":
        return  # the table has ruled so already
    r, h = opening.running(s, "9.1.1")
    misdealt(s, r, h, _known_ground(r, h) or _ground(s.t, h))


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


def misdealt(s: Step, r: Round, h: Hand, ground: Misdeal) -> None:
    """Ends the hand as a misdeal on this ground: everything goes back."""
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
        rule_on(s, h, ground, seat)


def rule_on(s: Step, h: Hand, ground: Misdeal, seat: str) -> None:
    """Rules before substantial action: rebuilt when nobody has acted, else a misdeal (AMB-CP-20)."""
    text = f"seat {seat} " + ("has the wrong number of cards" if seat in h.dealt else "was dealt an extra hand")
    r = s.t.round
    assert r is not None
    if ground is Misdeal.WRONG_NUMBER:
        s.prompt("dealer", f"{text}: a misdeal unless it can be corrected", "9.1.1(f)", seat, ("misdeal",))
    if acted(h):
        s.prompt("dealer", f"{text}: misdeal", ground.rule, seat, ("misdeal",))
        misdealt(s, r, h, ground)
        return
    h.trouble = ground
    choice = f"{text}: rebuild the hands, or declare a misdeal"
    s.prompt("dealer", choice, ground.rule, seat, ("reconstruct", "misdeal"))


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
        misdealt(s, r, h, Misdeal.EXPOSED)
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
    s.t.deck.counted()
    if s.round is not None:
        s.prompt("dealer", "the deck is complete", "3.4")
