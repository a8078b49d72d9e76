"""The alerts of this table's own protection: each stays until a person with a name has cleared it, and says why.

Facts alone decide it, so that a restart forgets nothing.  They rule nothing and ask nobody.  What is kept is shared by
all copies of a table and never changed in place.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.rules import Rank, at_least, is_role, spoken_role
from controller.table.facts import ProtectionCleared, ProtectionRaised

CLEARS: Final[Rank] = "supervisor"  # the lowest role that may
OF_ROUNDS: Final = ("takes", "pace", "win", "door")  # kinds that are named by the numbers of rounds
REMEMBERED: Final = 100  # subjects that were cleared and are not raised once more


class Raised(msgspec.Struct, frozen=True, omit_defaults=True):
    """An alert that waits for somebody."""

    kind: str
    about: str
    text: str
    since: int  # by the clock of this computer, in microseconds since 1970
    round: int = 0
    step: str = ""
    times: int = 1  # how often it was told

    @property
    def subject(self) -> tuple[str, str]:
        """What it is about: the same when it is told again."""
        return self.kind, self.about


class Protection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The alerts that wait, and what was cleared lately."""

    waiting: dict[int, Raised] = {}  # by the number of the fact that raised it; never changed in place
    cleared: tuple[tuple[str, str], ...] = ()  # the newest last

    def knows(self, kind: str, about: str, text: str) -> bool:
        """Tells whether this was told before, in these words, or was cleared."""
        if (kind, about) in self.cleared:
            return True
        return any(each.subject == (kind, about) and each.text == text for each in self.waiting.values())

    def counted_anew(self, seq: int) -> Protection:
        """Returns the same when rounds are counted from one again, by fact `seq`: what is named by a round is another.

        Cards and their orders are named by shoes and facts, which go on.
        """
        waiting = {
            number: replace(each, about=f"{each.about} before {seq}") if each.kind in OF_ROUNDS else each
            for number, each in self.waiting.items()
        }
        return Protection(waiting, tuple(subject for subject in self.cleared if subject[0] not in OF_ROUNDS))


NOTHING_RAISED: Final = Protection()
ProtectionFact: TypeAlias = ProtectionRaised | ProtectionCleared


def follow(kept: Protection, seq: int, at: int, fact: ProtectionFact) -> tuple[Protection, str]:
    """Returns the alerts after this fact, and why it is refused: "" when it is not."""
    if isinstance(fact, ProtectionRaised):
        return _raised(kept, seq, at, fact), ""
    if not (is_role(fact.role) and at_least(fact.role, CLEARS)):
        return kept, f"this needs the {spoken_role(CLEARS)}"
    if not fact.reason.strip():
        return kept, "say why it is cleared"
    alert = kept.waiting.get(fact.alert)
    if alert is None:
        return kept, f"no alert {fact.alert} waits here"
    left = {number: each for number, each in kept.waiting.items() if number != fact.alert}
    return Protection(left, (*kept.cleared, alert.subject)[-REMEMBERED:]), ""


def _raised(kept: Protection, seq: int, at: int, fact: ProtectionRaised) -> Protection:
    """Keeps an alert; one that waits already is told in the new words, under its old number."""
    new = Raised(fact.kind, fact.about, fact.text, at, fact.round, fact.step)
    for number, before in kept.waiting.items():
        if before.subject == new.subject:
            again = replace(new, since=before.since, times=before.times + 1)
            return replace(kept, waiting={**kept.waiting, number: again})
    return replace(kept, waiting={**kept.waiting, seq: new})
