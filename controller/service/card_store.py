"""The veil of the table in a table.toml: where its keys are, and whether it has any."""

from __future__ import annotations

from pathlib import Path

from controller.config import TableConfig, cards_key
from controller.journal.veil import NO_VEIL, Veil
from controller.service.card_veil import CardVeil
from controller.service.day_key_file import DayKeyFile


def veil_of(config: TableConfig) -> Veil:
    """Returns what hides the cards of this table; nothing does where no key is configured.

    Raises FeltError when the key is not there, or is not the one of the day keys.
    """
    path = cards_key.place_of(config.journal.cards_key)
    if path is None:
        return NO_VEIL
    return CardVeil(DayKeyFile(day_keys_of(config), config.table.name, cards_key.read(path)).keys())


def day_keys_of(config: TableConfig) -> Path:
    """Returns the file of the day keys: beside the state directory, where no copy of that takes them along."""
    state = config.table.state
    return config.journal.day_keys or state.with_name(f"{state.name}-keys") / "day-keys.json"
