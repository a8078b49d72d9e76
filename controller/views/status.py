"""The table at one look, as plain data: what it waits for, its rounds, lamps, gates and prompts."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from controller.table.requests import Gate, GateName
from controller.table.rules import Rules
from controller.table.state import Prompt, Table
from controller.table.view import gate, lamps
from controller.views import rounds
from controller.views.notices import notices
from controller.views.presenter import presenter
from controller.views.together import NO_TRUNKS, Trunks
from controller.views.words import phase, prompt_words, waiting

Json = dict[str, Any]
GATES: tuple[GateName, ...] = ("bets", "deal")


def status(table: Table, rules: Rules, trunks: Trunks = NO_TRUNKS) -> Json:
    """Returns what everybody may know of the table as it stands; `trunks`: what its devices share on their way."""
    current = rounds.current(table, rules)
    return {
        "game": table.game,
        "called": rules.called._asdict(),
        "open": table.open,
        "signed_in": {"role": table.role, "person": table.name},
        "round": {"number": table.number, "phase": phase(table, rules)},
        "waiting": [asdict(due) for due in waiting(table, rules)],
        "current": current,
        "last": rounds.last(table, rules),
        **presenter(rules).status(table, rules, current),
        "prompts": [_prompt(prompt) for prompt in table.live],
        "notices": [notice.json() for notice in notices(table, rules, trunks)],
        "lamps": lamps(table, rules),
        "gates": {what: gate_view(gate(table, rules, what)) for what in GATES},
        "faults": table.faults,
    }


def gate_view(at: Gate) -> Json:
    """Returns a gate as plain data; `why` stands there only in words that no rule says."""
    return {"open": at.open, "rule": at.rule, **({"why": at.why} if at.why else {})}


def _prompt(prompt: Prompt) -> Json:
    return {
        "role": prompt.role,
        "text": prompt_words(prompt),
        "rule": prompt.rule,
        "place": prompt.place,
        "offers": list(prompt.offers),
    }
