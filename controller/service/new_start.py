"""A start with another configuration: what it may not forget, and what it must announce first."""

from __future__ import annotations

from controller.errors import FeltError
from controller.games import find
from controller.table import new_configuration
from controller.table.facts import Started
from controller.table.state import Table

UNFINISHED = "table.unfinished"  # it would forget what must be finished: the table does not start
UNANNOUNCED = "table.unannounced"  # it would be in force without a notice, and cannot wait for one


def same(table: Table, begin: Started) -> bool:
    """Tells whether the table was set up by this configuration, whatever of it is only announced yet."""
    return table.begun is not None and table.begun.configured == begin


def announced_first(table: Table, begin: Started, now: int) -> Started:
    """Returns the configuration as it begins at a table that has another one: what the sign announces first waits.

    Raises FeltError where the rest of it cannot be played without what waits.
    """
    if not table.game or same(table, begin):
        return begin
    held = new_configuration.announced_first(find(begin.game), table, begin, now)
    if held.against:
        later = ", ".join(f"{option}={value}" for option, value in held.begin.announced.items())
        raise FeltError(
            UNANNOUNCED,
            f"the sign has not announced {later} for long enough, and without it: {held.against} ({held.rule})",
            f"put the former options back, press notice {later.replace(',', '')}, change them when its time is over",
        )
    return held.begin


def check_change(table: Table, begin: Started) -> None:
    """Raises FeltError while something is open that another configuration would forget."""
    if not table.game or same(table, begin):
        return
    if table.round is not None and not table.round.outcome:
        raise FeltError(
            UNFINISHED,
            "the configuration was changed while a round was running",
            "put the former options back, finish the round, then change them",
        )
    if table.mode.kind:
        raise FeltError(
            UNFINISHED,
            "the configuration was changed while the table is in a tournament",
            "put the former options back; free the table when the tournament is over (`felt tournament table`), then "
            "change them",
        )
    jackpot = table.jackpot
    if jackpot.registered or jackpot.pending or jackpot.outbox:
        raise FeltError(
            UNFINISHED,
            "the configuration was changed while Jackpot wagers or prizes were open",
            "put the former options back, let them be settled and told to the prize meter, then change them",
        )
