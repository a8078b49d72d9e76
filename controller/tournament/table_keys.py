"""The keys of a table as it stands: those of its game, and in a tournament those that its dealer has besides."""

from __future__ import annotations

from controller.table.declare import Key, named
from controller.table.keys import keys_of
from controller.table.rules import Rules
from controller.table.state import Table
from controller.tournament.keys import ABSENT, MARKER
from controller.tournament.play import play_in


def keys_at(t: Table, game: Rules) -> tuple[Key, ...]:
    """Returns every key of a table; players of poker are never absent, and not all documents know markers."""
    every, rules = keys_of(game), game.document.tournaments
    if play_in(t) is None or rules is None or rules.blinds:
        return every
    own = (ABSENT, MARKER) if rules.markers else (ABSENT,)
    either = (_either(key, other) if (other := named(own, key.name)) is not None else key for key in every)
    return (*either, *(key for key in own if named(every, key.name) is None))


def _either(one: Key, other: Key) -> Key:
    """Returns a key that is written as either of two of one name, each with its own powers."""
    forms = (*one.forms[1:], *other.forms)
    return Key(
        one.name,
        *one.forms[0],
        also=forms,
        by=lambda powers, t, args: () if not other.misfit(args) else one.needs(powers, t, args),
        says=f"{one.says}; {other.says}",
    )
