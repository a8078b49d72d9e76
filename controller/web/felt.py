"""The streams behind the felt page and the console: the picture, and what happened in between, with nothing left out.

Each event has the journal's sequence number as its id.  A page that was cut off says which one it had last and is told
what it missed; where that is longer ago than is kept here, it is told so.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from controller.service.table import TableService
from controller.service.unwritable import out_of_service
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.views.console import console, declared
from controller.views.felt import felt
from controller.views.felt_story import Sentence, story

KEPT: Final = 2000  # facts of which something was told; hours of play
AT_FIRST: Final = 12  # that a page is told when it opens


class FactStory(NamedTuple):
    """What was told of one fact."""

    seq: int
    sentences: list[Sentence]


class FeltFeed:
    """Keeps what was told lately, and draws the picture once for all who look."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._entries: deque[FactStory] = deque()
        self._since = -1  # everything after this fact is kept
        self._before = Table()  # as it stood before the next fact
        self._drawn: tuple[int, str, bytes] = (-1, "", b"")
        self._console: tuple[int, str, bytes] = (-1, "", b"")
        self._keys: tuple[int, bytes] = (-1, b"")

    def begin(self) -> None:
        """Notes from where on everything is kept: the table stands as its journal left it."""
        if self._since < 0:
            self._since, self._before = self._service.engine.seq, self._service.engine.table

    def followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Keeps what there is to tell of a fact."""
        if self._since < 0:
            self._since = seq - 1
        before, self._before = self._before, table
        if not table.game:
            return
        sentences = story(fact, table, self._service.engine.game, effects, before)
        if sentences:
            self._entries.append(FactStory(seq, sentences))
            if len(self._entries) > KEPT:
                self._since = self._entries.popleft().seq

    @property
    def seq(self) -> int:
        """The fact that the picture stands at."""
        return self._service.engine.seq

    def events(self, after: int | None) -> Iterator[bytes]:
        """Yields what happened after a fact; to a page that knows nothing yet, the newest of it."""
        if after is not None and after > self.seq:  # of another journal
            yield b"event: anew\ndata: {}\n\n"
            after = None
        if after is None:
            yield from map(_event, list(self._entries)[-AT_FIRST:])
            return
        if after < self._since:
            yield b"id: %d\nevent: gap\ndata: {}\n\n" % self._since
        yield from (_event(entry) for entry in self._entries if entry.seq > after)

    def picture(self) -> bytes:
        """Returns the picture as JSON; it is drawn once for all pages."""
        service, stopped = self._service, self._stopped()
        seq, why, _ = self._drawn
        if seq != self.seq or why != stopped:
            table = service.engine.table
            self._drawn = (self.seq, stopped, self._draw(table, stopped) if table.game else b"null")
        return self._drawn[2]

    def _draw(self, table: Table, stopped: str) -> bytes:
        service, offset = self._service, time.localtime().tm_gmtoff
        return msgspec.json.encode(felt(table, service.engine.game, stopped, service.fleet.trunks, offset))

    def console(self) -> bytes:
        """Returns the picture of the dealer's console as JSON; it is drawn once for all pages."""
        service, stopped = self._service, self._stopped()
        seq, why, _ = self._console
        if seq != self.seq or why != stopped:
            table = service.engine.table
            self._console = (self.seq, stopped, self._draw_console(table, stopped) if table.game else b"null")
        return self._console[2]

    def _draw_console(self, table: Table, stopped: str) -> bytes:
        service, offset = self._service, time.localtime().tm_gmtoff
        return msgspec.json.encode(console(table, service.engine.game, stopped, service.fleet.trunks, offset))

    def keys(self) -> bytes:
        """Returns the keys as they are declared, as JSON; they are written once for all pages."""
        if self._keys[0] != self.seq:
            table, rules = self._service.engine.table, self._service.engine.game
            self._keys = (self.seq, msgspec.json.encode(declared(table, rules)) if table.game else b"null")
        return self._keys[1]

    def _stopped(self) -> str:
        """Returns why nothing can be recorded, or followed, in words; "" while all is well."""
        return out_of_service(self._service.storage.error, self._service.engine.defect)


class KeysLook:
    """The keys of the table as one page knows them."""

    def __init__(self, felt: FeltFeed) -> None:
        self._felt = felt
        self._last = b""

    def news(self) -> bytes:
        """Returns an event with the keys when they are others than before; "" when they are not."""
        before, self._last = self._last, self._felt.keys()
        return b"" if self._last == before else b"event: declared\ndata: %s\n\n" % self._last


def _event(entry: FactStory) -> bytes:
    return b"id: %d\nevent: told\ndata: %s\n\n" % (entry.seq, msgspec.json.encode(entry._asdict()))
