"""The cards of document 003: its deals and streets, and hands that change places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from controller.hands import Hand, best
from controller.house.common import spoken_place
from controller.house.games.alike import HANDS
from controller.house.layout import Layout
from controller.house.options import House
from controller.house.script import Script, burn, deal
from controller.house.state import STREETS
from controller.places import DEALER
from controller.rules import Cited
from controller.table.requests import Choice, Open
from controller.table.telling import COMMUNITY

DEALERS: Final = "dealers"  # 7.4.9: where the dealer's two cards come last
BURNS: Final = {"flop": "7.4.4(a)", "turn": "7.4.6(a)", "river": "7.4.8(a)"}
WRONG_NUMBER: Final = {HANDS: "11.2", "flop": "11.3"}  # 11.4 for Turn, River and dealer


def street(
    f: Layout, name: str, count: int, *, rule: str, open_: Sequence[Choice], needed: bool, place: str = COMMUNITY
) -> Script:
    """Deals these cards when everybody has decided; if they come before that, they lie there all the same (11.8).

    When nobody needs them any more, only those that are out already are laid.
    """
    silent = [q for q in open_ if not lies_there(f, q)]
    open_ = [*silent, *(q for q in open_ if q not in silent)]  # a key is for those who have nothing lying there
    if silent and not f.early:
        yield tuple(open_)
    burned: Iterable[Open] = burn(f, f"burn {name}", rule=BURNS[name]) if f.burning and name in BURNS else ()
    for waiting in chain(burned, deal(f, name, [place], cards=count, rule=rule)):
        if not needed:
            return
        yield (*waiting, *open_)


def lies_there(f: Layout, choice: Choice) -> int:
    """Returns the chips that lie there although they were refused, while nothing else was decided (11.11)."""
    return f.own.sensed.get((choice.place, choice.spot), 0)


def incomplete(f: Layout, places: Sequence[str]) -> list[str]:
    """Returns the hands that have not two cards: only a misdeal is left for them (11.2)."""
    return [p for p in places if len(f.hands.get(p, ())) != 2]


def five(f: Layout, place: str) -> Hand:
    """Returns the best five of two cards and the community cards (7.4.9, 8.1.1)."""
    return best(f.hands[place] + f.hands[COMMUNITY])


# ---- 11.12.1: hands that change places


def deemed(f: Layout) -> list[tuple[str, str]]:
    """Returns seats, and the viewed hands that count as theirs."""
    return f.own.deemed


def exchange(f: Layout) -> None:
    """Lets a hand that was viewed count as the one dealt to its player's seat."""
    for home, other in deemed(f):
        if home in f.hands and other in f.hands:
            f.hands[home], f.hands[other] = f.hands[other], f.hands[home]


# ---- how far the deal has come


def latest(f: Layout) -> str:
    """Returns where the last card went: the initial deal, a street, or the dealer."""
    if f.began(DEALERS):
        return DEALER
    begun = [name for name in STREETS if f.began(name)]
    return begun[-1] if begun else HANDS


def looked(f: Layout) -> bool:
    """Tells whether the players have looked at their cards: by the key, or with the last card."""
    if f.own.looked:
        return True
    if f.table.options.of(House).announce == "key":
        return False
    return f.complete(HANDS) or f.began("flop")


def together(f: Layout) -> str:
    """Returns the rule for cards that should lie where the next ones go."""
    if not f.complete(HANDS):
        return "11.2"
    return "11.4" if f.complete("flop") else "11.3"


def surplus(f: Layout) -> Cited:
    """Returns rule and meaning of a card that left the shoe although none was due."""
    where = latest(f)
    rule = WRONG_NUMBER.get(where, "11.4")
    return Cited(rule, f"no card is due: if it lies at {_spoken(where)}, say so with excess")


def _spoken(where: str) -> str:
    if where == HANDS:
        return "an area"
    return spoken_place(DEALER) if where == DEALER else f"the {where}"


def beyond(f: Layout, where: str) -> int:
    """Returns how many cards left the shoe after the last one that this place should have."""
    due = 0
    for name, plan in f.plans.items():
        due += len(plan)
        if name == deal_to(f, where):
            break
    usable = [drawn for drawn in f.own.tape if not drawn.out]
    return max(0, len(usable) - due)


def deal_to(f: Layout, where: str) -> str:
    """Returns the deal in which a street, or the dealer, gets its cards."""
    if where != DEALER:
        return where
    return DEALERS if DEALERS in f.plans else HANDS
