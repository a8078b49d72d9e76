"""An archive as a file: the form of the inspector's export, so that the one-file verifier checks it too.

It is not compressed: what damages a byte damages one record, and whoever has `sha256sum` and an editor can look at it.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from controller.journal.archives import BITE, Archive, Base, DeviceEvents, Leaving
from controller.journal.database import open_regular
from controller.journal.errors import JournalError
from controller.journal.records import Row, parts, seal

WHOLE: Final = "feltd-journal-export-1"  # from record 1 on
LATER: Final = "feltd-journal-export-2"  # from a later one: the first line says what the records before come to
ALTERED: Final = "archive.altered"
_RECORD: Final = b'{"seq":'  # how the line of a record begins
LONGEST: Final = 1 << 24  # bytes of a line: no record comes near
Rest = Callable[[], None]


def first_line(table: str, records: int, base: Base) -> dict[str, Any]:
    """Returns the first line of an export or archive: of which journal, and where it goes on."""
    if not base.seq:
        return {"form": WHOLE, "table": table, "records": records}
    tree = [each.hex() for each in base.frontier]
    return {
        "form": LATER,
        "table": table,
        "records": records,
        "after": base.seq,
        "chain": base.hash.hex(),
        "tree": tree,
    }


def write(file: IO[bytes], head: dict[str, Any], notes: Sequence[str], rows: Iterator[Row]) -> bytes:
    """Writes all of an archive into an open file, and returns its digest."""
    digest = sha256()

    def line(text: str) -> None:
        content = f"{text}\n".encode()
        digest.update(content)
        file.write(content)

    line(_dumped(head))
    for note in notes:
        line(_dumped({"checkpoint": note}))
    for seq, sealed in rows:
        body, hash_ = parts(sealed)
        line(f'{{"seq":{seq},"body":"{b64encode(body).decode()}","hash":"{hash_.hex()}"}}')
    line(_dumped({"end": head["records"]}))
    return digest.digest()


def _dumped(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


class ArchiveReader:
    """An archive that is open for reading; it is believed because its digest is the one that the journal names."""

    def __init__(self, path: Path, rest: Rest = lambda: None) -> None:
        """Opens it and reads it once, from its disk; raises OSError when it cannot."""
        self.path = path
        self._file = open_regular(path)
        try:
            os.posix_fadvise(self._file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # what is in memory proves no disk
            self.version = file_version(path)
            self._begins: list[int] = []  # where each 256th record begins
            self.count = 0
            self.digest = self._look_through(rest)
        except BaseException:
            self._file.close()
            raise

    def _look_through(self, rest: Rest) -> bytes:
        digest, at = sha256(), 0
        while line := self._file.readline(LONGEST):
            digest.update(line)
            if line.startswith(_RECORD):
                if self.count % BITE == 0:
                    self._begins.append(at)
                    rest()
                self.count += 1
            at += len(line)
        return digest.digest()

    def close(self) -> None:
        """Closes it; harmless twice."""
        self._file.close()

    def head(self) -> dict[str, Any]:
        """Returns the first line; raises JournalError when it is none."""
        self._file.seek(0)
        return self._parsed(self._file.readline(LONGEST))

    def rows(self, index: int, limit: int) -> list[Row]:
        """Returns records as the journal stored them, from the one at `index` on, which is 0 for the first.

        The checksum in them is ours; the hash is that of the file.
        """
        if index >= self.count:
            return []
        block, skipped = divmod(index, BITE)
        self._file.seek(self._begins[block])
        for _ in range(skipped):
            self._file.readline(LONGEST)
        return [self._row(self._file.readline(LONGEST)) for _ in range(min(limit, self.count - index))]

    def _row(self, content: bytes) -> Row:
        line = self._parsed(content)
        try:
            return int(line["seq"]), seal(b64decode(line["body"], validate=True), bytes.fromhex(line["hash"]))
        except (KeyError, ValueError, TypeError, ArithmeticError):
            raise self._altered() from None

    def _parsed(self, content: bytes) -> dict[str, Any]:
        try:
            line = json.loads(content)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict):
            raise self._altered()
        return line

    def _altered(self) -> JournalError:
        return JournalError(ALTERED, f"{self.path} has a line that is none of an archive")


def read_back(path: Path, table: str, base: Base, device_events: DeviceEvents, rest: Rest = lambda: None) -> Archive:
    """Returns what an archive that goes on from `base` comes to, computed from the file alone.

    Raises JournalError when it is not of this table, does not begin there, or is not whole.
    """
    reader = ArchiveReader(path, rest)
    try:
        last = base.seq + reader.count
        if reader.head() != first_line(table, last, base):
            raise JournalError(ALTERED, f"{path} does not go on from record {base.seq} of table {table}")
        leaving = Leaving(base, device_events)
        for index in range(0, reader.count, BITE):
            leaving.take(reader.rows(index, BITE))
            rest()
    finally:
        reader.close()
    return leaving.sealed_as(path.name, reader.digest, base.seq + 1)


def file_version(path: Path) -> tuple[int, int, int, int]:
    """Returns what changes when a file is changed or exchanged; raises OSError when there is none."""
    info = path.stat()
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns
