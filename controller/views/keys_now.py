"""Which keys make sense now, for the role that is signed in: those that are due, and those that may be pressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.rules import NO_KEYS, Role, at_least
from controller.table import requests
from controller.table.declare import Key
from controller.table.duties import deck_key
from controller.table.faults import STUCK_KEY
from controller.table.keys import RESUME, SETTLE, find_key, keys_of
from controller.table.rules import Rules
from controller.table.state import Table, round_runs, wagered

OPEN: Final = "open-table"
NO_MORE_BETS: Final = "no-more-bets"


class KeyNow(msgspec.Struct, frozen=True):
    """A key that may be pressed now; `due`: the table waits for it; `presses`: how, where that is known."""

    key: str
    says: str
    forms: tuple[str, ...]
    due: bool
    presses: tuple[str, ...] = ()


def keys_now(table: Table, rules: Rules, role: Role, *, at_keypad: bool = True) -> list[KeyNow]:
    """Returns the keys that this role may press now, those that are due first; at the keypad a stuck one is none."""
    due = _due(table, rules)
    stuck = {codes[STUCK_KEY] for codes in table.faults.values() if STUCK_KEY in codes}
    keys = [
        KeyNow(key.name, key.says, key.written, key.name in due, tuple(due.get(key.name, ())))
        for key in keys_of(rules)
        if not (at_keypad and key.name in stuck)
        and (key.name in due or _makes_sense(table, key))
        and may_press(table, rules, key, role)
    ]
    return sorted(keys, key=lambda each: (not each.due, each.key))


def may_press(table: Table, rules: Rules, key: Key, role: Role) -> bool:
    """Tells whether this role has the power for a key, with some of the words that may come with it."""
    if key.anyone:
        return True
    if role in NO_KEYS:
        return False
    powers = rules.document.powers
    if key.changes_options:
        return any(at_least(role, power.role) for power in powers.settings.values())
    words = [(word,) for word in key.first_words] if key.powers_by_words and key.first_words else [()]
    return any(all(at_least(role, power.role) for power in key.needs(powers, table, each)) for each in words)


def _makes_sense(table: Table, key: Key) -> bool:
    """Tells whether a key may be pressed although nothing waits for it."""
    if key.when == "any":
        return not (table.holds and key.plays)
    return key.when == "round" and round_runs(table) and not (key.plays and (table.holds or table.talk))


# ---- what is due


def _due(table: Table, rules: Rules) -> dict[str, list[str]]:
    """Returns the keys that the table waits for, and how each is pressed where that is known."""
    out: dict[str, list[str]] = {}
    for words in _presses(table, rules):
        name = words.partition(" ")[0]
        if find_key(rules, name) is not None:
            presses = out.setdefault(name, [])
            if words != name and words not in presses:
                presses.append(words)
    return out


def _presses(table: Table, rules: Rules) -> Iterator[str]:
    if not table.open:
        yield OPEN
        return
    if table.holds:
        yield RESUME.name
        if round_runs(table):
            yield "void"
        return
    yield from (word for p in table.live for word in p.offers)
    if table.talk is not None:
        yield from (word for q in table.talk.open if q.place not in table.talk.partial for word in q.words)
        return
    if not round_runs(table) or not table.round or table.round.closed != "dealt":
        yield deck_key(table, rules)
    if not round_runs(table):
        return
    waiting = rules.waiting(table)
    for request in waiting:
        yield from _answers(table, request)
    if not waiting:
        yield SETTLE.name


def _answers(table: Table, request: requests.Request) -> Iterator[str]:
    match request:
        case requests.Wagers() if table.round is not None and wagered(table.round):
            yield NO_MORE_BETS
        case requests.Press(_, key) | requests.Handling(_, key):
            yield key
        case requests.Order():
            yield from ("order known", "order unknown")
        case requests.Choice():
            yield from (" ".join((word.key, request.place, *word.args)) for word in request.words)
        case requests.Turn(_, place, what):
            yield f"{'act' if what == 'post' else what} {place}"
        case requests.Settle():
            yield SETTLE.name
