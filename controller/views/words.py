"""Where the table stands in plain words, and what it waits for."""

from __future__ import annotations

from controller.poker.hand.course import stage
from controller.poker.money.stacks import running
from controller.rules import Cited
from controller.table.duties import due
from controller.table.requests import Cards, Choice, Order, Press, Request, Settle, Wagers
from controller.table.rules import Rules
from controller.table.state import Table


def waiting(table: Table, game: Rules) -> list[Cited]:
    """All that is due now; the first one is the most urgent."""
    return due(table, game)


def phase(table: Table, game: Rules) -> str:
    """One word for where the table stands."""
    if not table.open:
        return "closed"
    if table.holds:
        return "held"
    if table.talk is not None:
        return "question"
    if table.round is None or table.round.outcome:
        return "between rounds"
    if running(table) is not None:
        return _STAGES.get(stage(table).what, "dealing")
    requests = game.waiting(table)
    return _PHASES.get(type(requests[0]), "waiting") if requests else "settling"


_PHASES: dict[type[Request], str] = {
    Wagers: "betting",
    Cards: "dealing",
    Order: "dealing",
    Press: "stopped",
    Choice: "deciding",
    Settle: "settling",
}
_STAGES = {"blinds": "deciding", "act": "deciding", "discard": "deciding", "ruling": "stopped", "over": "settling"}
