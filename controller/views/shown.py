"""The public cards of a round: what the rules turned, and what was compared at settlement.  Folded hands never are.

Every output (status, pages, demo, journal, events) asks here, so that all of them tell the same.
"""

from __future__ import annotations

from controller.games import find
from controller.table.state import Table


def public_hands(table: Table) -> dict[str, list[str]]:
    """Returns the cards by place as anybody may see them, of the round that runs or the last one; "??" is hidden."""
    return find(table.game).hands(table) if table.game else {}
