"""The keys that somebody at the keypad may press now: those that are due, and all others that the table would take."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.rules import Role, at_least
from controller.table.declare import Key
from controller.table.faults import STUCK_KEY
from controller.table.keys import SIGN_OUT, find_key
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.keys import wagers_taken
from controller.views.keys_due import keys_due
from controller.views.keys_tried import KeyTried, keys_tried


class KeyNow(msgspec.Struct, frozen=True):
    """A key that may be pressed now; `due`: the table waits for it; `presses`: how, where that is known."""

    key: str
    says: str
    forms: tuple[str, ...]
    due: bool
    presses: tuple[str, ...] = ()


def keys_now(table: Table, rules: Rules, role: Role, tried: Iterable[KeyTried] | None = None) -> list[KeyNow]:
    """Returns the keys that this role may press at the keypad, those that are due first; one that is stuck is none.

    `tried`: how the keys stand, where that was found out already.
    """
    due = keys_due(table, rules)
    stuck = {codes[STUCK_KEY] for codes in table.faults.values() if STUCK_KEY in codes}
    keys = [key for each in tried or keys_tried(table, rules) if each.lit and (key := _pressed_by(role, each, rules))]
    if table.signed is not None:
        keys.append(SIGN_OUT)
    wagers = wagers_taken(table, rules)
    shown = [
        KeyNow(
            key.name,
            key.says_with(wagers),
            key.written_with(wagers),
            key.name in due,
            _ways(key, due.get(key.name, [])),
        )
        for key in keys
        if key.name not in stuck
    ]
    return sorted(shown, key=lambda each: (not each.due, each.key))


def _pressed_by(role: Role, tried: KeyTried, rules: Rules) -> Key | None:
    """Returns the key if this role may press it; what tells of players anybody keys in at the console."""
    key = find_key(rules, tried.key)
    return key if key is not None and (key.anyone or at_least(role, tried.role)) else None


def _ways(key: Key, due: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(" ".join((key.name, *words)) for words in due)
