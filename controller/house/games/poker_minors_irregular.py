"""Poker Minors (document 002): irregularities, rules 13 and 16, in the order of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from controller.house.common import name_cards, others_at_stake, wrong_backs
from controller.house.layout import COMMUNITY, Layout, lay_out
from controller.house.rulings import (
    EARLY,
    Change,
    Decide,
    Dialogue,
    End,
    Flag,
    GiveBack,
    Kept,
    MarkDeal,
    Offer,
    Ordered,
    Racked,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    only_tell,
    refuse,
)
from controller.places import DEALER
from controller.table.facts import AnyFact, Key
from controller.table.requests import Choice, Order
from controller.table.state import Mark, Question

if TYPE_CHECKING:
    from controller.house.games.poker_minors import PokerMinor

FULL = 52  # 3.1
STREETS = {"flop": range(1, 4), "turn": range(4, 5), "river": range(5, 6)}  # of the community cards
UP_CARD = "up-card"  # the flag of a round in which an exposed card is the one of the dealer that lies open
COUNT_AFTER = Flag("count-after", "13.2.3")


def rule_on(game: PokerMinor, f: Layout, fact: AnyFact) -> Dialogue:
    match fact:
        case Key("exposed", (place, *which)):
            return exposed(game, f, place, which)  # 13.1, 13.5
        case Key("short" | "excess" as what, (place, *which)):
            if place[0].isdigit():
                return (yield from wrong_hand(game, f, what, place, which))  # 13.2
            return (yield from wrong_board(game, f, what, place, which))  # 13.3
        case Key("stray", (place,)):
            return (yield from wrong_hand(game, f, "stray", place, []))  # 13.2
        case Key("misdeal", _):
            if not game.areas(f):
                return misdeal("13.2.1", "cards were dealt without a wager")
            return refuse("13.2.1", "nothing was reported that makes a misdeal")
        case Key("void", args):
            if "shuffler" in f.table.faults and not args:
                return Ruling("13.11", "the round cannot be completed", "void", (End("void", "13.11"),))
            if f.table.deck.two_colours and not args:
                return wrong_backs(f)
            return refuse("13.2.2", "no wrong number of cards was reported there")
        case Key("keep" | "retract", _):
            return refuse("13.2.2(b)", "nobody was asked to take wagers back")
        case Key("order", (word,)):
            return order(f, word)  # 13.3
        case Key("taken", (place, *named)):
            return taken(f, place, tuple(named))  # 13.4
        case Key("count", (n,)):
            return count(f, int(n))  # 13.6, 13.12
        case Key("unable", (place,)):
            return unable(f, place)  # 13.7
        case Key("invalidate", (cause, *_)):
            rule = "16.3.2" if cause == "fraud" else "16.3.1"
            return Ruling(rule, "the outcome is void", "void", (End("void", "16.4", reverse=True),))
        case Key("refuse", (place, spot)):
            return refused(f, place, spot)  # 16.11
        case Key("reconstruct", args):
            return name_cards(f, args, "16.12")
        case Key("announced" | "looked" as what, _):
            return Ruling(
                game.document.citations.decide,
                f"the players {what}",
                "",
                (Flag("looked", game.document.citations.decide),),
            )
        case Key("fold" | "check" | "surrender" as what, (place, *_)):
            return refuse(no_decision(game, what), "that is not to be decided there now")
        case Key("viewed" | "burn", _):
            return only_tell(game.document.citations.decide, "noted: this document asks for nothing here")
    return refuse("16.12", "this key does not apply now")


def no_decision(game: PokerMinor, what: str) -> str:
    """The rule by which this is not to be decided there now."""
    cites = game.document.citations
    own = {"fold": cites.fold, "check": cites.check}.get(what, "")
    return own or cites.decide


def misdeal(rule: str, text: str, *more: Change) -> Ruling:
    """All hands are void and the wagers go back."""
    return Ruling(rule, text, "misdeal", (*more, End("misdeal", rule)))


def community(place: str) -> str:
    return place if place == DEALER or place[0].isdigit() else COMMUNITY


def numbers(f: Layout, place: str, which: list[str]) -> list[int]:
    """Which cards of a place are meant: its n-th, the whole flop, or the last one."""
    street = STREETS.get(place)
    if which and which[0].isdigit():
        return [int(which[0]) + (street[0] - 1 if street else 0)]
    if street:
        return list(street)
    return [len(f.hands.get(community(place), []))]


def exposed(game: PokerMinor, f: Layout, place: str, which: list[str]) -> Ruling:
    """13.1 in the initial deal, until the players look; 13.5 while they decide."""
    at, cards = community(place), [n for n in numbers(f, place, which) if n]
    if not cards or not f.hands.get(at):
        return only_tell("13.1", "no card lies there", place=place)
    names = [f"exposed {at} {n}" for n in cards]
    if not game.looked(f):
        if at == DEALER and game.up_card(f) and not (others_exposed(f) - {names[0]}):
            shown = tuple(Flag(name, "13.1.1") for name in (names[0], UP_CARD))
            return Ruling("13.1.1", "that card is the dealer's face-up card", changes=shown)
        return misdeal("13.1", "a card was exposed in the initial deal")
    if at not in (DEALER, COMMUNITY):  # the document is silent: the round goes on
        tell = Tell("supervisor", "a card was exposed after the players looked: the round goes on", "13.1", place)
        return Ruling("13.1", "the round goes on", changes=(tell,))
    text = "the round goes on, and whoever has not decided may do so"
    seen = (Flag(name, "13.5") for name in (EARLY, *names) if name not in f.round.flags)
    return Ruling("13.5", text, changes=tuple(seen))


def others_exposed(f: Layout) -> set[str]:
    return {flag for flag in f.round.flags if flag.startswith("exposed ")}


def wrong_hand(game: PokerMinor, f: Layout, what: str, place: str, which: list[str]) -> Dialogue:
    """13.2: no cards or a wrong number to a betting area, or cards to one without the wager that they need."""
    served = place in game.areas(f)
    if served == (what == "stray"):
        text = "this area has its wager" if served else "no cards were due there"
        return only_tell("13.2", text, place=place)
    if f.round.closed != "dealt":
        return only_tell("13.2", "no card was dealt yet", place=place)
    if not looked_then(game, f, what, place):
        text = "cards were dealt wrongly: declare a misdeal"
        yield (Question("supervisor", text, ("misdeal",), "13.2.1", place),)
        return misdeal("13.2.1", "cards were dealt wrongly", COUNT_AFTER)
    marks: tuple[Change, ...] = ()
    if what == "short":
        number = 0 if which == ["all"] else int(which[0]) if which else game.sizes[""]
        marks = (MarkDeal(Mark("hands", "short", place, number)),)
    elif what == "stray":
        marks = (MarkDeal(Mark("hands", "stray", place)),)
    elif surplus(f):
        marks = (TakeOut(1, "13.2.2"),)
    text = "a wrong number of cards: declare that hand void; the others may take their wagers back"
    yield (*marks, Question("supervisor", text, ("void",), "13.2.2", place))
    back = () if what == "stray" else (GiveBack(place, "void", "13.2.2(a)"),)
    offer = Offer(others_at_stake(f, place), "13.2.2(b)")
    text = "that hand is void; the others may take their wagers back"
    return Ruling("13.2.2", text, changes=(*back, offer, COUNT_AFTER))


def looked_then(game: PokerMinor, f: Layout, what: str, place: str) -> bool:
    """Whether the players had looked: a deal that needed more cards than anybody knew was not complete yet."""
    if what == "short" or not game.looked(f) or f.round.choices:
        return game.looked(f)
    if what == "excess":  # the last card drawn is the surplus one, and may have been taken out already
        return surplus(f) or any(drawn.out for drawn in f.round.tape) or "looked" in f.round.flags
    mark = Mark("hands", "stray", place)
    marks = f.round.marks if mark in f.round.marks else [*f.round.marks, mark]
    return game.looked(lay_out(f.table, replace(f.round, marks=marks), game))


def wrong_board(game: PokerMinor, f: Layout, what: str, place: str, which: list[str]) -> Dialogue:
    """13.3: a wrong number to the dealer or the community; the order of the cards decides."""
    if f.round.closed != "dealt":
        return only_tell("13.3", "no card was dealt yet", place=place)
    at = community(place)
    if not game.sizes.get(at):
        return only_tell("13.3", "no cards are dealt there in this game", place=place)
    text = "the players put their cards down, the dealer counts: is the order of the cards known?"
    ask = Question("supervisor", text, ("order", "count", "misdeal"), "13.3", place, by="dealer")  # who counts
    tell = Tell("dealer", "count all the cards by spreading each hand", "13.3", place, ("count",))
    words = (yield (tell, ask))[place].split()
    while words[0] == "count":
        if int(words[1]) != FULL:
            return count(f, int(words[1]))
        words = (yield (ask,))[place].split()
    if words in (["order", "unknown"], ["misdeal"]):
        return misdeal("13.3.2", "the order of the cards is not known")
    if what == "excess":
        keep = (Kept(1, "13.3.1"),) if surplus(f) or game.ahead(f) else ()
        return Ruling("13.3.1", "the game goes on: that card is the next one", changes=keep)
    if which == ["all"]:
        cards = list(STREETS.get(place, range(1, game.sizes[at] + 1)))
    else:
        cards = numbers(f, place, which) if which else [STREETS.get(place, range(game.sizes[at] + 1))[-1]]
    marks = [Mark(deal, "late", at, n) for deal, n in (game.deal_at(f, at, n) for n in cards)]
    text = "the game goes on: the missing card comes next"
    return Ruling("13.3.1", text, changes=tuple(MarkDeal(mark) for mark in marks))


def surplus(f: Layout) -> bool:
    """A card is out that no deal was waiting for, or it was laid to a street that is still to come."""
    open_ = {q.window for q in f.waiting if isinstance(q, Choice)}
    early = ("flop" in f.plans and "preflop" in open_) or ("river" in f.plans and bool(open_ & {"preflop", "flop"}))
    return bool(f.held) or early


def order(f: Layout, word: str) -> Ruling:
    """13.3: cards that left together."""
    group = next((q.group for q in f.waiting if isinstance(q, Order)), 0)
    if not group:
        return refuse("13.3", "no cards left together")
    if word == "known":
        return Ruling("13.3.1", "the order is known: the game goes on", changes=(Ordered(group),))
    return misdeal("13.3.2", "the order of the cards is not known")


def taken(f: Layout, place: str, named: tuple[str, ...]) -> Ruling:
    """13.4: the cards come back when they are named and lie on top, or when they are the only ones there."""
    if not f.hands.get(place):
        return only_tell("13.4", "no cards lay there", place=place)
    alone = not [p for p in f.round.rack if p != place]
    exact = sorted(named) == sorted(f.hands[place])
    if exact or alone:
        rule = "13.4.1" if exact else "13.4.2"
        return Ruling(rule, "the cards go back to the player", changes=(Racked(place, back=True),))
    changes = (Racked(place), GiveBack(place, "returned", "13.4.3"))
    return Ruling("13.4.2", "the cards stay in the rack, the wagers go back", changes=changes)


def count(f: Layout, n: int) -> Ruling:
    """13.6; 13.12 when a machine could not verify its cards."""
    rule = f.table.deck.unverified or "13.6"
    if n == FULL:
        return Ruling(rule, f"all {FULL} cards are there")
    changes = (End("void", rule), ShoeVoid("3.4"))
    return Ruling(rule, f"{n} cards instead of {FULL}: the round is void", "void", changes)


def unable(f: Layout, place: str) -> Ruling:
    """13.7: who cannot place the wager that is required has folded."""
    for request in f.waiting:
        if isinstance(request, Choice) and request.place == place and "fold" in request.words:
            changes = (Decide(request.window, place, "unable"), Racked(place))
            return Ruling("13.7", "the hand is deemed folded", changes=changes)
    return only_tell("13.7", "no wager is required there now", place=place)


def refused(f: Layout, place: str, spot: str) -> Ruling:
    """16.11: before no more bets may be placed."""
    if f.round.closed:
        return refuse("16.11", "betting is closed")
    if not f.live(place, spot):
        return refuse("16.11", "there is no such wager")
    back = GiveBack(place, "returned", "16.11", (spot,), withdraw=True)
    return Ruling("16.11", "the wager is refused", changes=(back,))
