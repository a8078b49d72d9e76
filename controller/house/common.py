"""What several documents say in the same way: counting, naming cards, giving wagers back."""

from __future__ import annotations

from collections import Counter
from itertools import chain, takewhile

from msgspec.structs import replace

from controller.cards import UNREAD
from controller.hands import Hand, ThreeCardHand
from controller.house.layout import Layout
from controller.house.rulings import End, Given, Ruling, refuse
from controller.places import DEALER
from controller.table.state import Line
from controller.table.telling import BURN, COMMUNITY

Named = tuple[tuple[str, tuple[str, ...]], ...]


def is_machine(f: Layout) -> bool:
    """Tells whether sets come from a machine, not single cards from a hand shoe."""
    return f.table.options.typed.machine


def named_cards(args: tuple[str, ...]) -> Named:
    """Returns arguments such as 1=Kh,2d as places and cards."""
    pairs = (arg.partition("=") for arg in args)
    return tuple((place, tuple(cards.split(","))) for place, _, cards in pairs)


def unread_places(f: Layout) -> list[str]:
    """Returns whose cards are not known: one could not be read, or lies elsewhere too, so one was misread."""
    hands = {place: hand for place, hand in f.hands.items() if place != BURN}
    lying = Counter(chain.from_iterable(hands.values()))
    return [place for place, hand in hands.items() if any(card == UNREAD or lying[card] > 1 for card in hand)]


def name_cards(f: Layout, args: tuple[str, ...], rule: str) -> Ruling:
    """Rules that cards are what somebody says who sees them: those that could not be read, or all of a hand."""
    changes = []
    for name, cards in named_cards(args):
        place = COMMUNITY if COMMUNITY in f.plans.get(name, ()) else name  # flop=...: the cards of that deal
        dealt = [(d, p[: f.served[d]].count(place)) for d, p in f.plans.items() if name in (place, d)]
        lying = [card for d, n in dealt for card in _lying(f, d, place, n)]
        unread = lying.count(UNREAD)
        if not lying or len(cards) not in (unread, len(lying)):
            return refuse(rule, f"{name} holds {len(lying)} cards, {unread} of them unread: name these, or all")
        new = iter(cards)
        named = [next(new) if card == UNREAD or len(cards) == len(lying) else card for card in lying]
        for d, n in dealt:
            changes.append(Given(d, ((place, tuple(named[:n])),)))
            named = named[n:]
    if not changes:
        return refuse(rule, "name the cards, such as reconstruct 1=Kh,2d")
    return Ruling(rule, "the cards were named", "reconstructed", tuple(changes))


def _lying(f: Layout, deal: str, place: str, count: int) -> list[str]:
    """Returns what was dealt to a place in this deal."""
    earlier = takewhile(lambda name: name != deal, f.plans)
    before = sum(f.plans[name][: f.served[name]].count(place) for name in earlier)
    return f.hands.get(place, [])[before : before + count]


def wrong_backs(f: Layout) -> Ruling:
    """Rules that the round is void: the cards in play are not one deck (3.1)."""
    rule = f.cites.backs
    return Ruling(rule, "the cards are not of one deck: the round is void", "void", (End("void", rule),))


def others_at_stake(f: Layout, *but: str) -> tuple[str, ...]:
    """Returns every bettor with something at stake, except these."""
    return tuple(p for p in f.places() if p not in but and any(f.live(p, spot) for spot in f.game.spots))


def chips_found(f: Layout, place: str, spot: str) -> int:
    """Returns the chips that lie on a spot although they were refused: some documents settle them."""
    return f.own.sensed.get((place, spot), 0) if not f.wager(place, spot) else 0


def added(f: Layout, place: str, spot: str) -> int:
    """Returns the chips put on a wager that stood already: they were refused, and go back at settlement."""
    made = f.wager(place, spot)
    return max(0, f.own.sensed.get((place, spot), 0) - made) if made else 0


def capped(f: Layout, line: Line) -> Line:
    """Returns the line, paid no more than the maximum payout that the table shows."""
    most = f.table.options.typed.payout_limit
    return line if most is None else replace(line, net=min(line.net, most))


def spoken_category(hand: Hand | ThreeCardHand) -> str:
    """Returns a hand's class in words."""
    return hand.category.name.lower().replace("_", " ")


def spoken_place(place: str) -> str:
    """Returns a place in words."""
    return "the dealer" if place == DEALER else f"area {place}"
