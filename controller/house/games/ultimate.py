"""Ultimate Texas Hold'em as two documents tell it: NSW rule 10 and Victoria's rule 12.

What a wager wins has the same sub-rule in both, so a chapter is its rule number and where it speaks of the windows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, Literal, Protocol, cast

import msgspec

from controller.hands import Category as C
from controller.hands import Hand, best
from controller.house.common import capped, chips_found, spoken_category, unread_places
from controller.house.layout import Layout, Stake
from controller.house.pays import Pays, Ranked, by_hand
from controller.house.state import CHECK, FLOP, FOLD, FOLDED, PREFLOP, RIVER, UNABLE
from controller.house.wagers import lose, returned, stand_off, win
from controller.money import Odds, short
from controller.places import DEALER, Place
from controller.rules import Cited, Objection
from controller.table.board import Row
from controller.table.requests import Choice, Decision, Window
from controller.table.rules import Edge
from controller.table.standing import from_the_right
from controller.table.state import Line, Round
from controller.table.telling import COMMUNITY, Verdict
from controller.table.values import Bound

EVEN: Final = Odds(1)  # Tables 3 and 9: Ante and Play
BLIND: Final = {  # Tables 3 and 9
    C.ROYAL_FLUSH: Odds(500),
    C.STRAIGHT_FLUSH: Odds(50),
    C.FOUR_OF_A_KIND: Odds(10),
    C.FULL_HOUSE: Odds(3),
    C.FLUSH: Odds(3, 2),
    C.STRAIGHT: Odds(1),
}
TRIPS: Final = {  # Tables 4 and 10
    C.ROYAL_FLUSH: Odds(50),
    C.STRAIGHT_FLUSH: Odds(40),
    C.FOUR_OF_A_KIND: Odds(30),
    C.FULL_HOUSE: Odds(8),
    C.FLUSH: Odds(7),
    C.STRAIGHT: Odds(4),
    C.THREE_OF_A_KIND: Odds(3),
}
SPOTS: Final = ("ante", "play", "blind", "trips")
WINDOWS: Final = (PREFLOP, FLOP, RIVER)
PLAY: Final = Decision(spot="play")
FOLDS: Final = {"ante": "4.2(b)(ii)", "blind": "4.3(b)(ii)", "trips": "4.4(b)(ii)"}  # what a fold loses


class Chapter(msgspec.Struct, frozen=True):
    """Where a document speaks of this game."""

    rule: str  # of the whole game
    windows: Mapping[Window, str]  # of the decision in each window
    under: Literal["void", "returned"]  # what a wager under the minimum is
    qualifies: str  # what the dealer's hand must be
    equal: str  # the Blind to the Ante
    unable: str = ""  # deems a hand folded whose player cannot place the wager
    unseen_play: str = ""  # the Play wager of a hand that nobody views, made before the deal

    def at(self, sub: str) -> str:
        return f"{self.rule}.{sub}"


NSW: Final = Chapter(
    "10",
    {PREFLOP: "10.5.4", FLOP: "10.5.6", RIVER: "10.5.8"},
    "void",
    qualifies="10.2",
    equal="10.2",
    unable="13.7",
)
VICTORIA: Final = Chapter(
    "12",
    {PREFLOP: "12.5.2", FLOP: "12.5.4", RIVER: "12.5.6"},
    "returned",
    qualifies="12.2.1",
    equal="12.2.1",
    unseen_play="12.4.7",
)


class Windows(Protocol):
    """Options that say how many times the Ante a Play wager may be in each window."""

    @property
    def preflop(self) -> tuple[int, ...]: ...

    @property
    def flop(self) -> tuple[int, ...]: ...

    @property
    def river(self) -> tuple[int, ...]: ...


def essential(options: Windows) -> dict[str, str]:
    """Returns what of the multiples changes the edge: before the River never less than the most is played best."""
    river = sorted({min(options.river), max(options.river)})
    return {
        "preflop": str(max(options.preflop)),
        "flop": str(max(options.flop)),
        "river": ",".join(map(str, river)),
    }


def staked(options: Windows) -> int:
    """Returns how many times the Ante can be staked on Ante, Blind and Play together."""
    return 2 + max(options.preflop)


ODDS: Final = {
    "ante": Edge(
        "controller.odds.ultimate:ante",
        "Ante with an equal Blind and the best Play; a unit is the Ante alone",
        ("blind", "play"),
        ("preflop", "flop", "river"),
        reduced=essential,
        staked=staked,
    ),
    "trips": Edge("controller.odds.ultimate:trips", "Trips by itself, of a hand that is not folded", units=1),
}


def on_sign(options: Windows) -> Row:
    """Returns the row of the sign with what a Play wager may be in each window."""
    before, flop, river = (" or ".join(map(str, many)) for many in (options.preflop, options.flop, options.river))
    return "Play", f"{before} times the Ante, {flop} after the Flop, {river} after the River"


def times(window: Window, doc: Chapter) -> Bound:
    """Returns the bound of a window's option: a Play wager is one to ten times the Ante."""
    says = f"{window}: a Play wager is one to ten times the Ante"
    return Bound(lambda allowed: "" if max(allowed) <= 10 else says, f"{doc.windows[window]}(a)")


def multiples(options: Windows, window: Window) -> tuple[int, ...]:
    """Returns how many times the Ante a Play wager may be in this window, as the sign says."""
    return {PREFLOP: options.preflop, FLOP: options.flop, RIVER: options.river}[window]


def _windows(f: Layout) -> Windows:
    return cast(Windows, f.table.options.typed)


def objections(options: Windows, doc: Chapter) -> Iterator[Objection]:
    """Yields what is against these windows: in each later one less may be wagered than in the one before."""
    for before, window in pairwise(WINDOWS):
        if max(multiples(options, window)) >= min(multiples(options, before)):
            text = f"{window}: less may be wagered than in the window before"
            yield Objection((window, before), Cited(f"{doc.windows[window]}(a)", text))


# ---- wagers before the deal


def unequal(r: Round, place: Place, doc: Chapter) -> Cited | None:
    """Returns what is wrong with a Blind, or a Play wager of an unseen hand, that does not equal the Ante."""
    ante = r.wagers.get((place, "ante"))
    if not ante or r.closed == "dealt":
        return None
    play = r.wagers.get((place, "play"), ante)
    if play != ante:
        return Cited(doc.unseen_play, f"the Play wager must equal the Ante: {short(ante)}, not {short(play)}")
    blind = r.wagers.get((place, "blind"), ante)
    if blind != ante and not r.closed:
        return Cited(doc.equal, f"the Blind must equal the Ante: {short(ante)}, not {short(blind)}")
    return None


# ---- decisions


def folded(f: Layout, place: str) -> bool:
    """Tells whether a hand was folded, also because its player could not place the wager."""
    return f.choice(RIVER, place) in FOLDED


def plays(f: Layout, place: str) -> bool:
    """Tells whether a Play wager was placed."""
    return any(f.choice(window, place) == PLAY for window in WINDOWS)


def window_of(f: Layout, place: str) -> Window:
    """Returns the window in which this hand has to decide, or decided, to play."""
    return next((w for w in WINDOWS if f.choice(w, place) != CHECK), RIVER)


def undecided(f: Layout, window: Window) -> list[str]:
    """Returns who has an Ante at stake, has not played, and has decided nothing in this window."""
    antes = [p for p in f.places("ante") if f.live(p, "ante")]
    dealt = [p for p in antes if f.hands.get(p)]
    return [p for p in dealt if not f.choice(window, p) and not plays(f, p)]


def offer(f: Layout, doc: Chapter, window: Window, place: str) -> Choice:
    """Returns the choice of a place: a multiple of the Ante, or check; at the river or fold."""
    base = f.game.stake(f, place, "ante").counts
    most = multiples(_windows(f), window)
    amounts = tuple(n * base for n in most) + tuple(n * f.wager(place, "ante") for n in most)
    word = FOLD if window == RIVER else CHECK
    return Choice(f"{doc.windows[window]}(a)", place, (word,), "play", amounts[0], None, amounts, window)


def play_stake(f: Layout, place: str) -> Stake:
    """Returns as many whole Antes of a Play wager as the window allows, also of what is found there."""
    base = f.game.stake(f, place, "ante").counts
    lies = f.wager(place, "play") or chips_found(f, place, "play")
    allowed = multiples(_windows(f), window_of(f, place))
    fits = [n * base for n in allowed if n * base <= lies]
    if f.wager(place, "play") > max(fits, default=0):  # a multiple of an Ante over the maximum
        times = f.wager(place, "play") // f.wager(place, "ante")
        return Stake(times * base, lies - times * base)
    return Stake(max(fits), lies - max(fits)) if fits else Stake(lies)


# ---- hands


def hand(f: Layout, place: str) -> Hand:
    """Returns the best five of two hole cards and the community cards."""
    return best(f.hands[place] + f.hands[COMMUNITY])


def all_there(f: Layout) -> bool:
    """Tells whether the community and the dealer have all their cards, and every card could be read."""
    if len(f.hands.get(COMMUNITY, [])) != 5 or len(f.hands.get(DEALER, [])) != 2:
        return False
    return not unread_places(f)


def paid(spot: str, hand: Ranked | None, blind: str, trips: str) -> Pays | None:
    """Returns the odds: Blind and Trips by the hand, the others even money (002 10.6.5; 003 12.6.4).

    `blind` and `trips`: what the document calls their pay tables.
    """
    match spot:
        case "blind":
            return by_hand(BLIND, hand, blind)
        case "trips":
            return by_hand(TRIPS, hand, trips)
    return Pays(EVEN)


def verdict(f: Layout, doc: Chapter) -> Verdict | None:
    """Returns what the dealer's hand is worth, once it lies open: a pair or better qualifies."""
    if DEALER in f.down or not all_there(f):
        return None
    dealers = hand(f, DEALER)
    return Verdict(spoken_category(dealers), dealers.category >= C.PAIR, doc.qualifies)


# ---- settlement


def lines(f: Layout, doc: Chapter) -> list[Line]:
    """Returns every wager that is open, as the dealer settles; call it when everybody has decided."""
    dealt = [p for p in f.places() if f.hands.get(p)]
    right = from_the_right([p for p in dealt if any(f.live(p, spot) for spot in SPOTS)])
    out = [line for p in right if folded(f, p) for line in _folded(f, doc, p)]
    staying = [p for p in right if not folded(f, p)]
    if not staying:
        return out
    qualifies = hand(f, DEALER).category >= C.PAIR
    if not qualifies:  # 6.2(a): all Antes first
        out += [_ante(f, doc, p, qualifies=False) for p in staying if f.live(p, "ante")]
    for p in staying:
        out += _compared(f, doc, p, qualifies)
        if f.live(p, "trips"):
            out.append(_trips(f, doc, p))
    return out


def _back(f: Layout, doc: Chapter, place: str, spot: str) -> Line | None:
    at = f.game.stake(f, place, spot)
    return returned(place, spot, at, at.back, doc.under) if at.back else None


def _folded(f: Layout, doc: Chapter, place: str) -> list[Line]:
    """Returns the lines of a folded hand: it loses everything, Trips too."""
    out = []
    for spot, rule in FOLDS.items():
        if f.live(place, spot):
            lost = lose(place, spot, f.game.stake(f, place, spot), _fold_rule(f, doc, place, rule))
            out.append(_back(f, doc, place, spot) or lost)
    return out


def _fold_rule(f: Layout, doc: Chapter, place: str, rule: str) -> str:
    """Returns the rule by which a folded hand loses: the one on folding, or on who could not place the wager."""
    if f.choice(RIVER, place) == UNABLE and doc.unable:
        return doc.unable
    return doc.at(rule)


def _ante(f: Layout, doc: Chapter, place: str, *, qualifies: bool) -> Line:
    at = f.game.stake(f, place, "ante")
    if back := _back(f, doc, place, "ante"):
        return back
    players, dealers = hand(f, place), hand(f, DEALER)
    if players == dealers:
        return stand_off(place, "ante", at, doc.at("4.2(c)(i)"))
    if not qualifies:
        return stand_off(place, "ante", at, doc.at("4.2(c)(ii)"))
    if players > dealers:
        return win(f, place, "ante", at, EVEN, doc.at("4.2(a)"))
    return lose(place, "ante", at, doc.at("4.2(b)(i)"))


def _compared(f: Layout, doc: Chapter, place: str, qualifies: bool) -> list[Line]:
    """Returns Ante, Play and Blind of a hand that is compared with the dealer's."""
    ante = [_ante(f, doc, place, qualifies=True)] if qualifies and f.live(place, "ante") else []
    play = [_play(f, doc, place)] if f.live(place, "play") or chips_found(f, place, "play") else []
    blind = [_blind(f, doc, place)] if f.live(place, "blind") else []
    won = hand(f, place) > hand(f, DEALER)
    return ante + (play + blind if won else blind + play)  # 6.1(a) pays the Blind last, 6.1(b) takes the Play last


def _play(f: Layout, doc: Chapter, place: str) -> Line:
    at = f.game.stake(f, place, "play")
    if back := _back(f, doc, place, "play"):
        return back
    players, dealers = hand(f, place), hand(f, DEALER)
    if players > dealers:
        return win(f, place, "play", at, EVEN, doc.at("4.6(a)"))
    if players < dealers:
        return lose(place, "play", at, doc.at("4.6(b)"))
    return stand_off(place, "play", at, doc.at("4.6(c)"))


def _blind(f: Layout, doc: Chapter, place: str) -> Line:
    at = f.game.stake(f, place, "blind")
    if back := _back(f, doc, place, "blind"):
        return back
    players, dealers = hand(f, place), hand(f, DEALER)
    if players < dealers:
        return lose(place, "blind", at, doc.at("4.3(b)(i)"))
    if players == dealers:
        return stand_off(place, "blind", at, doc.at("4.3(c)(i)"))
    odds = BLIND.get(players.category)
    if odds is None:
        return stand_off(place, "blind", at, doc.at("4.3(c)(ii)"))
    return capped(f, win(f, place, "blind", at, odds, doc.at("4.3(a)")))


def _trips(f: Layout, doc: Chapter, place: str) -> Line:
    """Returns the line of Trips, whatever the dealer has."""
    at = f.game.stake(f, place, "trips")
    if back := _back(f, doc, place, "trips"):
        return back
    odds = TRIPS.get(hand(f, place).category)
    if odds is None:
        return lose(place, "trips", at, doc.at("4.4(b)(i)"))
    return win(f, place, "trips", at, odds, doc.at("4.4(a)"))
