"""Whether chips are conserved, and every wager has one result: against the house by lines, in poker by stacks."""

from __future__ import annotations

from typing import Final, Protocol

from controller.games import find
from controller.places import JACKPOT
from controller.sim.soak.violation import Invariant, Violation
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Line, Round, Table

FINAL: Final = ("win", "lose", "stand-off", "surrender", "void", "returned", "carried")


class ChipsCheck(Protocol):
    """Follows the chips of a table."""

    def followed(self, fact: AnyFact, before: Table, after: Table, effects: list[AnyEffect]) -> None:
        """Raises Violation when this step has made chips, or lost some."""


class HouseChips:
    """The chips of games against the house."""

    def followed(self, fact: AnyFact, before: Table, after: Table, effects: list[AnyEffect]) -> None:
        r, was = after.round, before.round
        if r is None or not r.outcome or (was is not None and was.number == r.number and was.outcome):
            return
        lines = {line.at: line for line in r.lines}
        self._one_result(r, lines)
        for line in lines.values():
            if not _adds_up(line):
                text = f"round {r.number}: {line.spot} at {line.place}, {line.result} of {line.stake}, moves {line.net}"
                raise Violation(Invariant.CHIPS, text)
        bare = find(after.game).without_chips
        strange = [at for at in lines if at not in r.wagers and at[1] not in bare and lines[at].net]
        if strange and r.outcome == "settled":
            raise Violation(Invariant.CHIPS, f"round {r.number}: {strange[0]} was settled, and nothing lay there")

    def _one_result(self, r: Round, lines: dict[tuple[str, str], Line]) -> None:
        for at, amount in r.wagers.items():
            line = lines.get(at)
            if line is None and at[1] == JACKPOT:
                continue  # its prize may wait for a person
            if line is None or line.result not in FINAL:
                how = "none" if line is None else line.result
                raise Violation(Invariant.RESULT, f"round {r.number} is over, and the result of {at} is {how}")
            if line.stake > amount:
                raise Violation(Invariant.CHIPS, f"round {r.number}: {line.stake} were settled at {at} of {amount}")


def _adds_up(line: Line) -> bool:
    match line.result:
        case "lose":
            return line.net == -line.stake or bool(line.token)
        case "surrender":
            return -line.stake <= line.net <= 0
        case "win":
            return line.net >= 0
        case _:
            return line.net == 0
