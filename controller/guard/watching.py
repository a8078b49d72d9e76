"""All that is watched at a table, in one place."""

from __future__ import annotations

from typing import Final

from controller.guard import cards, takes
from controller.guard.order import ShoeOrder
from controller.guard.suspicions import Suspicion
from controller.table.rules import Rules
from controller.table.state import Table

TITLES: Final = {  # of each kind of alert, for people
    "cards": "Cards do not add up",
    "order": "Cards not shuffled",
    "takes": "Takes and pays",
    "pace": "Pace",
    "win": "Unusual win",
    "door": "Door opened in a round",
    "forced": "Door opened without permission",
    "pins": "Wrong PINs",
}


class TableGuard:
    """Looks at a table whose step is over; it keeps only what spares it from looking twice at the same cards."""

    def __init__(self) -> None:
        self._order = ShoeOrder()

    def look(self, table: Table, rules: Rules) -> list[Suspicion]:
        """Returns all that is found at this table now, what was told before too."""
        return [*cards.find(table, rules), *self._order.find(table), *takes.find(table, rules)]
