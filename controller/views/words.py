"""Where the table stands in plain words, and what it waits for."""

from __future__ import annotations

from typing import Final

from controller.rules import Cited
from controller.table import causes
from controller.table.duties import due
from controller.table.requests import Cards, Choice, Handling, Order, Press, Request, Settle, Turn, Wagers
from controller.table.rules import Rules
from controller.table.state import Prompt, Table

TEST_MODE: Final = "TEST MODE"
TEST_WORDS: Final = "TEST MODE: nothing that happens here counts"  # on every page, sign and console of such a table


def waiting(table: Table, game: Rules) -> list[Cited]:
    """Returns everything that is due now; the first one is the most urgent."""
    return due(table, game)


def prompt_words(prompt: Prompt) -> str:
    """Returns what somebody is told; of a report that waits also that it is on record.

    >>> prompt_words(Prompt(1, 1, "dealer", "answer first", "9.5", cause=causes.Later("exposed 1")))
    'answer first: exposed 1 is on record, and is looked at then'
    """
    if isinstance(prompt.cause, causes.Later):
        return f"{prompt.text}: {prompt.cause.report} is on record, and is looked at then"
    return prompt.text


def phase(table: Table, game: Rules) -> str:
    """Returns in one or two words where the table stands."""
    if not table.open:
        return "closed"
    if table.holds:
        return "held"
    if table.talk is not None:
        return "question"
    if table.round is None or table.round.outcome:
        return f"between {game.called.round}s"
    requests = game.waiting(table)
    return _PHASES.get(type(requests[0]), "waiting") if requests else "settling"


NEEDS_SOMEBODY: Final = frozenset({"held", "question", "stopped"})  # phases that end when a person has ruled
_PHASES: dict[type[Request], str] = {
    Wagers: "betting",
    Cards: "dealing",
    Order: "dealing",
    Handling: "dealing",
    Press: "stopped",
    Choice: "deciding",
    Turn: "deciding",
    Settle: "settling",
}
