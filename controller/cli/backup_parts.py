"""What belongs to a table and is copied: its name in a backup, its place on the computer, and whether it is secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from controller.config import TableConfig, cards_key
from controller.config.key_file import KeyFile
from controller.daemon.compose import JOURNAL
from controller.service import meter_store
from controller.service.card_store import day_keys_of

TABLE: Final = "table.toml"
ARCHIVES: Final = "archives"  # the folder with the archives in a backup
METER: Final = meter_store.FILE
LINK_KEYS: Final = "keys.toml"


class TablePart(NamedTuple):
    """One file of a table."""

    name: str  # in a backup
    place: Path  # on the computer of the table
    what: str  # for people
    secret: bool = False  # with it and the journal somebody reads cards, or speaks as the table


def plain_files(config: TableConfig, file: Path) -> Iterator[TablePart]:
    """Yields the files that people write, and those with keys; what `file` does not name may be missing."""
    yield TablePart(TABLE, file, "the configuration")
    yield TablePart("people.toml", config.people.file, "badges and PINs")
    if config.program.manifest is not None:
        yield TablePart("program.manifest", config.program.manifest, "the manifest of the program")
    yield TablePart(LINK_KEYS, KeyFile(config.table.state).path, "the keys of encrypted links", secret=True)
    cards = cards_key.place_of(config.journal.cards_key)
    if cards is not None:
        yield TablePart("cards.key", cards, "the key of the cards", secret=True)
        yield TablePart("day-keys.json", day_keys_of(config), "the day keys of the cards", secret=True)
    for name, place, what in (
        ("journal.key", config.journal.key, "the key that signs the journal"),
        ("witness.key", config.witness.key, "the key that signs as a witness"),
        ("jackpot.dsn", config.jackpot.dsn_file, "the way to the server of the prize meter"),
    ):
        if place is not None:
            yield TablePart(name, place, what, secret=True)


def journal(config: TableConfig) -> TablePart:
    """Returns the journal."""
    return TablePart(JOURNAL, config.table.state / JOURNAL, "the journal")


def meter(config: TableConfig) -> TablePart:
    """Returns the prize meter of a table that has its own; others have none of this name."""
    return TablePart(METER, config.table.state / METER, "the prize meter")


def archive(config: TableConfig, name: str) -> TablePart:
    """Returns an archive of the journal, by the name of its file."""
    folder = config.journal.archive or config.table.state / ARCHIVES
    return TablePart(f"{ARCHIVES}/{name}", folder / name, "an archive of the journal")
