"""The keys for a journal that is read without its daemon: those of the table on this computer, if it has any."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.reach import DEFAULT_CONFIG, named_table
from controller.errors import Coded

if TYPE_CHECKING:
    from controller.journal.veil import Veil


def veil_by(config: Path | None = None) -> Veil:
    """Returns what opens the cards of a journal, by the keys that a table.toml names; those of another table open none.

    Raises FeltError or ConfigError when `config`, or what the command names with --config beside --journal, cannot be
    used; without one the table.toml of this computer is taken if it and its keys may be read: else only cards that were
    turned can be opened.
    """
    from controller.daemon.check import checked
    from controller.journal.veil import NO_VEIL
    from controller.service.card_store import veil_of

    config = config or named_table()
    if config is not None:
        return veil_of(checked(config))
    try:
        return veil_of(checked(DEFAULT_CONFIG))
    except (Coded, OSError):
        return NO_VEIL
