"""Which keys the table waits for, and how each is pressed where that is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from controller.table import requests
from controller.table.declare import Words
from controller.table.duties import deck_key
from controller.table.keys import RESUME, SETTLE, find_key
from controller.table.rules import Rules
from controller.table.state import Table, round_runs, wagered

OPEN: Final = "open-table"
NO_MORE_BETS: Final = "no-more-bets"
Press: TypeAlias = tuple[str, Words]  # a key, and the words that come with it


def keys_due(table: Table, rules: Rules) -> dict[str, list[Words]]:
    """Returns the keys that the table waits for, each with the words that answer it, as far as they are known."""
    out: dict[str, list[Words]] = {}
    for name, args in _presses(table, rules):
        if find_key(rules, name) is not None:
            ways = out.setdefault(name, [])
            if args and args not in ways:
                ways.append(args)
    return out


def done_by_hand(table: Table, rules: Rules) -> set[str]:
    """Returns the keys by which the dealer says, without further words, that what the table waits for is done."""
    if not table.open or table.holds or table.talk is not None:
        return set()
    handled = rules.waiting(table) if round_runs(table) else ()
    return {deck_key(table, rules), *(each.key for each in handled if isinstance(each, requests.Handling))}


def _presses(table: Table, rules: Rules) -> Iterator[Press]:
    if not table.open:
        yield OPEN, ()
        return
    if table.holds:
        yield RESUME.name, ()
        if round_runs(table):
            yield "void", ()
        return
    yield from ((word, ()) for p in table.live for word in p.offers)
    if table.talk is not None:
        yield from ((word, ()) for q in table.talk.open if q.place not in table.talk.partial for word in q.words)
        return
    if not round_runs(table) or not table.round or table.round.closed != "dealt":
        yield deck_key(table, rules), ()
    if not round_runs(table):
        return
    waiting = rules.waiting(table)
    for request in waiting:
        yield from _answers(table, request)
    if not waiting:
        yield SETTLE.name, ()


def _answers(table: Table, request: requests.Request) -> Iterator[Press]:
    match request:
        case requests.Wagers() if table.round is not None and wagered(table.round):
            yield NO_MORE_BETS, ()
        case requests.Press(_, key) | requests.Handling(_, key):
            yield key, ()
        case requests.Order():
            yield from (("order", (word,)) for word in ("known", "unknown"))
        case requests.Choice():
            yield from ((word.key, (request.place, *word.args)) for word in request.words)
        case requests.Turn(_, place, what):
            yield "act" if what == "post" else what, (place,)
        case requests.Settle():
            yield SETTLE.name, ()
