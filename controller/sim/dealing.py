"""How cards come to a simulated table."""

from __future__ import annotations

from controller.games import laid_on_readers
from controller.table.options import Options
from controller.table.rules import Rules
from hw_sim.models.base import Dealing


def dealing_at(rules: Rules, options: Options) -> Dealing:
    """Returns from what the cards of such a table are dealt: onto readers, where its game reads them on the layout."""
    return "readers" if laid_on_readers(rules) else options.shoe
