"""Casino War (document 004): irregularities, rules 9 and 11, in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.house.common import name_cards, named_cards
from controller.house.layout import Layout
from controller.house.rulings import (
    End,
    GiveBack,
    Irregularity,
    MarkDeal,
    Offer,
    Ordered,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    Unmark,
    only_tell,
    refuse,
)
from controller.house.state import Mark
from controller.places import DEALER, area_of
from controller.table.documents import Cause
from controller.table.facts import Key
from controller.table.requests import Order

INITIAL: Final = "initial"  # 7.3: one card each
SUBSEQUENT: Final = "subsequent"  # 7.5: a second one for those who go to war
NOT_NOW: Final = refuse("", "this key does not apply now")


def too_soon(f: Layout, fact: Key) -> Ruling | None:
    """Returns the ruling on a report about cards although none was dealt; None for anything else."""
    if f.began(INITIAL):
        return None
    match fact:
        case Key("excess" | "stray" | "short" as what, (place, *_)):
            return only_tell("9.4", f"no card was dealt yet: {what} was noted", place=place)
    return None


# ---- 5.6, 7: what this game does not ask for


def no_such_choice(f: Layout, place: str, *more: str) -> Ruling:
    """Refuses to fold or check (5.6)."""
    return refuse("5.6", "this game knows war and surrender")


def no_surrender(f: Layout, place: str) -> Ruling:
    """Refuses a surrender where no card equals the dealer's (5.6)."""
    return refuse("5.6", "only a player whose card equals the dealer's may surrender")


def unable(f: Layout, place: str) -> Ruling:
    """Tells the supervisor of who cannot go to war; the document is silent: only the surrender remains (5.6)."""
    text = "cannot place the Go to War wager: only the surrender is left"
    return only_tell("5.6", text, role="supervisor", place=place, offers=("surrender",))


def exposed(f: Layout, place: str, *nth: str) -> Ruling:
    """Rules that the round goes on: every card lies face up (7.1)."""
    return Ruling("7.1", "all cards are dealt face up: the round goes on")


def not_asked_for(f: Layout, *places: str) -> Ruling:
    """Notes that nobody looks, views or burns in this game (7.3.1)."""
    return only_tell("7.3.1", "this game does not ask for that")


def taken(f: Layout, place: str, *named: str) -> Ruling:
    """Rules that cards go back which were taken by mistake: they lay face up (7.7.1)."""
    return Ruling("7.7.1", "the cards are known and can be put back: the round goes on")


# ---- 9.2, 9.3: a card too many


def excess(f: Layout, place: str, shown: str = "") -> Ruling:
    """Rules that a card too many is the next one (9.2), or discarded (9.2.1: shown to a complete dealer's hand).

    With one card the hand of a deal is complete (7.3.1(c), 7.5.1(b)): whoever decides about a war sees no more.
    """
    to_dealer = shown and place == DEALER
    if to_dealer and f.held and f.complete(latest(f)):
        return Ruling("9.2.1", "the card is discarded", changes=(TakeOut(1, "9.2.1"),))
    return Ruling("9.2", "the card is used as the next one")


def void(f: Layout, place: str = "") -> Ruling:
    """Rules that the round is void: nobody has a wager (9.3), or the machine has failed (9.11)."""
    if place:
        return refuse("9.3", "this document gives no such ruling for one hand")
    if not f.places():
        cards = TakeOut(len(f.held), "9.3", burned=True)
        return Ruling("9.3", "no wagers: the round is void", "void", (cards, End("void", "9.3")))
    if "shuffler" in f.table.faults:
        end = End("void", "9.11")  # 9.11.1: no reversal
        return Ruling("9.11", "the round cannot be completed", "void", (end,))
    return refuse("9.3", "there are wagers on the table")


# ---- 9.4 to 9.7: a card was misplaced


def stray(f: Layout, place: str) -> Ruling:
    """Rules on a card to an area without a wager: 9.4 in the initial deal, 9.5 in the subsequent one."""
    name = latest(f)
    if place in f.plans.get(name, ()):
        return only_tell("9.4", "this area has a wager in this deal", place=place)
    mark = MarkDeal(Mark(name, "stray", place))
    if name == SUBSEQUENT:
        return Ruling("9.5", "its card is discarded", changes=(mark,))
    return misplaced(f, place, mark)


def short(f: Layout, place: str, *which: str) -> Ruling:
    """Rules on a place without its card: 9.4 and 9.6 in the initial deal, 9.7 in the subsequent one."""
    name = latest(f)
    if place == DEALER:
        return short_dealer(name)
    if place not in f.plans.get(name, ()):
        return only_tell("9.4", "no card was due there in this deal", place=place)
    mark = MarkDeal(Mark(name, "short", place))
    if name == INITIAL:
        return misplaced(f, place, mark)
    bettors = [p for p in f.places("go-to-war") if area_of(p) == area_of(place)]
    back = [GiveBack(p, "void", "9.7", ("war", "go-to-war")) for p in bettors]
    return Ruling("9.7", "its wagers are void", changes=(mark, *back))


def short_dealer(deal: str) -> Ruling:
    """Rules that the dealer gets a card now (9.6, 7.5.1(b)): it comes last anyway."""
    rule = "9.6" if deal == INITIAL else "7.5.1(b)"
    tell = Tell("dealer", "deal a card to the dealer's position now", rule, DEALER)
    return Ruling(rule, "the dealer gets a card now", changes=(tell,))


def misplaced(f: Layout, place: str, mark: MarkDeal) -> Ruling:
    """Offers to rebuild the hands; everybody may withdraw before that (9.4)."""
    tell = Tell("supervisor", "the hands may be rebuilt", "9.4", place, ("reconstruct",))
    offer = Offer(tuple(f.places()), "9.4")
    return Ruling("9.4", "a card was misplaced", ruling="", changes=(mark, tell, offer))


def reconstruct(f: Layout, *hands: str) -> Ruling:
    """Rules that the cards are laid again, in their order or as seen, over those who do not withdraw (9.4)."""
    together, given = open_group(f), named_cards(hands)
    if together and given:
        name = SUBSEQUENT if SUBSEQUENT in f.plans else INITIAL
        return Ruling("9.4", "laid as seen", "reconstructed", (Ordered(together), Unmark(name, given)))
    late = too_late(f)
    if f.readable():
        return late or rebuilt(f, hands)
    misplaced_too = f.own.marks and given and late is None
    return rebuilt(f, hands) if misplaced_too else name_cards(f, hands, "9.4")


def too_late(f: Layout) -> Ruling | None:
    """Refuses to rebuild before the initial deal is complete, after a win was paid, or in the subsequent deal (9.4)."""
    if not f.complete(INITIAL):
        return refuse("9.4", "the initial deal is not complete")
    if any(line.result == "win" for line in f.round.lines):
        return refuse("9.4", "winning wagers were already settled")
    if f.began(SUBSEQUENT):
        return refuse("9.4", "the subsequent deal has begun")
    return None


def rebuilt(f: Layout, hands: tuple[str, ...]) -> Ruling:
    """Rules that the hands lie as they should have; whoever was not asked before may withdraw now (9.4)."""
    offer = () if f.own.marks else (Offer(tuple(f.places()), "9.4"),)
    return Ruling("9.4", "the hands are rebuilt", "reconstructed", (*offer, Unmark(latest(f), named_cards(hands))))


def not_offered(f: Layout, *place: str) -> Ruling:
    """Refuses what was not offered (9.4); this document knows no misdeal."""
    return refuse("9.4", "nothing of that kind is offered now")


# ---- 9.11, 9.12: a machine's fault, a count


def order(f: Layout, word: str) -> Ruling:
    """Rules on cards that left together (9.11); those of a dealing shoe can be laid again (9.4)."""
    group = open_group(f)
    if not group:
        return refuse("9.11", "no cards left together")
    if word == "known":
        return Ruling("9.11", "the order is known", changes=(Ordered(group),))
    if f.table.options.typed.shoe == "csm":
        return Ruling("9.11", "the order of the cards is not known", "void", (End("void", "9.11"),))
    return only_tell("9.4", "the hands may be rebuilt", role="supervisor", offers=("reconstruct",))


def count(f: Layout, n: str) -> Ruling:
    """Rules on a count of the cards (9.12)."""
    full = 52 * f.table.options.typed.decks
    if int(n) == full:
        return Ruling("9.12", f"all {full} cards are there")
    text = f"{int(n)} cards instead of {full}: the round is void"
    return Ruling("9.12.2", text, "void", (End("void", "9.12.2", reverse=True), ShoeVoid("9.12.3")))


# ---- 11


def invalidate(f: Layout, cause: Cause) -> Ruling:
    """Rules that the outcome does not count (11.3, 11.4): all wagers go back (11.5)."""
    rule = "11.3" if cause == "fraud" else "11.4"
    return Ruling(rule, "the outcome is invalid", "void", (End("void", "11.5", reverse=True),))


# ---- the deals


def open_group(f: Layout) -> int:
    """Returns the number of cards that left together in an order that nobody has told yet; 0 when there are none."""
    return next((q.group for q in f.waiting if isinstance(q, Order)), 0)


def latest(f: Layout) -> str:
    """Returns the deal to which the last card belongs."""
    return SUBSEQUENT if f.began(SUBSEQUENT) else INITIAL


IRREGULARITIES: Final[Mapping[str, Irregularity]] = {
    "fold": no_such_choice,
    "check": no_such_choice,
    "surrender": no_surrender,
    "unable": unable,
    "exposed": exposed,
    "announced": not_asked_for,
    "looked": not_asked_for,
    "viewed": not_asked_for,
    "burn": not_asked_for,
    "taken": taken,
    "excess": excess,
    "void": void,
    "stray": stray,
    "short": short,
    "reconstruct": reconstruct,
    "keep": not_offered,
    "retract": not_offered,
    "misdeal": not_offered,
    "order": order,
    "count": count,
    "invalidate": invalidate,
}
