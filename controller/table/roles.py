"""Which keys a table has, and who may press what."""

from __future__ import annotations

from controller.rules import NO_KEYS, at_least, spoken_role
from controller.table import facts
from controller.table.declare import Key, no_key
from controller.table.keys import find_key
from controller.table.step import Refusal, Step


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
    keyless = s.role in NO_KEYS
    if key.anyone and not (keyless and s.elsewhere):
        return
    powers = key.needs(s.powers, s.t, args)
    if keyless:
        given = next((power.rule for power in powers), "")
        raise Refusal(given or s.cites.roles, f"the {spoken_role(s.role)} has no keys at this table")
    for power in powers:
        if not at_least(s.role, power.role):
            questions = s.t.talk.open if s.t.talk is not None else ()
            asked = next((q.rule for q in questions if key.name in q.words), power.rule)
            raise Refusal(asked, f"this needs the {spoken_role(power.role)}")
