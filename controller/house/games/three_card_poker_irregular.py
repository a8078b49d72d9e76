"""Three Card Poker (document 001): irregularities, rules 9 and 11, in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.house.common import name_cards, others_at_stake, spoken_place, wrong_backs
from controller.house.forfeits import forfeited
from controller.house.games.alike import FULL, HANDS, counted, invalidated, misdeal, taken, too_soon, unable, unfinished
from controller.house.layout import Layout, next_place
from controller.house.options import House
from controller.house.rulings import (
    AlsoRuled,
    Burned,
    Change,
    Covers,
    Decide,
    Dialogue,
    End,
    Exposed,
    GiveBack,
    Happened,
    Irregularity,
    MarkDeal,
    NoHand,
    Offer,
    Ordered,
    Racked,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    only_tell,
    refuse,
    rule_by_key,
)
from controller.house.state import FOLD, ONLY, Mark
from controller.places import DEALER
from controller.table.documents import Cause
from controller.table.facts import Key
from controller.table.keys import WRONG_NUMBER
from controller.table.requests import Order
from controller.table.state import Question

OPENING: Final = ("ante", "pair-plus")  # 5.5
NOT_NOW: Final = refuse("9", "this key does not apply now")
NO_HAND: Final = "the dealer has no hand"


def rule_on(f: Layout, fact: Key) -> Dialogue:
    """Leads the dialogue about a key that nobody waited for."""
    if too_soon(f, fact):
        return only_tell("7.3", "no card was dealt yet")
    return (yield from rule_by_key(IRREGULARITIES, fact, f, otherwise=NOT_NOW))


# ---- 5.9, 7.5: looking and deciding


def viewed(f: Layout, *places: str) -> Ruling:
    """Tells the supervisor of an extra hand that was not played unseen (5.9.2)."""
    if any(place in f.table.unseen for place in places):
        return only_tell("5.9.2", "a hand that must be played blind was viewed", role="supervisor")
    return looked(f)


def looked(f: Layout) -> Ruling:
    """Notes that the players may look at their cards: nothing hangs on it (7.5.1)."""
    return only_tell("7.5.1", "the players may look at their cards")


def told_to_decide(f: Layout) -> Ruling:
    """Notes that the players may decide (7.5.1), and asks who lacks a card: the ruling starts with that report."""
    may_decide = Happened("announced")
    if HANDS not in f.plans or f.complete(HANDS):
        return Ruling("7.5.1", "the players may decide", "", (may_decide,))
    place = next_place(f)
    text = "the deal is not complete: say who is short of a card"
    tell = Tell("dealer", text, "9.6" if place == DEALER else "9.5", place, ("short",))
    return Ruling("7.5.1", "the players may decide", "", (may_decide, tell))


def announced(f: Layout) -> bool:
    """Tells whether the players were told that they may decide: by the key, or with the last card."""
    if f.own.unannounced:
        return False
    if f.own.announced:
        return True
    by_last_card = f.table.options.of(House).announce == "last-card"
    return by_last_card and f.complete(HANDS)


def fold(f: Layout, place: str, ante: str = "") -> Ruling:
    """Refuses a fold that nobody waits for (7.5.2); a hand with Pair Plus alone may be given up (7.5.3)."""
    if ante:
        return refuse("7.5.2(b)", "nothing is to be decided there now")
    if not pair_plus_only(f, place):
        return refuse("7.5.2", "nothing is to be decided there now")
    return Ruling("7.5.2(a)", "the hand is folded", "", (Decide(ONLY, place, FOLD), Racked(place)))


def pair_plus_only(f: Layout, place: str) -> bool:
    """Tells whether nothing has to be decided there, but the hand may be given up (7.5.3)."""
    if f.wager(place, "ante") or f.choice(ONLY, place):
        return False
    return f.live(place, "pair-plus")


def no_such_choice(f: Layout, place: str) -> Ruling:
    """Refuses to check or surrender (7.5.2)."""
    return refuse("7.5.2", "each player folds or plays")


# ---- 9.1 to 9.3: a card was exposed


def exposed(f: Layout, place: str, nth: str = "") -> Ruling:
    """Rules on an exposed card: 9.1 for the first one; 9.2 for two cards; 9.3 for one of the dealer's."""
    if place not in (*f.areas(), DEALER):
        return only_tell("9.1", "no cards lie there", place=place)
    if place == DEALER:
        return misdeal("9.3", "a card of the dealer was exposed")
    card = Exposed(place, int(nth or len(f.hands.get(place, []))))
    others = [seen for seen in f.own.exposed if seen != (card.place, card.n)]
    if others:
        return misdeal("9.2", "two cards were exposed")
    return Ruling("9.1", "turn the card over and go on", changes=(card,))


# ---- 9.4 to 9.6: a wrong number of cards


def short(f: Layout, place: str, which: str = "") -> Dialogue:
    """Rules on a card, or all of them, missing at a place."""
    return wrong_number(f, "short", place, which)


def excess(f: Layout, place: str, shown: str = "") -> Dialogue:
    """Rules on a card too many at a place."""
    return wrong_number(f, "excess", place, shown)


def wrong_number(f: Layout, what: str, place: str, which: str) -> Dialogue:
    """Rules on a wrong number of cards: 9.4 before the players were told to decide; 9.5 and 9.6 after it."""
    if place not in (*f.areas(*OPENING), DEALER):
        return only_tell("9.4", "this area has no wager", place=place)
    text = f"a wrong number of cards at {spoken_place(place)}"
    reread = read_anew(f, what, place, which)
    if not announced(f):
        early = Happened("unannounced")  # also when the deal, read anew, turns out to be complete
        yield (*reread, early, Question("supervisor", f"{text}: declare a misdeal", ("misdeal",), "9.4", place))
        return misdeal("9.4", text)
    rule = "9.6" if place == DEALER else "9.5"
    answers = yield (
        *reread,
        Happened("announced"),
        Question("supervisor", f"{text}: have all cards counted", ("count",), rule, place, by="dealer"),
        Tell("area-manager", text, rule, place),
    )
    n = int(answers[place].args[0])
    if n != FULL:
        return misdeal(f"{rule}.1", f"{n} cards instead of 52", ShoeVoid(f"{rule}.1"))
    return all_counted(f, place)


def read_anew(f: Layout, what: str, place: str, which: str) -> tuple[Change, ...]:
    """Returns the changes by which the deal is read with this error in it."""
    if what == "excess":
        return (TakeOut(1, "9.4"),) if f.held else ()
    from_tray = place == DEALER and DEALER in f.plans  # 7.4.2(a)
    return (MarkDeal(Mark(DEALER if from_tray else HANDS, "short", place, missing_card(which))),)


def missing_card(which: str) -> int:
    """Returns which of three cards is missing: the last when none is named; 0: all of them."""
    if which == "all":
        return 0
    return int(which) if which else 3


def all_counted(f: Layout, first: str) -> Ruling:
    """Rules on every error that was reported before the count of all 52 cards (9.5.2, 9.6.2)."""
    joint = joint_reports(f)
    wrong = list(dict.fromkeys([first, *(report.args[0] for report in joint)]))
    players = [p for p in wrong if p != DEALER]
    changes: list[Change] = [Covers(tuple(joint))]
    for report in joint:
        place, *which = report.args
        changes += read_anew(f, report.key, place, "".join(which))
    changes += [GiveBack(p, "void", "9.5.2") for p in players]
    if DEALER in wrong:
        changes += no_dealers_hand(f)
    if not players:
        return Ruling("9.6.2", NO_HAND, changes=tuple(changes))
    if DEALER in wrong:
        changes.append(AlsoRuled("9.6.2", NO_HAND))
    changes.append(Offer(others_at_stake(f, *players), "9.5.2"))
    text = "that hand is void" if len(players) == 1 else "these hands are void"
    return Ruling("9.5.2", f"{text}; the others may retract", changes=tuple(changes))


def joint_reports(f: Layout) -> list[Key]:
    """Returns the wrong numbers of cards that were reported before the count (9.5, 9.6)."""
    talk, areas = f.table.talk, (*f.areas(*OPENING), DEALER)
    later = talk.later if talk is not None else []
    wrong_numbers = [report for report in later if report.key in WRONG_NUMBER]
    return [report for report in wrong_numbers if report.args[0] in areas]


def no_dealers_hand(f: Layout) -> list[Change]:
    """Returns the changes by which the dealer has no hand; a given up Pair Plus stays lost (9.6.2)."""
    folded = [p for p in f.places("pair-plus") if f.choice(ONLY, p) == FOLD]
    given_up = [p for p in folded if f.live(p, "ante")]
    stays_lost = [Tell("supervisor", "the folded Pair Plus wager stays lost", "9.6.2", p) for p in given_up]
    return [NoHand("9.6.2"), *stays_lost]


def order(f: Layout, word: str) -> Dialogue:
    """Rules on cards that left together: whoever may have got the wrong ones makes it a wrong deal (9.4)."""
    request = next((q for q in f.waiting if isinstance(q, Order)), None)
    if request is None:
        return refuse("9.4", "no cards left together")
    if word == "known":
        return Ruling("9.4", "the order is known", changes=(Ordered(request.group),))
    yield (Question("supervisor", "the order of the cards is not known: a misdeal", ("misdeal",), "9.4"),)
    return misdeal("9.4", "the order of the cards is not known")


# ---- 9.7, 9.8: cards where there is no wager


def without_wagers(f: Layout) -> Ruling:
    """Rules a misdeal when nobody has a wager (9.7); nobody declares one where no rule does."""
    if f.places():
        return refuse("9.4", "nothing was reported that makes a misdeal")
    return misdeal("9.7", "no wagers: a misdeal")


def stray(f: Layout, place: str) -> Ruling:
    """Rules on cards to an area without a wager: 9.7 before the announcement, 9.8 after it."""
    if place in f.areas():
        return only_tell("9.7", "this area has a wager", place=place)
    mark = Mark(HANDS, "stray", place)
    if not announced(f) or unfinished(f, mark):
        return misdeal("9.7", "cards were dealt to an area without a wager")
    tell = Tell("dealer", "burn the cards that lie there", "9.8", place, ("burn",))
    changes = (MarkDeal(mark), tell, Offer(others_at_stake(f), "9.8"))
    return Ruling("9.8", "the cards are burned; the players may retract", changes=changes)


def burn(f: Layout, place: str) -> Ruling:
    """Rules that stray cards are burned (9.8)."""
    if place not in stray_places(f):
        return only_tell("9.8", "no stray cards lie there", place=place)
    return Ruling("9.8", "the cards were burned", changes=(Burned(place),))


def stray_places(f: Layout) -> list[str]:
    """Returns the areas that were dealt to without a wager."""
    return [mark.place for mark in f.own.marks if mark.what == "stray"]


def nothing_offered(f: Layout, place: str) -> Ruling:
    """Refuses to keep or retract where nothing was offered (9.5.2, 9.8)."""
    return refuse("9.8" if stray_places(f) else "9.5.2", "nothing was offered there")


# ---- 9.9 to 9.13


def cards_taken(f: Layout, place: str, *named: str) -> Ruling:
    """Rules on cards that were taken by mistake (9.9)."""
    return taken(f, place, named, "9.9", "9.9.2")


def cards_counted(f: Layout, n: str) -> Ruling:
    """Rules on a count of the cards (9.10)."""
    return counted(f, int(n))


def cannot_play(f: Layout, place: str) -> Ruling:
    """Rules on who cannot place the Play wager (9.11)."""
    return unable(f, place, "9.11", ("ante",))


def void(f: Layout, place: str = "") -> Ruling:
    """Rules that the round is void: the machine has failed (9.13), or the cards are not of one deck (3.1)."""
    if place:
        return NOT_NOW
    if "shuffler" in f.table.faults:
        return Ruling("9.13", "the cards are shuffled again", "void", (End("void", "9.13"),))
    return wrong_backs(f) if f.table.deck.two_colours else NOT_NOW


# ---- 11


def outcome_invalid(f: Layout, cause: Cause) -> Ruling:
    """Rules that the outcome does not count (11.3, 11.4)."""
    return invalidated(f, cause, "11.4")


def cards_named(f: Layout, *hands: str) -> Ruling:
    """Rules that the cards are what somebody says who sees them (11.10)."""
    return name_cards(f, hands, "11.10")


IRREGULARITIES: Final[Mapping[str, Irregularity]] = {
    "viewed": viewed,
    "looked": looked,
    "announced": told_to_decide,
    "fold": fold,
    "check": no_such_choice,
    "surrender": no_such_choice,
    "exposed": exposed,
    "short": short,
    "excess": excess,
    "order": order,
    "misdeal": without_wagers,
    "stray": stray,
    "burn": burn,
    "keep": nothing_offered,
    "retract": nothing_offered,
    "taken": cards_taken,
    "count": cards_counted,
    "forfeit": forfeited,
    "unable": cannot_play,
    "void": void,
    "invalidate": outcome_invalid,
    "reconstruct": cards_named,
}
