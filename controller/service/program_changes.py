"""The latest changes of the program and its configuration, as the journal has them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from controller.journal.records import Record
from controller.table import facts
from controller.table.facts import Configured, ProgramChecked, Started

Telling: TypeAlias = Started | Configured | ProgramChecked
_TAGS: Final = tuple(msgspec.msgpack.encode(tag) for tag in ("started", "configured", "program"))


class ProgramChange(msgspec.Struct, frozen=True):
    """What ran from a fact on, and what of it is new."""

    seq: int
    at_us: int
    version: str
    config: str  # the digest of the configuration
    files: str  # the digest of all installed files; "": not on record
    manifest: str  # the digest of the signed manifest
    signature: str
    changed: tuple[str, ...]  # version, configuration, files, manifest, signature


def newest(records: Iterable[Record], most: int) -> list[ProgramChange]:
    """Returns the newest changes on record, the newest first."""
    return list(reversed(deque(changes(records), most)))


def changes(records: Iterable[Record]) -> Iterator[ProgramChange]:
    """Yields every change, in order; the first is the beginning."""
    known = {"version": "", "configuration": "", "files": "", "manifest": "", "signature": ""}
    for record in records:
        if not any(tag in record.payload[:64] for tag in _TAGS):
            continue  # decoding all of a journal takes far longer
        fact = facts.decode(record.payload)
        if not isinstance(fact, Telling):
            continue
        now = known | _values_of(fact)
        changed = tuple(name for name in known if now[name] != known[name])
        known = now
        if changed:
            yield ProgramChange(
                record.seq,
                record.at_us,
                now["version"],
                now["configuration"],
                now["files"],
                now["manifest"],
                now["signature"],
                changed,
            )


def _values_of(fact: Telling) -> dict[str, str]:
    """Returns what a fact says of the program; of a version that did not say it, nothing."""
    if isinstance(fact, ProgramChecked):
        files = {"files": fact.digest, "manifest": fact.manifest, "signature": fact.signature}
        return {"version": fact.version, **files}
    return {"version": fact.version, "configuration": fact.config} if fact.version else {}
