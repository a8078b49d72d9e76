"""Takes and pays that the sensors contradict."""

from __future__ import annotations

from typing import Final

from controller.guard.suspicions import Suspicion, Suspicions
from controller.money import short
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.takes import Mistake

WORDS: Final[dict[Mistake, str]] = {
    "untaken": "{} of a lost wager was not taken",
    "over": "{} more than was due was paid",
    "under": "{} less than was due was paid",
    "added": "{} was put on a lost wager after it was settled",
    "late": "{} came after betting was closed and lies there still",
    "removed": "{} of the wager was taken off before it was settled",
}
LOOK: Final = "Look at the recording of this round, and put it right with the player before the next one."


def find(table: Table, rules: Rules) -> Suspicions:
    """Finds what was not taken, or not paid as it should be."""
    for wrong in table.takes.wrong:
        place, spot = wrong.at
        where = f"Round {wrong.round}, {rules.called.place} {place}, {spot}"
        text = f"{where}: {WORDS[wrong.what].format(short(wrong.by))}."
        yield Suspicion("takes", f"{wrong.round} {place} {spot} {wrong.what}", text, LOOK, wrong.round)
