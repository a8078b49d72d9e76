"""Which keys a table has; roles, lowest first, and who may press what."""

from __future__ import annotations

from controller.table import facts
from controller.table.declare import Key, no_key
from controller.table.keys import find_key
from controller.table.step import Refusal, Step

RANKS = ("dealer", "supervisor", "area-manager", "assistant-casino-manager", "casino-manager")
NO_KEYS = ("technician", "inspector", "tournament-director")
ROLES = (*RANKS, *NO_KEYS)


def at_least(role: str, lowest: str) -> bool:
    """Whoever is above may do what those below may.

    >>> at_least("area-manager", "supervisor"), at_least("inspector", "dealer")
    (True, False)
    """
    return role in RANKS and RANKS.index(role) >= RANKS.index(lowest)


def declared(s: Step, pressed: facts.Key) -> Key:
    """Returns the key that was pressed; refuses one that this table has not, and words that do not fit it."""
    key = find_key(s.game, pressed.key)
    if key is None:
        raise Refusal("", no_key(pressed.key))
    if wrong := key.misfit(pressed.args):
        raise Refusal("", wrong)
    return key


def allow(s: Step, key: Key, args: tuple[str, ...]) -> None:
    """Refuses a key to whoever has not the power, by the rule that gives it."""
    if key.anyone:
        return
    powers = key.powers(s.t, args)
    if s.t.role in NO_KEYS:
        given = next((s.game.powers[power][1] for power in powers if power in s.game.powers), "")
        raise Refusal(given or s.book["roles"], f"the {s.t.role.replace('-', ' ')} has no keys at this table")
    for power in powers:
        role, rule = s.game.powers.get(power, (key.role, ""))
        if not at_least(s.t.role, role):
            asked = next((q.rule for q in (s.t.talk.open if s.t.talk is not None else ()) if key.name in q.words), rule)
            raise Refusal(asked, f"this needs the {role.replace('-', ' ')}")
