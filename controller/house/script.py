"""The words in which a game's script is written.

A game's `play` is run from the top after every fact.  It falls through everything that the round already has and stops
at the first `yield`: that tuple of requests is what the table waits for.  Nothing is kept between runs, so a helper may
depend only on the round's data, never on a local that an earlier run computed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeAlias

from controller.house.layout import Layout
from controller.house.state import HouseRound, Mark
from controller.places import DEALER, area_of, order
from controller.rules import LEFT_OUT
from controller.table.requests import Cards, Choice, Open, Order, Settle, Wagers
from controller.table.telling import BURN

Script: TypeAlias = Generator[Open, None, None]


def take_wagers(f: Layout, *spots: str, rule: str) -> Script:
    """Waits for bets until the dealer announces the end, or the first card is out."""
    if not f.round.closed:
        yield (Wagers(rule, spots),)


def deal(
    f: Layout,
    name: str,
    places: Sequence[str],
    *,
    rule: str,
    cards: int = 1,
    sets: bool = False,
    up: bool = True,
    first: int = 1,
) -> Script:
    """Lays `cards` to each place, one at a time around the table from area `first`, or a set to each at once.

    Marks say which places were really served.
    """
    served = _served(f.own, name, places, first)
    numbers = range(1, cards + 1)
    turns = [(p, n) for p in served for n in numbers] if sets else [(p, n) for n in numbers for p in served]
    marks = [mark for mark in f.own.marks if mark.deal == name and mark.what in LEFT_OUT]
    f.plans[name] = [place for place, n in turns if not (marks and _missed(marks, place, n))]
    f.served[name], f.rules[name] = 0, rule
    if sets:
        f.sets[name] = cards
    if not up:
        f.down.update(served)
        f.dealt_down.update(served)
    for place in f.plans[name]:
        if f.take(name, place) is None:
            if f.held:
                yield (Order(rule, f.held[0].group),)
            yield (Cards(rule, name, place),)


def deal_late(f: Layout, name: str, *deals: str, rule: str) -> Script:
    """Deals the cards that were missed in these deals: they come after them."""
    if places := [m.place for m in f.own.marks if m.what == "late" and m.deal in deals]:
        yield from deal(f, name, places, rule=rule)


def _missed(marks: Iterable[Mark], place: str, n: int) -> bool:
    return any(m.place == place and m.card in (0, n) for m in marks)


def _served(own: HouseRound, name: str, places: Sequence[str], first: int) -> list[str]:
    stray = [m.place for m in own.marks if m.what == "stray" and m.deal == name and m.place not in places]
    if not stray and first == 1:
        return list(places)
    return sorted([*places, *stray], key=lambda p: (not p.isdigit() or area_of(p) < first, order(p)))


def burn(f: Layout, name: str, *, rule: str) -> Script:
    """Burns the next card."""
    yield from deal(f, name, [BURN], rule=rule, up=False)


def choose(f: Layout, choices: Callable[[], Iterable[Choice]]) -> Script:
    """Waits until nobody has anything to decide."""
    if waiting := tuple(choices()):
        yield waiting


def paying(f: Layout, script: Script) -> Script:
    """Lets the dealer settle what is decided already while this part of the script waits."""
    for waiting in script:
        lines = tuple(f.game.decided(f))
        yield (*waiting, Settle("", lines)) if lines else waiting


def settle(f: Layout, *, rule: str) -> Script:
    """Waits until every wager that is still open is settled; also when nothing is left but Jackpot wagers."""
    lines = tuple(f.game.decided(f))
    if lines or f.claims_alone():
        yield (Settle(rule, lines),)


def with_dealer(areas: Sequence[str]) -> list[str]:
    """Returns these areas clockwise from the left, and the dealer last."""
    return [*areas, DEALER]
