"""What a daemon of its own process needs to hide its cards, and its journal as a person with the keys reads it."""

from __future__ import annotations

from pathlib import Path

from controller.config.load import load_config
from controller.daemon.compose import JOURNAL
from controller.journal.store import Journal
from controller.journal.verify import verify
from controller.service.card_store import veil_of


def cards_key(home: Path) -> list[str]:
    """Lines of a table.toml that say where the key of the cards is; `felt table init` makes it."""
    return ["[journal]", f'cards-key = "{home / "cards.key"}"']


def journal_in(home: Path) -> Journal:
    """The sound journal of the table whose table.toml and state directory are in `home`."""
    path = home / "state" / JOURNAL
    assert verify(path).ok
    return Journal.inspect(path, veil_of(load_config(home / "table.toml")))
