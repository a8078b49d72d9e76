"""The keys of a table as plain data: how each is written, who may press it, what it says."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, Final

from controller.places import JACKPOT
from controller.table.declare import Key
from controller.table.documents import Power
from controller.table.keys import keys_of
from controller.table.options import jackpot_options
from controller.table.rules import Rules
from controller.table.state import Table
from controller.tournament.table_keys import keys_at

Json = dict[str, Any]
ANYBODY: Final = "anybody"  # it tells of a player: it does not matter who is signed in


def wagers_of(rules: Rules) -> tuple[str, ...]:
    """Returns the spots for wagers that this game can have."""
    return (*rules.spots, *((JACKPOT,) if jackpot_options(rules.options) else ()))


def wagers_taken(table: Table, rules: Rules) -> tuple[str, ...]:
    """Returns the spots for wagers at this table: a Jackpot is not offered at each."""
    offered = table.options.typed.jackpot is not None
    return tuple(spot for spot in wagers_of(rules) if offered or spot != JACKPOT)


def has_use(rules: Rules, key: Key, wagers: Container[str]) -> bool:
    """Tells whether a key may ever mean something in this game, where these wagers are taken."""
    return key.name not in rules.unused and (not key.wager or key.wager in wagers)


def keys(rules: Rules, table: Table | None = None) -> list[Json]:
    """Returns every key of a table with these rules, by its name; of this one, those of its tournament too."""
    every = keys_of(rules) if table is None else keys_at(table, rules)
    return [_key(rules, key) for key in sorted(every, key=lambda key: key.name)]


def _key(rules: Rules, key: Key) -> Json:
    return {
        "key": key.name,
        "forms": list(key.written_with(wagers_of(rules))),
        "manner": key.manner,
        "who": [{"word": word, "role": power.role, "rule": power.rule} for word, power in _powers(rules, key)]
        if not key.anyone
        else [{"word": "", "role": ANYBODY, "rule": ""}],
        "says": key.says_with(wagers_of(rules)),
        "used": has_use(rules, key, wagers_of(rules)),
    }


def _powers(rules: Rules, key: Key) -> Iterator[tuple[str, Power]]:
    """Yields who may press it; with the option or the word that makes a difference, where one does."""
    powers = rules.document.powers
    if key.changes_options:
        yield from powers.settings.items()
    elif key.powers_by_words and len(key.first_words) > 1:
        for word in key.first_words:
            yield from ((word, power) for power in key.needs(powers, Table(), (word,)))
    else:
        yield from (("", power) for power in key.needs(powers, Table(), ()))
