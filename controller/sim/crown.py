"""The dealer's hands at a Crown Poker table: cards are dealt from the hand onto readers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from controller.games import step
from controller.poker.view import next_reader
from controller.table.facts import CardRead
from controller.table.state import Table
from hw_sim.table import SimTable

Rest = Callable[[], Awaitable[None]]


class Hands:
    """Deals each card to the place where the table expects it.

    A reader that is cut off reports later what was laid on it; until then the dealer knows more than the table.
    """

    def __init__(self, sim: SimTable, table: Callable[[], Table], rest: Rest) -> None:
        self._sim = sim
        self._table = table
        self._rest = rest
        self._unreported: list[CardRead] = []
        self.on_deed: Callable[[], None] = lambda: None  # called before each card

    async def deal(self, cards: tuple[str, ...], face_up: bool = False) -> None:
        """Lays one card, or several at once, at the seat or on the board where the table expects the next one."""
        place = next_reader(self._ahead())
        reader = self._sim.devices.get(f"reader.{place}") or self._sim.device("reader.board")
        self.on_deed()
        reader.do("lay", ("^" if face_up else "") + "+".join(cards))
        await self._rest()
        if reader.pending:
            self._unreported.append(CardRead(place, cards[0], face_up, cards if len(cards) > 1 else ()))

    def _ahead(self) -> Table:
        """Returns the table as it will be when every card is reported."""
        table = self._table()
        self._unreported = [read for read in self._unreported if self._sim.device(f"reader.{read.reader}").pending]
        for read in self._unreported:
            table, _ = step(table, 0, table.now + table.ahead, read)
        return table
