"""Games against the house in a soak: what their documents let anybody see, and the sets that machines give out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from controller.house.game import HouseGame
from controller.house.layout import look
from controller.house.state import HouseRound
from controller.places import DEALER, JACKPOT, area_of, is_area, place_of
from controller.rules import BY_THE_CARDS
from controller.table.requests import Cards, Decision, Window
from controller.table.rules import Rules
from controller.table.state import Line, Round, Table
from controller.table.telling import COMMUNITY, Hands

Position: TypeAlias = tuple[str, int]  # a place, and the number of a card there


@dataclass(frozen=True)
class HouseCards:
    """When the cards of a game against the house lie face up.

    A street is over when every hand in the round has decided on it.
    """

    streets: tuple[str, ...]  # the windows in which hands decide, in their order
    hole: int  # cards of a player
    community: tuple[int, ...] = ()  # of each community card: so many streets are over before anybody sees it
    dealers: int = 0  # cards of the dealer
    dealers_open: int = 0  # of these, cards that anybody sees as soon as all cards are dealt
    dealt: tuple[str, ...] = ("ante",)  # who has wagered here gets cards
    decisive: str = "ante"  # who has wagered here decides
    decided_by: str = ""  # who has wagered here has nothing to decide any more; "": whoever wagered on the street
    folded_for: Mapping[str, str] = field(default_factory=dict)  # a way to fold -> the wager a hand is seen for still


HOUSE: Final[dict[str, HouseCards]] = {
    "three-card-poker": HouseCards(  # 001 7.3, 7.4: face down; 7.5.2: Fold or Play; 7.5.4: then the dealer's
        ("",),
        hole=3,
        dealers=3,
        dealt=("ante", "pair-plus"),  # 7.3.1: each area with a wager
        decided_by="play",
        folded_for={"fold": "ante-bonus", "fold ante": "pair-plus"},  # 9.6.2(b); 7.5.2(b), 7.5.3
    ),
    "caribbean-stud": HouseCards(  # 002 8.5.3, 8.5.4: face down, one of the dealer's open; 8.5.5(d): then the rest
        ("",), hole=5, dealers=5, dealers_open=1, decided_by="bet"
    ),
    "mississippi-stud": HouseCards(  # 002 9.6: face down; 9.6.1(d), (e), (f): one more after each street
        ("third", "fourth", "fifth"), hole=2, community=(1, 2, 3)
    ),
    "ultimate-texas-holdem-nsw": HouseCards(  # 002 10.5.5: the Flop; 10.5.7: Turn and River; 10.5.9: the dealer's
        ("preflop", "flop", "river"), hole=2, community=(1, 1, 1, 2, 2), dealers=2, decided_by="play"
    ),
    "ultimate-texas-holdem-vic": HouseCards(  # 003 12.5.3: the Flop; 12.5.5: Turn and River; 12.5.7: the dealer's
        ("preflop", "flop", "river"), hole=2, community=(1, 1, 1, 2, 2), dealers=2, decided_by="play"
    ),
    "wsop-bonus-holdem": HouseCards(  # 003 7.4.4: the Flop, when all have bet or folded; 7.4.5, 7.4.7: a check is a tap
        ("flop",), hole=2, community=(1, 1, 1, 1, 1), dealers=2
    ),
}
FOLDS: Final = ("fold", "unable")


def shown_in_house(game: HouseCards, r: Round, lying: Hands) -> Iterator[Position]:
    """Yields place and number of every card that anybody may see by the document, as things stand."""
    own = r.play.read(HouseRound)
    if own is None:
        return
    yield from own.exposed  # by mistake: somebody has said so
    if not own.early and not _all_dealt(game, r, own, lying):
        return
    over = len(game.streets) if own.early else _streets_over(game, r, own, lying)
    all_over = over == len(game.streets)
    for place, n in every_card(lying):
        if place == COMMUNITY:
            if over >= game.community[n - 1 if n <= len(game.community) else -1]:
                yield place, n
        elif place == DEALER:
            if all_over or _open_from_the_deal(game, lying, n):
                yield place, n
        elif is_area(place) and (all_over and _compared(game, r, own, place)):
            yield place, n


def _open_from_the_deal(game: HouseCards, lying: Hands, n: int) -> bool:
    """Tells whether this is the dealer's card that everybody sees while they decide: the last one that was dealt."""
    return n > game.dealers - game.dealers_open and len(lying[DEALER]) == game.dealers


def _all_dealt(game: HouseCards, r: Round, own: HouseRound, lying: Hands) -> bool:
    """Tells whether every hand has its cards; of who got too few or too many, somebody has told."""
    irregular = {area_of(mark.place) for mark in own.marks if is_area(mark.place)}
    hands = {place_of(area_of(place)) for place, spot in r.wagers if spot in game.dealt}
    return all(len(lying.get(hand, ())) >= game.hole for hand in hands if area_of(hand) not in irregular)


def _streets_over(game: HouseCards, r: Round, own: HouseRound, lying: Hands) -> int:
    """Returns on how many streets every hand has decided."""
    standing = {line.at: line for line in r.lines}
    deciding = [place for place, spot in r.wagers if spot == game.decisive]
    deciding = [place for place in deciding if not _out(place, game, own, standing, lying)]
    for n, street in enumerate(game.streets):
        if not all(_decided(game, r, own, place, street) for place in deciding):
            return n
    return len(game.streets)


def _out(place: str, game: HouseCards, own: HouseRound, standing: Mapping[tuple[str, str], Line], lying: Hands) -> bool:
    """Tells whether a hand is out: folded, or its wager is no more, or it has not as many cards as it must have."""
    line = standing.get((place, game.decisive))
    if line is not None and line.result != "reversed":
        return True
    if any(decision.key in FOLDS for decision in _decisions(own, place)):
        return True
    return len(lying.get(place_of(area_of(place)), ())) != game.hole or place in own.forfeited


def _decisions(own: HouseRound, place: str) -> list[Decision]:
    return [decision for (_, at), decision in own.choices.items() if at == place]


def _decided(game: HouseCards, r: Round, own: HouseRound, place: str, street: str) -> bool:
    """Tells whether this hand has decided on a street: by a key, or by chips; wrong ones are found at settlement."""
    spot = game.decided_by or street
    chips = r.wagers.get((place, spot), 0) or own.sensed.get((place, spot), 0)
    return bool(chips) or (Window(street), place) in own.choices


def _compared(game: HouseCards, r: Round, own: HouseRound, area: str) -> bool:
    """Tells whether the hand of an area was turned to be compared or judged; a folded one goes away face down."""
    for line in r.lines:
        if place_of(area_of(line.place)) != area:
            continue
        if line.spot == JACKPOT:
            if line.result == "win":  # 002 8.6.1, 9.7.1, 10.6; 003 8.1.2(d): it stays on the table face up
                return True
        elif line.result in BY_THE_CARDS and not _folded(game, own, line):
            return True
    return False


def _folded(game: HouseCards, own: HouseRound, line: Line) -> bool:
    for decision in _decisions(own, line.place):
        way = " ".join((decision.key, *decision.args))
        if decision.key in FOLDS and game.folded_for.get(way) != line.spot:
            return True
    return False


def every_card(lying: Hands) -> Iterator[Position]:
    """Yields place and number of every card that lies there."""
    return ((place, n) for place, cards in lying.items() for n in range(1, len(cards) + 1))


# ---- machines


def set_due(table: Table, rules: Rules) -> int:
    """Returns how many cards a machine gives out together for the next place; 0: they come one at a time."""
    layout = look(table, rules) if isinstance(rules, HouseGame) else None
    due = next((each for each in layout.waiting if isinstance(each, Cards)), None) if layout is not None else None
    if layout is None or due is None or layout.hands.get(due.place):  # a set that has begun ends card by card
        return 0
    return layout.sets.get(due.deal, 0)
