"""What document 003 says of both its games when something goes wrong: rules 11 and 14, in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from controller.house.common import name_cards, others_at_stake
from controller.house.forfeits import forfeited
from controller.house.games.alike import HANDS, counted, invalidated, misdeal, taken, too_soon, unable, unfinished
from controller.house.games.victoria_cards import beyond, deemed, latest, looked, together
from controller.house.layout import Layout
from controller.house.rulings import (
    UNKNOWN_ORDER,
    Burned,
    Change,
    CountDue,
    Deemed,
    Dialogue,
    GiveBack,
    Happened,
    Irregularity,
    Kept,
    MarkDeal,
    Offer,
    Ordered,
    Ruling,
    Tell,
    only_tell,
    refuse,
    rule_by_key,
)
from controller.house.state import STREETS, Mark
from controller.places import DEALER
from controller.table.documents import Cause
from controller.table.facts import Key
from controller.table.requests import Order
from controller.table.state import Answer, Question
from controller.table.telling import COMMUNITY

if TYPE_CHECKING:
    from controller.house.games.victoria import Victoria

NOT_NOW: Final = refuse("11", "this key does not apply now")


def rule_on(game: Victoria, f: Layout, fact: Key) -> Dialogue:
    """Leads the dialogue about a key that nobody waited for."""
    if too_soon(f, fact):
        return only_tell("7.3.1", "no card was dealt yet")
    return (yield from rule_by_key(IRREGULARITIES, fact, game, f, otherwise=NOT_NOW))


# ---- 7.4: looking and deciding


def players_looked(game: Victoria, f: Layout) -> Ruling:
    """Notes that the players have looked (7.4.1): cards where there is no wager are now burned (11.6)."""
    return Ruling("7.4.1", "the players have looked at their cards", "", (Happened("looked"),))


def announced(game: Victoria, f: Layout) -> Ruling:
    """Notes that the players may decide: nothing hangs on it (7.4.1)."""
    return only_tell("7.4.1", "the players may decide")


def fold(game: Victoria, f: Layout, place: str, *ante: str) -> Ruling:
    """Refuses a fold that nobody waits for."""
    return refuse(game.no_decision(f), "fold is not offered there now")


def check(game: Victoria, f: Layout, place: str) -> Ruling:
    """Refuses a check that nobody waits for."""
    return refuse(game.no_decision(f), "check is not offered there now")


def exchanged(game: Victoria, f: Layout, place: str) -> Ruling:
    """Rules on who has exchanged information (7.4.1(a))."""
    return forfeited(f, place)


# ---- 11.1, 11.8: a card was exposed


def exposed(game: Victoria, f: Layout, place: str, *nth: str) -> Ruling:
    """Rules on an exposed card: 11.1 in the initial deal; 11.8 for the community cards."""
    if place in (*STREETS, COMMUNITY):
        text = "the round goes on; whoever has not decided still may"
        return Ruling("11.8", text, changes=(Happened("early"),))
    if place not in f.plans.get(HANDS, ()):
        return only_tell("7.4.9", "no card was dealt face down there: the round goes on", place=place)
    if in_initial_deal(f):
        return misdeal("11.1", "a card was exposed in the initial deal")
    return only_tell("11.1", "exposed after the initial deal: the round goes on", role="supervisor", place=place)


def in_initial_deal(f: Layout) -> bool:
    """Tells whether nothing came after the initial deal: no look, no decision, no Flop."""
    if f.own.looked or f.own.choices:
        return False
    return not f.began("flop")


# ---- 11.2 to 11.4: a wrong number of cards


def short(game: Victoria, f: Layout, place: str, which: str = "") -> Dialogue:
    """Rules on a card, or all of them, missing at a place."""
    where = street_of(f, place)
    if where in (*STREETS, DEALER):
        return wrong_street(f, where, keep=False)
    return wrong_hand(game, f, place, (MarkDeal(Mark(HANDS, "short", place, missing_card(which))),))


def excess(game: Victoria, f: Layout, place: str, *shown: str) -> Dialogue:
    """Rules on a card too many at a place."""
    where = street_of(f, place)
    if where in (*STREETS, DEALER):
        return wrong_street(f, where, keep=True)
    return wrong_hand(game, f, place, ())


def missing_card(which: str) -> int:
    """Returns which of two cards is missing: the last when none is named; 0: both."""
    if which == "all":
        return 0
    return int(which) if which else 2


def street_of(f: Layout, place: str) -> str:
    """Returns the street to which community cards belong that nobody has named closer."""
    return latest(f) if place == COMMUNITY else place


def wrong_hand(game: Victoria, f: Layout, place: str, reread: tuple[Change, ...]) -> Dialogue:
    """Rules on a wrong number of cards to a betting area (11.2)."""
    if not all(f.live(place, spot) for spot in game.required):
        return only_tell("11.2", "this area has no wager", place=place)
    text = f"a wrong number of cards was dealt to area {place}"
    yield (
        *reread,
        Tell("supervisor", f"{text}: notify the area manager", "11.2", place),
        Question("area-manager", f"{text}: declare a misdeal", ("misdeal",), "11.2", place),
    )
    return misdeal("11.2.1", text, CountDue("11.2.2"))


def wrong_street(f: Layout, where: str, *, keep: bool) -> Dialogue:
    """Rules on the Flop (11.3), or Turn, River and dealer (11.4): the game goes on when the order is known."""
    flop = where == "flop"
    rule = "11.3" if flop else "11.4"
    text = f"a wrong number of cards at {'the dealer' if where == DEALER else f'the {where}'}"
    answers = yield (
        Question("supervisor", f"{text}: is their order known?", ("order", "reconstruct", "misdeal"), rule, where),
        Tell("area-manager", text, rule, where),
    )
    if answers[where] in UNKNOWN_ORDER:
        return misdeal(f"{rule}.2", f"{text}, and their order is not known", jackpot_stays=not flop)
    surplus = beyond(f, where) if keep else 0
    return Ruling(f"{rule}.1", "the game goes on", changes=(Kept(surplus, f"{rule}.1"),))


def order(game: Victoria, f: Layout, word: str) -> Dialogue:
    """Rules on cards that left together, by where they would lie (11.2 to 11.4)."""
    request = next((q for q in f.waiting if isinstance(q, Order)), None)
    if request is None:
        return refuse("11.3", "no cards left together")
    if word == "known":
        return Ruling(together(f), "the order is known", changes=(Ordered(request.group),))
    if not f.complete(HANDS):
        text = "the order of the players' cards is not known"
        yield (Question("area-manager", f"{text}: declare a misdeal", ("misdeal",), "11.2"),)
        return misdeal("11.2.1", text, CountDue("11.2.2"))
    text = "the order of the cards is not known"
    return misdeal(f"{together(f)}.2", text, jackpot_stays=f.complete("flop"))


# ---- 11.5, 11.6: cards where there is no wager


def without_wagers(game: Victoria, f: Layout) -> Ruling:
    """Rules a misdeal when nobody has a wager (11.5); nobody declares one where no rule does."""
    if f.places(*game.opening):
        return refuse("11.5", "nothing was reported that makes a misdeal")
    return misdeal("11.5", "cards were dealt without a wager")


def stray(game: Victoria, f: Layout, place: str) -> Dialogue:
    """Rules on cards to an area without a wager: 11.5 before the players look, 11.6 after it."""
    if has_its_wager(f, place):
        return only_tell("11.5", "this area has the wager it needs", place=place)
    if place in f.own.burned:
        return only_tell("11.6", "these cards were burned already", place=place)
    text, mark = f"cards were dealt to area {place} without a wager", Mark(HANDS, "stray", place)
    if not looked(f) or unfinished(f, mark):
        yield (MarkDeal(mark), Question("supervisor", f"{text}: declare a misdeal", ("misdeal",), "11.5", place))
        return misdeal("11.5", text)
    seen = Happened("looked")  # also when the deal, read anew, turns out to be unfinished
    yield (MarkDeal(mark), seen, Question("supervisor", f"{text}: have them burned", ("burn",), "11.6", place))
    changes = (Burned(place), Offer(others_at_stake(f), "11.6"))
    return Ruling("11.6", "the cards are burned; the players may retract", changes=changes)


def has_its_wager(f: Layout, place: str) -> bool:
    """Tells whether cards are due there: it is dealt to, and not because somebody reported cards there by mistake."""
    strays = [mark.place for mark in f.own.marks if mark.what == "stray"]
    return place in f.plans.get(HANDS, ()) and place not in strays


def burn(game: Victoria, f: Layout, place: str) -> Ruling:
    """Notes that no stray cards were reported there: only those are burned (11.6)."""
    return only_tell("11.6", "no cards were reported there", place=place)


def nothing_offered(game: Victoria, f: Layout, place: str) -> Ruling:
    """Refuses to keep or retract where nothing was offered (11.6)."""
    return refuse("11.6", "nothing was offered there")


# ---- 11.7, 11.9, 11.10


def cards_taken(game: Victoria, f: Layout, place: str, *named: str) -> Ruling:
    """Rules on cards that were taken by mistake (11.7)."""
    return taken(f, place, named, "11.7", "11.7.3")


def cards_counted(game: Victoria, f: Layout, n: str) -> Ruling:
    """Rules on a count of the cards (11.9)."""
    return counted(f, int(n))


def cannot_wager(game: Victoria, f: Layout, place: str) -> Ruling:
    """Rules on who cannot place a wager that is due (11.10)."""
    return unable(f, place, "11.10", game.opening)


# ---- 11.12: a hand that had to be played blind was viewed


def viewed(game: Victoria, f: Layout, *places: str) -> Dialogue:
    """Rules on hands that had to be played blind: 11.12.1 for one that was viewed, 11.12.2 for several."""
    extra = [p for p in places if p in f.table.unseen]
    if not extra:
        return only_tell("5.12.2", "every player may view the hand at their own seat")
    if len(places) == 1:
        return (yield from viewed_one(f, extra[0]))
    return (yield from viewed_several(f, extra))


def viewed_one(f: Layout, extra: str) -> Dialogue:
    """Rules that the viewed hand counts as the one dealt to the player's seat (11.12.1)."""
    home = f.table.unseen[extra]
    text = f"the hand of area {extra} was viewed: deem it that of area {home}"
    answers = yield (Question("supervisor", text, ("reconstruct",), "11.12.1", extra),)
    if answers[extra] != Answer("reconstruct"):
        return refuse("11.12.1", "the two hands change places first: press reconstruct alone")
    deemed_own = Deemed(home, extra)
    return Ruling("11.12.1", "the viewed hand counts as the player's own", "reconstructed", (deemed_own,))


def viewed_several(f: Layout, extra: Sequence[str]) -> Dialogue:
    """Rules that the viewed hands are void, and the other players may retract (11.12.2)."""
    text = "was viewed and had to be played blind: it is void"
    yield tuple(Question("supervisor", f"area {p} {text}", ("void",), "11.12.2", p) for p in extra)
    void = tuple(GiveBack(p, "void", "11.12.2") for p in extra)
    player = f.table.seats.get(f.table.unseen[extra[0]])
    own = [p for p, who in f.table.seats.items() if who == player]
    offer = Offer(others_at_stake(f, *own), "11.12.2(a)")
    return Ruling("11.12.2", "the viewed hands are void; the others may retract", "void", (*void, offer))


def void(game: Victoria, f: Layout, *place: str) -> Ruling:
    """Refuses to void a hand that nobody has viewed (11.12.2)."""
    return refuse("11.12", "no hand was reported that would be void")


# ---- 14


def outcome_invalid(game: Victoria, f: Layout, cause: Cause) -> Ruling:
    """Rules that the outcome does not count (14.3, 14.4)."""
    return invalidated(f, cause, "14.4")


def cards_named(game: Victoria, f: Layout, *hands: str) -> Ruling:
    """Rules that the cards are what somebody says who sees them, wherever they were dealt (14.10)."""
    where = {place: place for place in f.plans.get(HANDS, ())}
    for home, other in deemed(f):
        where[home], where[other] = where.get(other, other), where.get(home, home)
    named = [arg.partition("=") for arg in hands]
    given = tuple(f"{where.get(place, place)}={cards}" for place, _, cards in named)
    as_dealt = f.reread(replace(f.own, deemed=[]))
    return name_cards(as_dealt, given, "14.10")


IRREGULARITIES: Final[Mapping[str, Irregularity]] = {
    "looked": players_looked,
    "announced": announced,
    "fold": fold,
    "check": check,
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
    "forfeit": exchanged,
    "unable": cannot_wager,
    "viewed": viewed,
    "void": void,
    "invalidate": outcome_invalid,
    "reconstruct": cards_named,
}
