"""What a strict tester wants besides: no refusal goes unnoticed."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules import by
from controller.script import model
from controller.script.play import Failure, Played
from controller.script.record import RefusedLine


def unexpected_refusals(played: Played) -> Iterator[Failure]:
    """Yields each line that a table refused and that no `expect refused` or `expect accepted` after it looks at."""
    ends = [refusals for _, _, refusals in played.seen[1:]] + [len(played.record.refused)]
    for at, (line, _, begin) in enumerate(played.seen):
        for refusal in played.record.refused[begin : ends[at]]:
            if not _looked_at(refusal, played.seen[at + 1 :]):
                yield Failure(line.number, line.text, f"refused{by(refusal.rule)}: {refusal.why}; no line expects that")
                break


def _looked_at(refusal: RefusedLine, after: list[tuple[model.Line, int, int]]) -> bool:
    """Tells whether an expectation before the next deed looks at what this table answered."""
    for line, _, _ in after:
        if not isinstance(line, model.ExpectLine):
            return False
        if isinstance(line, model.ExpectRefused | model.ExpectAccepted) and line.table == refusal.table:
            return True
    return False
