"""A start with another configuration: what it may not forget, and what it must announce first."""

from __future__ import annotations

from collections.abc import Iterator

from controller.errors import FeltError
from controller.games import find
from controller.rules import by
from controller.table import new_configuration
from controller.table.facts import Started
from controller.table.state import Table
from controller.views.fact_text import waiting

LIVE, TEST = "live", "test"  # kinds of tables
LIVE_JOURNAL = "test.live-journal"  # a test would go on with the journal of a live table
TEST_JOURNAL = "test.journal"  # a live table would go on with the journal of tests
UNFINISHED = "table.unfinished"  # it would forget what must be finished: the table does not start
UNANNOUNCED = "table.unannounced"  # it would be in force without a notice, and cannot wait for one


def same(table: Table, begin: Started) -> bool:
    """Tells whether the table was set up by this configuration, whatever of it is only announced yet."""
    return table.begun is not None and table.begun.configured == begin.configured


def goes_on(table: Table, begin: Started, now: int) -> bool:
    """Tells whether the table goes on as it was set up: by this configuration, of which nothing can begin now."""
    if not table.game or not same(table, begin):
        return False
    return any(_unfinished(table)) or not new_configuration.only_at_a_start(table, now)


def announced_first(table: Table, begin: Started, now: int) -> Started:
    """Returns the configuration as it begins at a table that has another one: what the sign announces first waits.

    Raises FeltError where it cannot wait: the rest of it cannot be played without what waits, or it is another game.
    """
    if not table.game:
        return begin
    held = new_configuration.announced_first(find(table.game), find(begin.game), table, begin, now)
    if held.against is not None:
        cause, step = f"{held.against.text}{by(held.against.rule)}", f"put the former options back, {held.step}"
        raise FeltError(UNANNOUNCED, cause, step)
    return held.begin


def noted(begin: Started) -> Iterator[str]:
    """Yields what a start with another configuration notes in the log."""
    if begin.instead_of:
        yield f"the table plays another game since this start: {begin.game}, before it {begin.instead_of}"
    if begin.announced:
        waits = waiting(begin)
        yield f"the sign announces what may not change at once; not in force yet: {waits}"


def check_kind(table: Table, begin: Started) -> None:
    """Raises FeltError where a test would go on with the journal of a live table, or a live table with that of a test.

    The prize meter of a table of its own lies beside its journal, so none of it moves by another kind of table.
    """
    if table.begun is None or not begin.version:  # new, or no daemon's start
        return
    before, now = table.begun.kind, begin.kind
    if now == TEST and before != TEST:
        raise FeltError(LIVE_JOURNAL, "the journal in this state directory is not one of a table in test mode")
    if before == LIVE and now != LIVE:
        raise FeltError(LIVE_JOURNAL, "the journal in this state directory is that of a live table, with real devices")
    if before == TEST and now != TEST:
        raise FeltError(TEST_JOURNAL, "the journal in this state directory is one of a table in test mode")


def check_start(table: Table, begin: Started, now: int) -> None:
    """Raises FeltError when a start of this table with this configuration would do so."""
    check_kind(table, begin)
    if not goes_on(table, begin, now):
        check_change(table)
        announced_first(table, begin, now)


def check_change(table: Table) -> None:
    """Raises FeltError while something is open that another configuration would forget."""
    for cause, step in _unfinished(table):
        raise FeltError(UNFINISHED, cause, step)


def _unfinished(table: Table) -> Iterator[tuple[str, str]]:
    """Yields what is open, and what somebody does about it before the configuration is changed."""
    if table.round is not None and not table.round.outcome:
        yield (
            "the configuration was changed while a round was running",
            "put the former options back, finish the round, then change them",
        )
    if table.mode.kind:
        yield (
            "the configuration was changed while the table is in a tournament",
            "put the former options back; free the table when the tournament is over (`felt tournament table`), then "
            "change them",
        )
    jackpot = table.jackpot
    if jackpot.registered or jackpot.pending or jackpot.outbox:
        yield (
            "the configuration was changed while Jackpot wagers or prizes were open",
            "put the former options back, let them be settled and told to the prize meter, then change them",
        )
