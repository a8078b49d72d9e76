"""The keys of the console, as data: what follows each, at tables of the house and at Crown Poker.

A key that this kind of table does not have is unknown there. Whether a key that it has is of any use in this game, now,
and for this role is for the table to say: it refuses, with the rule. The shapes are explained in `catalogue.py`.
"""

from __future__ import annotations

from controller.script.catalogue import CROWN, HOUSE

_EVERYWHERE: dict[str, str] = {
    # the round
    "settle": "",
    # what went wrong
    "exposed": "PLACE [N]",
    "short": "PLACE [N|all]",
    "excess": "PLACE [shown]",
    "stray": "AREA",
    "taken": "AREA [CARD...]",
    "viewed": "AREA...",
    "count": "COUNT",
    # rulings
    "order": "known|unknown",
    "keep": "AREA",
    "retract": "AREA",
    "misdeal": "",
    "reconstruct": "[HAND...]",
    "invalidate": "fraud|disturbance",
    "exclude": "AREA",
    "resume": "[CODE]",
    # cards
    "checked": "",
    "shuffled": "",
    "cut": "[COUNT]",
    "replaced": "",
    # limits, signs, opening and closing
    "notice": "SETTING|close-table|close-jackpot...",
    "set": "SETTING...",
    "agree": "majority|all",
    "marker": "AREA LIMIT...",
    "close-table": "",
    "open-table": "",
    # jackpot
    "start-jackpot": "",
    "cancel-jackpot": "",
    "close-jackpot": "SHARE...",
}

_HOUSE: dict[str, str] = {
    # the round
    "no-more-bets": "",
    "announced": "",
    "looked": "",
    "fold": "AREA [ante]",
    "check": "AREA",
    "surrender": "AREA",
    "unable": "AREA",
    "confirm-jackpot": "",
    "owner": "AREA AREA",
    "show-burn": "",
    # rulings
    "burn": "AREA",
    "void": "[AREA]",
    "refuse": "AREA SPOT",
    # cards
    "refuse-cut": "AREA",
    "cutting-card": "COUNT",
}

_CROWN: dict[str, str] = {
    "boxed": "",
    "void": "",
    "dead": "SEAT",
    "burn": "[CARD]",
    "extra-time": "SEAT",
    "ask": "SEAT SEAT",
    "bonus": "SEAT",
    "confirm-bonus": "SEAT",
    "collect": "",
    "confirm-charge": "",
    "drop": "",
    "absent": "SEAT [off]",
    "missed-blind": "SEAT [off]",
    "dealt-out": "SEAT [off]",
    "walking": "SEAT [off]",
    "reserved": "SEAT [off]",
    "move": "SEAT SEAT",
    "moved": "SEAT",
    "list": "NAME [SEAT]",
    "pick-up": "SEAT",
    "back": "NAME",
}

KEYS: dict[str, dict[str, str]] = {HOUSE: _EVERYWHERE | _HOUSE, CROWN: _EVERYWHERE | _CROWN}
