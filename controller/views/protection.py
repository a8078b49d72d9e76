"""The alerts of the table's own protection as people read them; here it is decided whether a card may be named."""

from __future__ import annotations

import msgspec

from controller.cards import spoken
from controller.guard.suspicions import Suspicion
from controller.guard.watching import TITLES
from controller.table.facts import ProtectionRaised
from controller.table.rules import Rules
from controller.table.shoe import Out
from controller.table.state import Table


class ProtectionShown(msgspec.Struct, frozen=True):
    """An alert that waits until somebody clears it."""

    alert: int  # its number
    kind: str
    title: str
    text: str
    step: str
    round: int
    since: int  # milliseconds since 1970
    times: int


def raising(suspicion: Suspicion, table: Table, rules: Rules) -> ProtectionRaised:
    """Returns the fact of a suspicion: its cards are named when every one of them is public, and else none is."""
    text = suspicion.text
    if suspicion.named and all(_public(each, table, rules) for each in suspicion.cards):
        text = suspicion.named.format(", ".join(spoken(each.card) for each in suspicion.cards))
    return ProtectionRaised(suspicion.kind, suspicion.about, text, suspicion.round, suspicion.step)


def _public(out: Out, table: Table, rules: Rules) -> bool:
    """Tells whether everybody has seen this card: its round is over and has turned it, or no card lies face down."""
    r = table.round
    if out.public or r is None or out.seq < r.opened:
        return out.public
    lying = rules.cards(table)
    return not (lying.hidden or lying.aside or table.held or any(not burn.shown for burn in lying.burns))


def waiting(table: Table) -> list[ProtectionShown]:
    """Returns the alerts that wait, the oldest first."""
    return [
        ProtectionShown(
            number, each.kind, title(each.kind), each.text, each.step, each.round, _ms(each.since), each.times
        )
        for number, each in table.protection.waiting.items()
    ]


def title(kind: str) -> str:
    """Returns the heading of a kind; of one that another version knows, its name."""
    return TITLES.get(kind, kind.replace("-", " ").capitalize())


def _ms(microseconds: int) -> int:
    return max(0, microseconds) // 1000
