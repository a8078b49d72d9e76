"""High Card (document HC1), in the order of its rules: a game that is no part of feltd, found by its entry point."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from controller.cards import RANKS, rank
from controller.games import game
from controller.house.common import name_cards
from controller.house.game import HouseGame
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout, Stake
from controller.house.options import House
from controller.house.pays import Pays, Ranked
from controller.house.rulings import (
    Dialogue,
    End,
    Irregularity,
    Ordered,
    Ruling,
    ShoeVoid,
    only_tell,
    refuse,
    rule_by_key,
)
from controller.house.script import Script, deal, settle, take_wagers, with_dealer
from controller.house.wagers import lose, returned, stake, stand_off, win
from controller.money import Odds
from controller.places import DEALER
from controller.rules import Cited
from controller.table.facts import Key
from controller.table.options import Chosen, Shoe
from controller.table.requests import Order, Press
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line
from controller.table.telling import Verdict
from controller.table.values import Count, one_of, only, within
from high_card_document import HIGH_CARD

if TYPE_CHECKING:
    from controller.odds.progress import Progress
    from controller.odds.rounds import Rounds

# ---- 3, 6, 7.4: what the table can be set to

EVEN: Final = Odds(1)  # 7.3
MATCH: Final = {  # 7.4: suits differ, suits are alike
    "A": (Odds(11), Odds(11)),
    "B": (Odds(10), Odds(15)),
}


class HighCardOptions(House, frozen=True, kw_only=True):
    """A High Card table."""

    seats: Annotated[Count, within(1, 7, "a table has one to seven betting areas", "2.1")] = 7
    shoe: Annotated[Shoe, only("hand", says="cards come from a dealing shoe", rule="2.2")] = "hand"
    decks: Annotated[Count, within(1, 8, "one to eight decks are used", "3.1"), "1 to 8 decks are in play"] = 6
    match: Annotated[str, one_of(MATCH), "what a Match wager is paid by"] = "A"


# ---- 5, 7: the round


@game
class HighCard(HouseGame):
    """One card each; the higher one wins."""

    name = "high-card"
    title = "High Card"
    options: ClassVar = HighCardOptions
    spots = ("high", "match")
    opening = ("high", "match")  # 5.4
    required = ("high",)
    document = HIGH_CARD
    keys: ClassVar = HOUSE_KEYS
    odds: ClassVar = {
        "high": Edge("high_card:high_edge", "by itself"),
        "match": Edge("high_card:match_edge", "by itself"),
    }

    def play(self, f: Layout) -> Script:
        """Plays the round, from the first wager to the last payment."""
        yield from take_wagers(f, *self.opening, rule="5.2")
        if not f.places():
            yield (Press("8.1", "void", "supervisor"),)
        yield from deal(f, "cards", with_dealer(f.areas(*self.opening)), rule="7.2")
        if not f.readable():
            yield (Press("8.3", "reconstruct", "supervisor"),)
        yield from settle(f, rule="7.5")

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        """Returns where the next cards go: to whoever has a wager, and the dealer (7.2)."""
        if "cards" in f.plans:
            return f.unserved("cards"), "7.2"
        return with_dealer(f.areas(*self.opening)), "7.2"

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns how much of a wager counts (6.2, 6.3)."""
        return stake(f, place, spot)

    def dealer(self, f: Layout) -> Verdict | None:
        """Returns None: the dealer's card always plays."""
        return None

    def decided(self, f: Layout) -> list[Line]:
        """Returns the line of every wager, from the right to the left (7.5)."""
        if not f.complete("cards") or not f.readable():
            return []
        judged = {"high": self.high, "match": self.match}
        at_stake = [(place, spot) for place in from_the_right(f.places()) for spot in judged if f.live(place, spot)]
        return [judged[spot](f, place) for place, spot in at_stake]

    def high(self, f: Layout, place: str) -> Line:
        """Returns the line of a High wager: the higher card wins (7.3)."""
        at, own, dealers = self.stake(f, place, "high"), f.hands[place][0], f.hands[DEALER][0]
        if at.back:
            return returned(place, "high", at, at.back)
        if rank(own) > rank(dealers):
            return win(f, place, "high", at, EVEN, "7.3")
        if rank(own) < rank(dealers):
            return lose(place, "high", at, "7.3")
        return stand_off(place, "high", at, "7.3")

    def match(self, f: Layout, place: str) -> Line:
        """Returns the line of a Match wager: two cards of one rank win, by the pay table on the sign (7.4)."""
        at, own, dealers = self.stake(f, place, "match"), f.hands[place][0], f.hands[DEALER][0]
        if at.back:
            return returned(place, "match", at, at.back)
        if rank(own) != rank(dealers):
            return lose(place, "match", at, "7.4")
        differ, alike = MATCH[f.table.options.of(HighCardOptions).match]
        return win(f, place, "match", at, differ if own[1] != dealers[1] else alike, "7.4")

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns how a win is paid, for people (7.3, 7.4); None where suits matter: the payment alone says it."""
        if spot == "high":
            return Pays(EVEN)
        differ, alike = MATCH[options.of(HighCardOptions).match]
        return Pays(differ) if differ == alike else None

    # ---- 8, 9: when something goes wrong

    def surplus(self, f: Layout) -> Cited:
        """Returns what happens with a card that left the shoe although none was due (8.2)."""
        return Cited("8.2", "no card is due: this one is kept as the next card")

    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        """Returns the ruling on something that nobody waited for."""
        otherwise = refuse("8.2", "this key does not apply now")
        return (yield from rule_by_key(IRREGULARITIES, fact, f, otherwise=otherwise))


def _astray(f: Layout, *place: str) -> Ruling:
    text = "a card is not where it should be: the round may be declared void"
    return only_tell("8.2", text, role="supervisor", place=place[0] if place else "", offers=("void",))


def _void(f: Layout, *place: str) -> Ruling:
    if place:
        return refuse("8.2", "the round is void as a whole, or not at all")
    rule = "8.2" if f.places() else "8.1"
    return Ruling(rule, "the round is void", "void", (End("void", "8.7", reverse=True),))


def _named(f: Layout, *cards: str) -> Ruling:
    return name_cards(f, cards, "8.3")


def _order(f: Layout, word: str) -> Ruling:
    group = next((request.group for request in f.waiting if isinstance(request, Order)), 0)
    if not group:
        return refuse("8.4", "no cards left together")
    if word == "known":
        return Ruling("8.4", "the order is known", changes=(Ordered(group),))
    return Ruling("8.4", "the order of the cards is not known", "void", (End("void", "8.7"),))


def _count(f: Layout, number: str) -> Ruling:
    full = 52 * f.table.options.of(HighCardOptions).decks
    if int(number) == full:
        return Ruling("8.5", f"all {full} cards are there")
    gone = (End("void", "8.7", reverse=True), ShoeVoid("8.5"))
    return Ruling("8.5", f"{number} cards instead of {full}: the round is void", "void", gone)


def _invalid(f: Layout, cause: str) -> Ruling:
    return Ruling("9.2", f"the outcome is invalid: {cause}", "void", (End("void", "9.2", reverse=True),))


IRREGULARITIES: Final[dict[str, Irregularity]] = {
    **dict.fromkeys(("excess", "stray", "short", "exposed", "taken"), _astray),
    "void": _void,
    "reconstruct": _named,
    "order": _order,
    "count": _count,
    "invalidate": _invalid,
}


# ---- what the house keeps: every pair of cards, settled by the game itself


def high_edge(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns what a High wager wins in the long run, of each unit."""
    return _expected(rounds, "high")


def match_edge(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns what a Match wager wins in the long run, of each unit."""
    return _expected(rounds, "match")


def _expected(rounds: Rounds, wager: str) -> Fraction:
    expected = Fraction(0)
    for own, dealers, chance in _deals(rounds):
        expected += chance * rounds.settle([wager], {"1": [own], DEALER: [dealers]}).total
    return expected / rounds.stake


def _deals(rounds: Rounds) -> Iterator[tuple[str, str, Fraction]]:
    """Yields the player's rank, and the dealer's with the same suit or another: how likely each is."""
    decks = rounds.options.decks
    cards = 52 * decks
    for own, dealers in product(RANKS, repeat=2):
        alike = decks - 1 if own == dealers else decks
        yield f"{own}c", f"{dealers}c", Fraction(alike, 13 * (cards - 1))
        yield f"{own}c", f"{dealers}d", Fraction(3 * decks, 13 * (cards - 1))
