"""Roles, lowest first, and who may press what."""

from __future__ import annotations

from controller.table.step import Refusal, Step

RANKS = ("dealer", "supervisor", "area-manager", "assistant-casino-manager", "casino-manager")
NO_KEYS = ("technician", "inspector", "tournament-director")
NOBODYS = ("seat", "leave", "act", "said", "discard")  # players come, act and go, whoever is signed in
ROLES = (*RANKS, *NO_KEYS)


def at_least(role: str, lowest: str) -> bool:
    """Whoever is above may do what those below may.

    >>> at_least("area-manager", "supervisor"), at_least("inspector", "dealer")
    (True, False)
    """
    return role in RANKS and RANKS.index(role) >= RANKS.index(lowest)


def allow(s: Step, key: str, args: tuple[str, ...]) -> None:
    """Refuses a key to whoever has not the power, by the rule that gives it."""
    if key in NOBODYS:
        return
    if s.t.role in NO_KEYS:
        given = next((s.game.powers[power][1] for power in _powers(s, key, args) if power in s.game.powers), "")
        raise Refusal(given or s.book["roles"], f"the {s.t.role.replace('-', ' ')} has no keys at this table")
    for power in _powers(s, key, args):
        role, rule = s.game.powers.get(power, ("dealer", ""))
        if not at_least(s.t.role, role):
            asked = next((q.rule for q in (s.t.talk.open if s.t.talk is not None else ()) if key in q.words), rule)
            raise Refusal(asked, f"this needs the {role.replace('-', ' ')}")


def _powers(s: Step, key: str, args: tuple[str, ...]) -> list[str]:
    return ["void machine"] if (key, args) == ("void", ()) and "shuffler" in s.t.faults else powers(key, args)


def powers(key: str, args: tuple[str, ...]) -> list[str]:
    """Returns the names under which a game lists who may press this key.

    >>> powers("set", ("min=5", "max=100")), powers("notice", ("close-table",))
    (['set min', 'set max'], ['close-table'])
    """
    match key, args:
        case "set", _:
            return ["set " + arg.partition("=")[0] for arg in args]
        case "notice", ("close-table" | "close-jackpot" as word, *_):
            return [word]
        case "notice", _:
            return ["set " + arg.partition("=")[0] for arg in args]
        case "invalidate", (cause, *_):
            return [f"invalidate {cause}"]
    return [key]
