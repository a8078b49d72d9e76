"""The cards before the deal: checked, shuffled, cut, burned, replaced."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal

import msgspec

from controller.places import area_of
from controller.rules import Rank, at_least, spoken_role
from controller.table.documents import Document
from controller.table.rules import Rules
from controller.table.state import FirstToCut, Table, cards_lie
from controller.table.step import Refusal, Step

Remedy = Literal["replace", "count", "check", "refill", "shuffle", "cut"]
UNMIXED: Final[tuple[Remedy, ...]] = ("shuffle", "cut")  # until then somebody may know the order of the cards
SUPERVISOR = "supervisor"


def cutter(t: Table) -> str:
    """Returns who is to cut: a place, "supervisor" when every player declined, "" when nobody sits here."""
    seated = sorted({area_of(place) for place in t.seats})
    if not seated or t.deck.begin == "dealer":
        return ""
    open_to = [a for a in seated if str(a) not in t.deck.declined]
    if not open_to:
        return SUPERVISOR
    start = _designated(t, seated)
    if t.deck.declined:
        start = area_of(t.deck.declined[-1]) + 1
    return str(next((a for a in open_to if a >= start), open_to[0]))  # clockwise


def _designated(t: Table, seated: list[int]) -> int:
    begin = t.deck.begin
    if isinstance(begin, int):
        return begin
    if begin == "arrival":
        return area_of(min(t.seats, key=lambda p: t.people[t.seats[p]].arrived))
    return seated[-1]


def bets_wait(t: Table, document: Document) -> str:
    """Returns the rule by which no bets are called before the burn card is out; "" when they may be."""
    if not document.policy.bets_after_burn:
        return ""
    if not t.options.typed.burn or cards_lie(t) or t.deck.bad:
        return ""
    by_itself = t.options.typed.gates == "auto" and t.deck.due  # the cards are shuffled and cut before the next card
    return document.citations.call_bets if t.deck.burn_due or by_itself else ""


class DeckTrouble(msgspec.Struct, frozen=True):
    """What must be done with the cards before the next deal."""

    what: Remedy
    rule: str
    text: str


def deck_trouble(t: Table, game: Rules) -> DeckTrouble | None:
    """Returns what must be done with the cards first; None when they are in order."""
    deck, cites = t.deck, game.document.citations
    if deck.bad:
        return DeckTrouble("replace", deck.bad, "these cards are out of play")
    if deck.unverified:
        return DeckTrouble("count", deck.unverified, "the cards were not counted")
    if t.options.typed.gates == "auto":
        return DeckTrouble("refill", cites.empty, "the shoe is empty") if deck.refill else None
    if not deck.checked:
        return DeckTrouble("check", cites.checked, "the cards were not checked")
    if deck.refill:
        return DeckTrouble("refill", cites.empty, "the shoe is empty")
    if deck.due and not exposed_now(t):
        return DeckTrouble("shuffle", cites.missed_shuffle if deck.through else deck.due, "a shuffle is due")
    if deck.cut_due:
        return DeckTrouble("cut", cites.cutter, "the cards were not cut")
    return None


def exposed_now(t: Table) -> bool:
    """Tells whether the cutting card came out in the round that is running: the shuffle is due when it is over."""
    return t.round is not None and not t.round.outcome and t.deck.cut_out


def dealing_device(t: Table) -> str:
    """Returns the device that deals at this table: the shuffling machine or the shoe."""
    return "shuffler" if t.options.typed.machine else "shoe"


def checked(s: Step, args: tuple[str, ...]) -> None:
    """Records that the cards have been checked."""
    s.t.deck.checked = True


def shuffled(s: Step, args: tuple[str, ...]) -> None:
    """Records that the cards have been shuffled; refuses it when they may not be shuffled now."""
    deck = s.t.deck
    if deck.bad:
        raise Refusal(deck.bad, "these cards are out of play: replace them")
    if s.never_due:
        raise Refusal(s.cites.machine_shuffles, "the machine shuffles by itself")
    if cards_lie(s.t):
        _shuffled_in_mid_round(s)
        return
    lowest = s.powers.shuffled_early.role
    if not deck.due and not at_least(s.role, lowest):
        raise Refusal(s.cites.abnormal, f"no shuffle is due; the {spoken_role(lowest)} may order one")
    s.shuffle()


def _shuffled_in_mid_round(s: Step) -> None:
    """Takes the discards back into the shoe: only when it is empty, or the machine fails."""
    deck = s.t.deck
    if not deck.refill and "shuffler" not in s.t.faults:
        raise Refusal(s.cites.cutting_card, "cards are shuffled when the round is over")
    deck.refill, deck.cut_due = False, deck.refill or s.cut_after_shuffle
    deck.seen = dict(Counter(s.cards_out()))
    s.t.shoe = s.t.shoe.mixed(out=tuple(s.cards_out()))


def cut(s: Step, args: tuple[str, ...]) -> None:
    """Records that the cards have been cut; refuses it when no cut is due, or when another person cuts."""
    deck, cites, t = s.t.deck, s.cites, s.t
    if not deck.cut_due:
        by_machine = cites.no_cut if not s.cut_after_shuffle else ""
        raise Refusal(by_machine or cites.cutter, "no cut is due")
    if cutter(t) == SUPERVISOR and not at_least(s.role, "supervisor"):
        raise Refusal(cites.last_cutter, "every player declined: a supervisor cuts")
    if args and s.policy.players_cut:
        depth, full = int(args[0]), 52 * t.options.typed.decks
        if not 52 <= depth <= full - 52:
            s.prompt("dealer", "the cut is less than about one deck from an end", cites.cut_depth)
    deck.cut_due, deck.declined = False, []


def replaced(s: Step, args: tuple[str, ...]) -> None:
    """Records that other cards are on the table; refuses it while a hand is in progress."""
    if cards_lie(s.t):
        raise Refusal(s.cites.unfit, "a hand is in progress")
    fresh(s, "right")


def fresh(s: Step, begin: FirstToCut) -> None:
    """Begins with other cards: nothing was done with them yet."""
    deck = s.t.deck
    deck.bad, deck.two_colours, deck.checked = "", False, False
    deck.counted()
    deck.due, deck.through = s.cites.first_shuffle, False
    deck.begin = begin if s.policy.players_cut else "dealer"
    deck.declined, deck.cut_due, deck.seen = [], False, {}
    s.t.held = []
    s.t.shoe = s.t.shoe.mixed(fresh=True)
    if s.never_due:
        deck.due, deck.burn_due = "", s.burns_first


def count(s: Step, args: tuple[str, ...]) -> None:
    """Records how many cards were counted outside a round: what was played stands, wrong cards leave the table."""
    full = 52 * s.t.options.typed.decks
    rule = _wrong_count(s)
    s.t.deck.counted()
    if int(args[0]) != full:
        void_shoe(s, rule)


def _wrong_count(s: Step) -> str:
    """Returns the rule by which a wrong number of cards leaves the table: it may depend on why they were counted."""
    if not s.t.deck.unverified:
        return s.cites.bad_deck
    asked = s.cites.bad_after if s.t.deck.after_misdeal else s.cites.bad_machine
    return asked or s.cites.bad_deck


def void_shoe(s: Step, rule: str, role: Rank = "supervisor") -> None:
    """Takes the cards out of play, and asks for others."""
    s.t.deck.bad = rule
    s.prompt(role, "the cards are out of play: replace them", rule, offers=("replaced",))


def two_colours(s: Step) -> None:
    """Takes cards out of play whose backs are of two colours (3.1): no count mends that.

    A machine that only shuffles holds the other deck: the round that is running has nothing to do with it.
    """
    rule = s.cites.backs
    s.prompt("dealer", "the backs of the cards in the machine are of two colours: call the supervisor", rule)
    running = cards_lie(s.t)
    if running and s.t.options.typed.shoe == "batch":
        s.t.deck.next_bad = rule
        return
    void_shoe(s, rule)
    s.t.deck.two_colours = True
    if running:
        s.prompt("supervisor", "if the round cannot be completed, declare it void", rule, offers=("void",))
