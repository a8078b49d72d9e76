"""The keys for a journal's file that is read without its daemon: those of the table on this computer, if it is its."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.reach import DEFAULT_CONFIG
from controller.errors import Coded

if TYPE_CHECKING:
    from controller.journal.veil import Veil


def veil_for(file: Path, config: Path | None = None) -> Veil:
    """Returns what opens the cards of a journal.

    With `config` that table's keys, or FeltError; otherwise those of the table here, when the file is its journal and
    the keys may be read; with none only cards that were turned can be opened.
    """
    from controller.daemon.check import checked
    from controller.daemon.compose import JOURNAL
    from controller.journal.veil import NO_VEIL
    from controller.service.card_store import veil_of

    if config is not None:
        return veil_of(checked(config))
    try:
        table = checked(DEFAULT_CONFIG)
        ours = (table.table.state / JOURNAL).samefile(file)
        return veil_of(table) if ours else NO_VEIL
    except (Coded, OSError):
        return NO_VEIL
