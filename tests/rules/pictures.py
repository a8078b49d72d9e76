"""The pictures of a table that people are shown, as data."""

from __future__ import annotations

from collections.abc import Iterator

from controller.games import find
from controller.table.state import Table
from controller.views import decks, promotions
from controller.views.alerts import alerts, standing
from controller.views.felt import felt
from controller.views.pages import limits
from controller.views.round_text import headed
from controller.views.sign_lines import sign_lines
from controller.views.status import status


def pictures(table: Table) -> Iterator[object]:
    """Yields what is shown of a table as it stands."""
    rules = find(table.game)
    yield felt(table, rules)
    at_large = status(table, rules)
    yield at_large
    yield alerts(standing(table, rules))
    yield sign_lines(table, rules, table.now, str)
    yield limits(table, rules, table.now)
    yield decks.shown(table, rules)
    yield promotions.shown(table)
    yield list(headed(at_large["last"]))
