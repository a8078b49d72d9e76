"""The index of rounds: `rounds.db` beside the journal, with the records of the latest rounds.

It is derived from the journal and never the truth: whatever is wrong with it, it is thrown away and made anew.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from controller.errors import FeltError
from controller.places import shared_place
from controller.views import record as form
from controller.views.asides import Aside
from controller.views.float_form import FloatEntry
from controller.views.record import RoundRecord, Summary
from controller.views.recorder import summary

APPLICATION_ID: Final = 0x46454C52  # "FELR"
FILE: Final = "rounds.db"
UNKEPT: Final = "rounds.unkept"
KEEP: Final = 10_000  # rounds, unless the configuration says otherwise
MOST_LISTED: Final = 200
SEAL: Final = 4  # bytes of the checksum behind all that is kept
PIECE: Final = 50  # rounds that are read at once for a report
_SCHEMA: Final = f"""
BEGIN;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE round (
    opened INTEGER PRIMARY KEY, number INTEGER NOT NULL, game TEXT NOT NULL, at TEXT NOT NULL, outcome TEXT NOT NULL,
    areas TEXT NOT NULL, irregular TEXT NOT NULL, summary BLOB NOT NULL, record BLOB NOT NULL
) STRICT;
CREATE TABLE waypoint (
    seq INTEGER PRIMARY KEY, number INTEGER NOT NULL, counted_up INTEGER NOT NULL, state BLOB NOT NULL
) STRICT;
CREATE TABLE float (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, entry BLOB NOT NULL) STRICT;
CREATE TABLE aside (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, data BLOB NOT NULL) STRICT;
CREATE INDEX by_number ON round (number, opened);
PRAGMA application_id = {APPLICATION_ID};
COMMIT;
"""

T = TypeVar("T")


class Wanted(NamedTuple):
    """Which rounds are asked for; what is empty asks for all."""

    game: str = ""
    area: str = ""
    outcome: str = ""
    irregular: str = ""  # a kind, "any" or "none"
    since: str = ""  # ISO 8601 in UTC, as records have it
    until: str = ""
    before: int = 0  # opened before this fact
    most: int = 20

    def fits(self, each: Summary) -> bool:
        """Tells whether a round is asked for."""
        return all(
            (
                self.game in ("", each.game),
                self.outcome in ("", each.outcome),
                not self.area or self.area in map(shared_place, each.places),
                self._fits_irregular(each),
                not self.since or each.opened.at >= self.since,
                not self.until or each.opened.at < self.until,
                not self.before or each.opened.seq < self.before,
            )
        )

    def _fits_irregular(self, each: Summary) -> bool:
        match self.irregular:
            case "":
                return True
            case "any":
                return bool(each.irregular)
            case "none":
                return not each.irregular
        return self.irregular in each.irregular


class RoundsDamaged(FeltError):
    """Something in the index is not what was kept."""


class Position(NamedTuple):
    """How far the index is: the last fact that it has told, and the hash of its record."""

    seq: int
    hash: str


class Waypoint(NamedTuple):
    """The table between two rounds: behind this fact, with this round as the last one."""

    seq: int = 0
    number: int = 0
    counted_up: bool = False  # the numbers of rounds did not begin anew since the waypoint before
    state: bytes = b""  # empty: as the journal begins


class Stretch(NamedTuple):
    """A part of the journal, from a waypoint up to the last fact that may have opened a round in it."""

    begin: Waypoint
    end: int
    counts_up: bool  # no number stands twice in it


class StoredRound(NamedTuple):
    """A round as the index has it: the columns by which it is found and listed, and its record."""

    columns: tuple[Any, ...]
    record: RoundRecord

    @classmethod
    def of(cls, record: RoundRecord) -> StoredRound:
        """Returns what the index must have of this round."""
        return cls(_row(record)[:-1], record)


class RoundStore:
    """The open index.  One thread writes; whoever asks may be another."""

    def __init__(self, connection: sqlite3.Connection, keep: int) -> None:
        self._connection = connection
        self._keep = keep
        self._lock = threading.Lock()
        self.damaged: RoundsDamaged | None = None  # whoever keeps it makes it anew
        self.closed = False  # whoever keeps it may have opened another one

    @classmethod
    def open(cls, path: Path, table: str, keep: int = KEEP) -> RoundStore:
        """Opens the index of `table`; an empty one when there is none or it is of no use.

        Raises sqlite3.Error or OSError when none can be had.
        """
        if path.exists() and not _usable(path, table):
            discard(path)
        new = not path.exists()
        store = cls(_connected(path), keep)
        if new:
            store._connection.executescript(_SCHEMA)
            store._connection.execute("INSERT INTO meta VALUES ('form', ?), ('table', ?)", (_form(), table))
        return store

    @classmethod
    def inspect(cls, path: Path, table: str) -> RoundStore | None:
        """Opens the index of a stopped table for reading only; None when there is none, or none of today's form."""
        if not path.exists():
            return None
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
        store = cls(connection, KEEP)
        try:
            if (store._meta("form"), store._meta("table")) == (_form(), table):
                return store
        except sqlite3.Error:
            pass  # a damaged one is made anew at the next start
        connection.close()
        return None

    def close(self) -> None:
        """Closes the file; harmless twice."""
        with self._lock:
            self.closed = True
            self._connection.close()

    # ---- writing

    def keep(
        self, records: Iterable[RoundRecord], position: Position, beside: Iterable[FloatEntry | Aside] = ()
    ) -> None:
        """Keeps these rounds, and that everything up to `position` is in; the oldest beyond the bound are let go.

        What happened beside them is kept too: all that was done to the float, and the latest of the rest.
        """
        rows = [_row(record) for record in records]
        moved: list[tuple[int, str, bytes]] = []
        asides: list[tuple[int, str, bytes]] = []
        for each in beside:
            into = moved if isinstance(each, FloatEntry) else asides
            into.append((each.at.seq, each.at.at, sealed(msgspec.json.encode(each))))
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
                self._connection.executemany("INSERT OR REPLACE INTO float VALUES (?, ?, ?)", moved)
                self._connection.executemany("INSERT OR REPLACE INTO aside VALUES (?, ?, ?)", asides)
                if rows:
                    self._let_go()
                if asides:
                    self._let_asides_go()
                self._set({"told": str(position.seq), "hash": position.hash})
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _let_go(self) -> None:
        beyond = self._connection.execute(
            "SELECT opened FROM round ORDER BY opened DESC LIMIT 1 OFFSET ?", (self._keep,)
        ).fetchone()
        if beyond is not None:
            self._connection.execute("DELETE FROM round WHERE opened <= ?", beyond)
            self._set({"gone": str(beyond[0])})

    def _let_asides_go(self) -> None:
        """Lets the oldest go of what happened beside the rounds: a device may fail a million times."""
        self._connection.execute(
            "DELETE FROM aside WHERE seq <= (SELECT seq FROM aside ORDER BY seq DESC LIMIT 1 OFFSET ?)", (self._keep,)
        )

    def keep_waypoint(self, waypoint: Waypoint) -> None:
        """Keeps where a search for an older round may begin."""
        with self._lock:
            self._connection.execute("INSERT OR REPLACE INTO waypoint VALUES (?, ?, ?, ?)", waypoint)

    def _set(self, values: dict[str, str]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    # ---- reading

    @property
    def position(self) -> Position:
        """How far the journal is told; number and hash are of the same fact, however quickly it goes on."""
        with self._lock:
            kept = dict(self._connection.execute("SELECT name, value FROM meta WHERE name IN ('told', 'hash')"))
        return Position(self._whole(kept.get("told", "")), str(kept.get("hash", "")))

    @property
    def gone(self) -> int:
        """The fact that opened the newest round that is not kept any more; 0: all are."""
        return self._whole(self._meta("gone"))

    def last_waypoint(self) -> int:
        """Returns the fact behind which the newest waypoint is; 0 when there is none."""
        with self._lock:
            return int(self._connection.execute("SELECT coalesce(max(seq), 0) FROM waypoint").fetchone()[0])

    def waypoint_before(self, seq: int) -> Waypoint:
        """Returns the newest waypoint before a fact; the beginning of the journal when there is none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT seq, number, counted_up, state FROM waypoint WHERE seq < ? ORDER BY seq DESC LIMIT 1", (seq,)
            ).fetchone()
        return Waypoint() if row is None else Waypoint(*row)

    def stretches(self, number: int, opened: int) -> Iterator[Stretch]:
        """Yields the parts of the journal that may have a round which is not kept any more, the newest part first.

        `opened`: the fact that opened it; 0 when nobody knows.
        """
        last = opened or self.gone
        with self._lock:
            rows = self._connection.execute(
                "SELECT seq, number, counted_up FROM waypoint WHERE seq < ? ORDER BY seq", (last,)
            )
            begins = [Waypoint(), *(Waypoint(*row) for row in rows.fetchall())]
        for at in reversed(range(len(begins))):
            begin, after = begins[at], begins[at + 1] if at + 1 < len(begins) else None
            counts_up = after is not None and after.counted_up
            if opened or after is None or not counts_up or begin.number < number <= after.number:
                yield Stretch(self._waypoint(begin), after.seq if after is not None else last, counts_up)

    def _waypoint(self, waypoint: Waypoint) -> Waypoint:
        """Returns a waypoint with its table."""
        with self._lock:
            row = self._connection.execute("SELECT state FROM waypoint WHERE seq = ?", (waypoint.seq,)).fetchone()
        return waypoint if row is None else waypoint._replace(state=row[0])

    def newest(self) -> int:
        """Returns the fact that opened the newest round; 0 when there is none."""
        with self._lock:
            return int(self._connection.execute("SELECT coalesce(max(opened), 0) FROM round").fetchone()[0])

    def count(self) -> int:
        """Returns how many rounds are kept."""
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM round").fetchone()[0])

    def find(self, number: int, opened: int = 0) -> RoundRecord | None:
        """Returns the newest round of this number, or the one that fact `opened` opened; None when it is not kept."""
        also = " AND opened = ?" if opened else ""
        with self._lock:
            row = self._connection.execute(
                f"SELECT record FROM round WHERE number = ?{also} ORDER BY opened DESC LIMIT 1",
                (number, opened) if opened else (number,),
            ).fetchone()
        record = None if row is None else self._record(row[0])
        if record is not None and record.number != number:
            raise self._damage()
        return record

    def others(self, number: int, opened: int) -> list[int]:
        """Returns which facts opened other rounds of the same number: it counts anew with another configuration."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT opened FROM round WHERE number = ? AND opened <> ? ORDER BY opened DESC LIMIT 20",
                (number, opened),
            ).fetchall()
        return [row[0] for row in rows]

    def list(self, wanted: Wanted) -> Sequence[Summary]:
        """Returns the newest rounds that are asked for, and one more than that when there are more."""
        conditions, values = _conditions(wanted)
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        with self._lock:
            rows = self._connection.execute(
                f"SELECT summary FROM round {where}ORDER BY opened DESC LIMIT ?", (*values, wanted.most + 1)
            ).fetchall()
        return [self._decoded(row[0], Summary) for row in rows]

    def records(self, wanted: Wanted) -> Iterator[RoundRecord]:
        """Yields all rounds that are asked for, whole, the oldest first; in pieces, so that others get their turn."""
        after = 0
        while True:
            conditions, values = _conditions(wanted)
            where = " AND ".join([*conditions, "opened > ?"])
            with self._lock:
                rows = self._connection.execute(
                    f"SELECT opened, record FROM round WHERE {where} ORDER BY opened LIMIT ?", (*values, after, PIECE)
                ).fetchall()
            if not rows:
                return
            for _, packed in rows:
                yield self._record(packed)
            after = rows[-1][0]

    def stored(self) -> Iterator[StoredRound]:
        """Yields all rounds as they stand there, the oldest first, for a check."""
        after = 0
        while True:
            with self._lock:
                rows = self._connection.execute(
                    "SELECT * FROM round WHERE opened > ? ORDER BY opened LIMIT ?", (after, PIECE)
                ).fetchall()
            if not rows:
                return
            for row in rows:
                yield StoredRound(row[:-1], self._record(row[-1]))
            after = rows[-1][0]

    def floats(self) -> Sequence[FloatEntry]:
        """Returns all that was done to the float of the table, the oldest first."""
        with self._lock:
            rows = self._connection.execute("SELECT entry FROM float ORDER BY seq").fetchall()
        return [self._decoded(row[0], FloatEntry) for row in rows]

    def asides(self, wanted: Wanted) -> Iterator[Aside]:
        """Yields what happened beside the rounds in a time span, at tables of a game if one is asked for."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT data FROM aside WHERE at >= ? AND (? = '' OR at < ?) ORDER BY seq",
                (wanted.since, wanted.until, wanted.until),
            ).fetchall()
        for (data,) in rows:
            each = self._decoded(data, Aside)
            if wanted.game in ("", each.game):
                yield each

    def oldest(self) -> str:
        """Returns when the oldest round opened that is kept; "" when there is none."""
        with self._lock:
            row = self._connection.execute("SELECT at FROM round ORDER BY opened LIMIT 1").fetchone()
        return "" if row is None else str(row[0])

    def _record(self, stored: object) -> RoundRecord:
        return form.decode(zlib.decompress(self._unsealed(stored)))

    def _decoded(self, stored: object, kind: type[T]) -> T:
        return msgspec.json.decode(self._unsealed(stored), type=kind)

    def _unsealed(self, stored: object) -> bytes:
        """Returns what was kept; raises RoundsDamaged when these bytes are not it."""
        if not isinstance(stored, bytes) or sealed(stored[:-SEAL]) != stored:
            raise self._damage()
        return stored[:-SEAL]

    def _whole(self, kept: str) -> int:
        try:
            return int(kept or 0)
        except ValueError:
            raise self._damage() from None

    def _damage(self) -> RoundsDamaged:
        self.damaged = RoundsDamaged(UNKEPT, "the index of rounds is damaged, and is made anew from the journal")
        return self.damaged

    def _meta(self, name: str) -> str:
        with self._lock:
            row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row[0])


def discard(path: Path) -> None:
    """Removes the index: it can be made anew."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = lambda stored: stored.decode(errors="replace")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is told again from the journal
        connection.execute("PRAGMA cache_size = -1024")
        connection.execute("PRAGMA journal_size_limit = 4194304")
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _usable(path: Path, table: str) -> bool:
    """Tells whether a file is the whole index of this table in the form of today."""
    try:
        connection = _connected(path)
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # SQLite quotes the damaged text of a table
        return False
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION_ID or connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            return False
        kept = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('form', 'table')").fetchall())
        return kept == {"form": _form(), "table": table}
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "I/O" in str(error) or "full" in str(error):
            raise
        return False
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
    finally:
        connection.close()


def _form() -> str:
    """Returns what the kept records look like; another form is made anew."""
    kept = "".join(repr(msgspec.json.schema(kind)) for kind in (RoundRecord, FloatEntry, Aside))
    return f"{form.FORM} sealed {zlib.crc32((_SCHEMA + kept).encode()):08x}"


def sealed(kept: bytes) -> bytes:
    """Returns what is kept with its checksum behind it: a disk that alters a byte must not alter a round."""
    return kept + zlib.crc32(kept).to_bytes(SEAL, "big")


def _row(record: RoundRecord) -> tuple[Any, ...]:
    in_list = summary(record)
    return (
        record.opened.seq,
        record.number,
        record.game,
        record.opened.at,
        record.outcome,
        _words(dict.fromkeys(map(shared_place, in_list.places))),
        _words(record.irregular),
        sealed(msgspec.json.encode(in_list)),
        sealed(zlib.compress(form.encode(record))),
    )


def _words(words: Iterable[str]) -> str:
    """Returns words so that each of them can be found: " 1 3 "."""
    return f" {' '.join(words)} "


def _conditions(wanted: Wanted) -> tuple[list[str], list[object]]:
    conditions: list[str] = []
    values: list[object] = []
    compared = {
        "game = ?": wanted.game,
        "outcome = ?": wanted.outcome,
        "at >= ?": wanted.since,
        "at < ?": wanted.until,
        "opened < ?": wanted.before,
        "instr(areas, ?)": _words([wanted.area]) if wanted.area else "",
    }
    for condition, value in compared.items():
        if value:
            conditions.append(condition)
            values.append(value)
    match wanted.irregular:
        case "":
            pass
        case "any":
            conditions.append("irregular <> '  '")
        case "none":
            conditions.append("irregular = '  '")
        case kind:
            conditions.append("instr(irregular, ?)")
            values.append(_words([kind]))
    return conditions, values
