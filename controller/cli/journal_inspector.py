"""felt journal export --inspector: a folder with all records, the checkpoints, and the program that checks them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from controller.api import routes
from controller.cli.client import Client, dumped
from controller.cli.journal_file import Bar, read_journal
from controller.errors import FeltError
from controller.views.inspected import RecordShown

if TYPE_CHECKING:
    from controller.api.shapes import RecordsShown
    from controller.journal.archives import Base
    from controller.journal.store import Journal

EXPORT: Final = "records.jsonl"
PROGRAM: Final = "verify_export.py"
MOST: Final = 1000  # checkpoints


class Exported(NamedTuple):
    """What was written: how many records and checkpoints, and where."""

    folder: Path
    records: int
    checkpoints: int
    archives: tuple[str, ...] = ()  # which have the records before

    def text(self) -> str:
        """Returns it in words, with what to do next."""
        before = "ARCHIVES " if self.archives else ""
        check = f"python3 {self.folder / PROGRAM} {before}{self.folder / EXPORT} --key KEY --checkpoint FILE"
        text = f"{self.folder}: {self.records} records, {self.checkpoints} checkpoints; check it with\n  {check}"
        older = f"\n  the records before are in {', '.join(self.archives)}: give them in this order, first"
        return text + (older if self.archives else "")


class RecordSource(Protocol):
    """Where records come from."""

    def page(self, after: int) -> RecordsShown:
        """Returns records behind `after`."""
        ...

    def notes(self) -> list[str]:
        """Returns the checkpoints that are kept, the oldest first."""
        ...


def export(file: Path | None, path: str, folder: Path) -> Exported:
    """Writes the folder, which must be new, from a file or from the daemon; raises FeltError when it cannot."""
    try:
        folder.mkdir()
        (folder / PROGRAM).write_bytes((files("controller.journal") / PROGRAM).read_bytes())
        if file is None:
            return _write(_Daemon(path), folder)
        return read_journal(file, lambda journal, _progress: _write(_File(journal), folder))
    except OSError as error:
        raise FeltError("journal.unwritable", f"{folder}: {error.strerror}") from None


def _write(source: RecordSource, folder: Path) -> Exported:
    """Writes checkpoints first: whoever reads the records then knows where to compare."""
    from controller.journal.archive_file import first_line

    first = source.page(0)
    table, head, begin = first["table"], first["head"], _begin(first)
    notes = [each for each in source.notes() if begin.seq <= _size(each) <= head]
    written, bar = begin.seq, Bar()
    with (folder / EXPORT).open("x", encoding="utf-8") as out:
        print(dumped(first_line(table, head, begin)), file=out)
        for note in notes:
            print(dumped({"checkpoint": note}), file=out)
        for record in _records(source, first):
            last = record["seq"] + record.get("count", 1) - 1
            if last > head:  # the table goes on meanwhile
                break
            print(dumped(record), file=out)
            written = last
            bar.show(last, head)
        print(dumped({"end": written}), file=out)
    bar.end()
    archives = tuple(first["begin"]["archives"]) if "begin" in first else ()
    return Exported(folder, written - begin.seq, len(notes), archives)


def _begin(page: RecordsShown) -> Base:
    """Returns what the records come to that are in archives."""
    from controller.journal.archives import Base, beginning

    if "begin" not in page:
        return beginning(page["table"])
    begin = page["begin"]
    return Base(begin["after"], bytes.fromhex(begin["chain"]), b"", tuple(map(bytes.fromhex, begin["tree"])))


def _size(note: str) -> int:
    from controller.journal.checkpoints import Checkpoint
    from controller.journal.notes import Note

    return Checkpoint.from_text(Note.from_text(note).text).size


def _records(source: RecordSource, page: RecordsShown) -> Iterator[RecordShown]:
    while True:
        yield from page["records"]
        if page["next"] is None:
            return
        page = source.page(page["next"])


class _Daemon:
    def __init__(self, path: str) -> None:
        self._client = Client(path, timeout=None)

    def page(self, after: int) -> RecordsShown:
        return self._client.get(routes.JOURNAL_RECORDS, after=after)

    def notes(self) -> list[str]:
        return self._client.get(routes.CHECKPOINTS, n=MOST)["checkpoints"]


class _File:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def page(self, after: int) -> RecordsShown:
        from controller.api.reports import records_json

        return records_json(self._journal, after)

    def notes(self) -> list[str]:
        from controller.api.reports import newest_notes

        return newest_notes(self._journal, MOST)
