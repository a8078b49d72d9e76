"""From a configuration to a table that can begin."""

from __future__ import annotations

from controller.config.model import TableConfig
from controller.games import defaults, find
from controller.table.facts import Started
from controller.table.options import Options, demanded
from controller.table.state import Keeper


def options_of(config: TableConfig) -> Options:
    """Returns the options of the table; raises Unwritable for a configuration that was not checked."""
    return demanded(find(config.table.game).options(), config.options)


def begin(config: TableConfig) -> Started:
    """Returns the first fact of a table with this configuration."""
    return Started(config.table.game, {**defaults(config.table.game), **config.options}, meter=_keeper(config))


def _keeper(config: TableConfig) -> Keeper:
    """Returns who keeps the prize meter.

    With other tables, or a ceiling, the store alone knows what a prize comes to.
    """
    if not offers_jackpot(config):
        return ""
    return "shared" if config.jackpot.store == "postgres" or config.jackpot.ceiling is not None else "own"


def offers_jackpot(config: TableConfig) -> bool:
    """Tells whether there is a prize meter."""
    return options_of(config).jackpot is not None
