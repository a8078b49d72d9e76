"""Facts of a journal for people: from the running daemon, or from the file of a table that is stopped."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from controller.api import routes
from controller.api.shapes import FactShown
from controller.cli.client import Client
from controller.cli.journal_file import logs_beside
from controller.cli.journal_keys import veil_by
from controller.errors import FeltError

if TYPE_CHECKING:
    from controller.journal.records import Record
    from controller.journal.store import Journal

LATEST: Final = 20
PAGE: Final = 500


class Which(NamedTuple):
    """Which facts are meant; what is None asks for all."""

    number: int | None = None  # of a round
    since: str | None = None
    until: str | None = None
    device: str | None = None

    @property
    def from_somewhere(self) -> bool:
        """Whether they begin somewhere: then all of them are meant, not the latest."""
        return self.number is not None or self.since is not None


class FactSource(Protocol):
    """Where facts come from."""

    def head(self) -> int:
        """Returns the newest fact that can be told."""
        ...

    def span(self, number: int) -> tuple[int, int]:
        """Returns the first and the last fact of a round."""
        ...

    def page(self, after: int, upto: int, which: Which, hashes: bool) -> tuple[list[FactShown], int | None]:
        """Returns facts behind `after`, and behind which to go on."""
        ...

    def latest(self, count: int, upto: int, which: Which) -> list[FactShown]:
        """Returns the latest facts."""
        ...


class Facts:
    """The facts of one source."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self.head = source.head

    def tail(self, which: Which, count: int | None, head: int) -> Iterator[FactShown]:
        """Yields the facts that are meant: the latest of them, or all where they begin somewhere."""
        if not which.from_somewhere and which.until is None:
            yield from self._source.latest(LATEST if count is None else count, head, which)
        elif count is None:
            yield from self.all(which, head)
        else:
            yield from list(self.all(which, head))[-count:] if count else ()

    def all(self, which: Which, head: int, *, hashes: bool = False) -> Iterator[FactShown]:
        """Yields all facts that are meant."""
        until = None if which.until is None else _utc(which.until)
        first, last = (1, head) if which.number is None else self._source.span(which.number)
        after: int | None = first - 1
        while after is not None:
            facts, after = self._source.page(after, last, which, hashes)
            for fact in facts:
                if until is not None and fact["at"] >= until:
                    return
                yield fact


class _Daemon:
    def __init__(self, path: str) -> None:
        self._client, self._patient, self._path = Client(path), Client(path, timeout=None), path

    def head(self) -> int:
        return int(self._client.get(routes.TAIL, n=0)["head"])

    def span(self, number: int) -> tuple[int, int]:
        from controller.cli.round import find

        record = find(number, None, None, self._path)["round"]
        return record.opened.seq, record.last

    def page(self, after: int, upto: int, which: Which, hashes: bool) -> tuple[list[FactShown], int | None]:
        asked = {"n": PAGE, "after": after, "upto": upto, "device": which.device, "since": which.since}
        answer = self._patient.get(routes.TAIL, hash=1 if hashes else None, **asked)
        return answer["facts"], answer["next"]

    def latest(self, count: int, upto: int, which: Which) -> list[FactShown]:
        answer = self._patient.get(routes.TAIL, n=count, device=which.device, upto=upto or None)
        return answer["facts"]


class _File:
    def __init__(self, path: Path, journal: Journal) -> None:
        from controller.service.retold_refusals import RetoldRefusals

        self._path, self._journal = path, journal
        self.refusals = RetoldRefusals(journal)

    def head(self) -> int:
        return self._journal.head.seq

    def span(self, number: int) -> tuple[int, int]:
        from controller.api.round_filter import unknown
        from controller.service.retelling import rounds

        matching = [record for record in rounds(self._journal) if record.number == number]
        if not matching:
            raise unknown(number, f" in {self._path}")
        return matching[-1].opened.seq, matching[-1].last

    def page(self, after: int, upto: int, which: Which, hashes: bool) -> tuple[list[FactShown], int | None]:
        from controller.api.views import with_hashes
        from controller.service.journal_looking import before, behind
        from controller.service.public_hashes import hashes as public_hashes

        if which.since is not None:
            at_us = round(datetime.fromisoformat(_utc(which.since)).timestamp() * 1e6)
            after = max(after, before(self._journal, at_us, self._journal.head.seq))
        matching = behind(self._journal, after, PAGE, upto, which.device or "")
        facts = self._public(matching.records)
        return with_hashes(
            facts, public_hashes(self._journal, matching.records, {})
        ) if hashes else facts, matching.after

    def latest(self, count: int, upto: int, which: Which) -> list[FactShown]:
        from controller.service.journal_looking import latest

        return self._public(latest(self._journal, count, upto, which.device or ""))

    def _public(self, records: list[Record]) -> list[FactShown]:
        from controller.api import views
        from controller.service.disclosure import disclosed

        refused = self.refusals.of(records)
        facts = disclosed(self._journal, records, {})
        return [views.record(record, fact, refused.get(record.seq)) for record, fact in facts]


@contextmanager
def source(file: Path | None, path: str) -> Iterator[Facts]:
    """Gives the facts of a file, or of the daemon when none is named; raises FeltError when they cannot be had."""
    if file is None:
        yield Facts(_Daemon(path))
        return
    from controller.journal.errors import JournalError
    from controller.journal.store import Journal

    try:
        journal = Journal.inspect(file, veil_by())
        try:
            read = _File(file, journal)
            with logs_beside():
                yield Facts(read)
            if (why := read.refusals.untold) is not None:
                print(f"which of them were refused is not told: {why.cause}", file=sys.stderr)
        finally:
            journal.close()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None


def _utc(text: str) -> str:
    from controller.api.round_filter import utc_time

    return utc_time("the time", text)
