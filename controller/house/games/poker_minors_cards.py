"""Poker Minors (document 002): exposed, missing and surplus cards, rules 13.1 to 13.3, 13.5 and 13.6."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from controller.house.common import others_at_stake
from controller.house.layout import Layout
from controller.house.rulings import (
    UNKNOWN_ORDER,
    Answers,
    Asked,
    Change,
    CountAfter,
    Dialogue,
    End,
    Exposed,
    GiveBack,
    Happened,
    Kept,
    MarkDeal,
    Offer,
    Ordered,
    Ruling,
    ShoeVoid,
    TakeOut,
    Tell,
    only_tell,
    refuse,
)
from controller.house.state import FLOP, PREFLOP, RIVER, TURN, Mark
from controller.places import DEALER, is_area
from controller.table.requests import Choice, Order
from controller.table.state import Question
from controller.table.telling import COMMUNITY

if TYPE_CHECKING:
    from controller.house.games.poker_minors import PokerMinor

FULL: Final = 52  # 3.1
NUMBERS: Final[Mapping[str, range]] = {FLOP: range(1, 4), TURN: range(4, 5), RIVER: range(5, 6)}  # community cards
COUNT_AFTER: Final = CountAfter("13.2.3")


# ---- 13.1, 13.5: a card was exposed


def exposed(game: PokerMinor, f: Layout, place: str, nth: str = "") -> Ruling:
    """Rules on an exposed card: 13.1 in the initial deal, until the players look; 13.5 while they decide."""
    lying = community(place)
    cards = [n for n in numbers(f, place, nth) if n]
    if not cards or not f.hands.get(lying):
        return only_tell("13.1", "no card lies there", place=place)
    seen = [Exposed(lying, n) for n in cards]
    if not game.looked(f):
        return exposed_in_deal(game, f, seen[0])
    if lying not in (DEALER, COMMUNITY):  # the document is silent: the round goes on
        tell = Tell("supervisor", "a card was exposed after the players looked: the round goes on", "13.1", place)
        return Ruling("13.1", "the round goes on", changes=(tell,))
    text = "the round goes on, and whoever has not decided may do so"
    return Ruling("13.5", text, changes=(Happened("early"), *seen))


def exposed_in_deal(game: PokerMinor, f: Layout, card: Exposed) -> Ruling:
    """Rules a misdeal (13.1); the first card of a dealer who shows one is that one (13.1.1)."""
    others = [seen for seen in f.own.exposed if seen != (card.place, card.n)]
    shows_one = card.place == DEALER and game.up_card(f)
    if shows_one and not others:
        shown = (card, Happened("up_card"))
        return Ruling("13.1.1", "that card is the dealer's face-up card", changes=shown)
    return misdeal("13.1", "a card was exposed in the initial deal")


def community(place: str) -> str:
    """Returns where the cards of a place lie: those of a street among the community cards."""
    if place == DEALER or is_area(place):
        return place
    return COMMUNITY


def numbers(f: Layout, place: str, nth: str) -> list[int]:
    """Returns which cards of a place are meant: its n-th, the whole flop, or the last one."""
    street = NUMBERS.get(place)
    if nth.isdigit():
        before = street[0] - 1 if street else 0
        return [before + int(nth)]
    if street:
        return list(street)
    return [len(f.hands.get(community(place), []))]


# ---- 13.2: a wrong number of cards to a betting area


def short(game: PokerMinor, f: Layout, place: str, which: str = "") -> Dialogue:
    """Rules on a missing card, or all of them: 13.2 for an area, 13.3 for the dealer and the community."""
    if not is_area(place):
        return missing_on_board(game, f, place, which)
    mark = MarkDeal(Mark("hands", "short", place, missing_card(game, which)))
    return wrong_hand(game, f, place, (mark,), looked_then=game.looked(f))


def missing_card(game: PokerMinor, which: str) -> int:
    """Returns which card of a player is missing: the last when none is named; 0: all of them."""
    if which == "all":
        return 0
    return int(which) if which else game.sizes[""]


def excess(game: PokerMinor, f: Layout, place: str, *shown: str) -> Dialogue:
    """Rules on a card too many: 13.2 for an area, 13.3 for the dealer and the community."""
    if not is_area(place):
        return surplus_on_board(game, f, place)
    out = (TakeOut(1, "13.2.2"),) if surplus(f) else ()
    return wrong_hand(game, f, place, out, looked_then=looked_before_surplus(game, f))


def wrong_hand(game: PokerMinor, f: Layout, place: str, reread: tuple[Change, ...], *, looked_then: bool) -> Dialogue:
    """Rules on no cards, or a wrong number of them, to a betting area (13.2)."""
    if place not in game.areas(f):
        return only_tell("13.2", "no cards were due there", place=place)
    return (yield from dealt_wrongly(f, place, reread, (GiveBack(place, "void", "13.2.2(a)"),), looked_then))


def stray(game: PokerMinor, f: Layout, place: str) -> Dialogue:
    """Rules on cards to an area without the wager that they need (13.2)."""
    if place in game.areas(f):
        return only_tell("13.2", "this area has its wager", place=place)
    mark = Mark("hands", "stray", place)
    return (yield from dealt_wrongly(f, place, (MarkDeal(mark),), (), looked_with(game, f, mark)))


def dealt_wrongly(
    f: Layout, place: str, reread: tuple[Change, ...], back: tuple[Change, ...], looked_then: bool
) -> Dialogue:
    """Rules a misdeal until the players look (13.2.1); then that hand void, and the others may retract (13.2.2)."""
    if f.round.closed != "dealt":
        return only_tell("13.2", "no card was dealt yet", place=place)
    if not looked_then:
        text = "cards were dealt wrongly: declare a misdeal"
        yield (Question("supervisor", text, ("misdeal",), "13.2.1", place),)
        return misdeal("13.2.1", "cards were dealt wrongly", COUNT_AFTER)
    text = "a wrong number of cards: declare that hand void; the others may take their wagers back"
    yield (*reread, Question("supervisor", text, ("void",), "13.2.2", place))
    offer = Offer(others_at_stake(f, place), "13.2.2(b)")
    text = "that hand is void; the others may take their wagers back"
    return Ruling("13.2.2", text, changes=(*back, offer, COUNT_AFTER))


def looked_before_surplus(game: PokerMinor, f: Layout) -> bool:
    """Tells whether the players had looked when a card too many came: by a key or a decision, or it is the last one."""
    if not game.looked(f):
        return False
    if f.own.choices or f.own.looked:
        return True
    taken_out = [drawn for drawn in f.own.tape if drawn.out]  # the surplus card, when it was ruled on already
    return bool(taken_out) or surplus(f)


def looked_with(game: PokerMinor, f: Layout, mark: Mark) -> bool:
    """Tells whether the players had looked: a deal that needed more cards than anybody knew was not complete yet."""
    if f.own.choices or not game.looked(f):
        return game.looked(f)
    marks = f.own.marks if mark in f.own.marks else [*f.own.marks, mark]
    return game.looked(f.reread(replace(f.own, marks=marks)))


def misdeal(rule: str, text: str, *more: Change) -> Ruling:
    """Returns the ruling that the round is a misdeal: all hands are void and the wagers go back."""
    return Ruling(rule, text, "misdeal", (*more, End("misdeal", rule)))


# ---- 13.3: a wrong number of cards to the dealer or the community


def surplus_on_board(game: PokerMinor, f: Layout, place: str) -> Dialogue:
    """Rules that a card too many is the next one, when the order is known (13.3.1)."""
    ended = yield from order_known(game, f, place)
    if ended is not None:
        return ended
    keep = (Kept(1, "13.3.1"),) if surplus(f) or game.ahead(f) else ()
    return Ruling("13.3.1", "the game goes on: that card is the next one", changes=keep)


def missing_on_board(game: PokerMinor, f: Layout, place: str, which: str) -> Dialogue:
    """Rules that a missing card comes next, when the order is known (13.3.1)."""
    ended = yield from order_known(game, f, place)
    if ended is not None:
        return ended
    lying = community(place)
    dealt = [game.deal_at(f, lying, n) for n in missing_cards(game, f, place, which)]
    marks = [MarkDeal(Mark(deal, "late", lying, n)) for deal, n in dealt]
    return Ruling("13.3.1", "the game goes on: the missing card comes next", changes=tuple(marks))


def order_known(game: PokerMinor, f: Layout, place: str) -> Generator[Asked, Answers, Ruling | None]:
    """Asks whether the order of the cards is known, and has them counted: None when it is; else the ruling (13.3.2)."""
    if f.round.closed != "dealt":
        return only_tell("13.3", "no card was dealt yet", place=place)
    if not game.sizes.get(community(place)):
        return only_tell("13.3", "no cards are dealt there in this game", place=place)
    text = "the players put their cards down, the dealer counts: is the order of the cards known?"
    ask = Question("supervisor", text, ("order", "count", "misdeal"), "13.3", place, by="dealer")  # who counts
    tell = Tell("dealer", "count all the cards by spreading each hand", "13.3", place, ("count",))
    answer = (yield (tell, ask))[place]
    while answer.key == "count":
        if int(answer.args[0]) != FULL:
            return count(game, f, answer.args[0])
        answer = (yield (ask,))[place]
    if answer in UNKNOWN_ORDER:
        return misdeal("13.3.2", "the order of the cards is not known")
    return None


def missing_cards(game: PokerMinor, f: Layout, place: str, which: str) -> list[int]:
    """Returns which cards of the dealer or the community are missing: all, the n-th, or the last when none is named."""
    every = NUMBERS.get(place, range(1, game.sizes[community(place)] + 1))
    if which == "all":
        return list(every)
    return numbers(f, place, which) if which else [every[-1]]


def surplus(f: Layout) -> bool:
    """Tells whether a card is out that no deal was waiting for, or was laid to a street that is still to come."""
    if f.held:
        return True
    windows = {q.window for q in f.waiting if isinstance(q, Choice)}
    if FLOP in f.plans and PREFLOP in windows:
        return True
    return RIVER in f.plans and not windows.isdisjoint((PREFLOP, FLOP))


def order(game: PokerMinor, f: Layout, word: str) -> Ruling:
    """Rules on cards that left together (13.3)."""
    group = next((q.group for q in f.waiting if isinstance(q, Order)), 0)
    if not group:
        return refuse("13.3", "no cards left together")
    if word == "known":
        return Ruling("13.3.1", "the order is known: the game goes on", changes=(Ordered(group),))
    return misdeal("13.3.2", "the order of the cards is not known")


# ---- 13.6


def count(game: PokerMinor, f: Layout, n: str) -> Ruling:
    """Rules on a count of the cards (13.6; 13.12 when a machine could not verify them)."""
    deck = f.table.deck
    if int(n) == FULL:
        return Ruling(deck.unverified or "13.6", f"all {FULL} cards are there")
    by_machine = "" if deck.after_misdeal else deck.unverified
    rule = by_machine or "13.6"
    changes = (End("void", rule), ShoeVoid("3.4"))
    return Ruling(rule, f"{int(n)} cards instead of {FULL}: the round is void", "void", changes)
