"""The chips that lie on the layout and are no wager, for the dealer's console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from controller.places import At, place_of
from controller.service import console
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Chips
from controller.table.requests import Settle
from controller.table.rules import Rules
from controller.table.state import Table


class _Refusal(NamedTuple):
    line: str  # for the dealer
    lying: Mapping[At, int]  # the chips that were refused: wager -> cents


class RefusedChips:
    """Why the chips that were read last do not count, by area, in the round that runs."""

    def __init__(self) -> None:
        self._by_area: dict[int, _Refusal] = {}
        self._round = (0, True)  # the round in which they came, and whether it was over

    def follow(self, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Keeps what was refused; forgets what was read anew, and everything with the next round."""
        if isinstance(fact, Chips):
            self._read(fact, effects)
            self._round = _round_of(table)
        elif self._round != _round_of(table):
            self._by_area.clear()

    def _read(self, fact: Chips, effects: list[AnyEffect]) -> None:
        self._by_area.pop(fact.area, None)
        lying = {(place_of(fact.area, x.bettor), x.spot): x.amount for x in fact.spots if x.amount}
        for refused in effects:
            if isinstance(refused, Refused) and lying:
                line = console.line(refused.rule, f"chips refused: {refused.why}", f"area {fact.area}")
                self._by_area[fact.area] = _Refusal(line, lying)

    def lines(self, table: Table, game: Rules) -> list[str]:
        """Returns what the dealer reads until a rule lets the chips count after all (002 13.8, 003 11.11)."""
        if not self._by_area:
            return []
        stakes = _stakes_due(table, game)
        return [
            refusal.line
            for refusal in self._by_area.values()
            if any(stakes.get(wager) != amount for wager, amount in refusal.lying.items())
        ]


def _stakes_due(table: Table, game: Rules) -> dict[At, int]:
    """Returns the wagers that the next settlement pays or takes, in cents."""
    requests = game.waiting(table)
    waiting = requests
    due = [line for request in waiting if isinstance(request, Settle) for line in request.lines]
    return {line.at: line.stake + line.surplus for line in due}


def _round_of(table: Table) -> tuple[int, bool]:
    return table.number, table.round is None or bool(table.round.outcome)
