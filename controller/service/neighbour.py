"""Reads one other table of the floor through its read-only door, and believes nothing that it says without a bound.

A table that hangs, lies, babbles or is not there costs its own reader a few seconds, and nobody else anything.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec
import structlog
from aiohttp import (
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    UnixConnector,
)

from controller.errors import FeltError
from controller.service.error_place import error_place
from controller.service.floor_routes import SUMMARY
from controller.views.floor import Loss, WatchedTable
from controller.views.summary import TableSummary

EVERY: Final = 1.0  # seconds between two looks
AGAIN: Final = 2.0  # seconds after a look in vain
SILENT: Final = 5.0  # seconds without an answer: the table is lost
TIMES: Final = ClientTimeout(total=4.0, connect=2.0)
LARGEST: Final = 32 * 1024  # bytes of an answer; a real one has about one thousand
LONGEST_MARK: Final = 64  # characters of an ETag
DIFFERS: Final = 2_000_000  # microseconds: a smaller difference of clocks is the network's
NOT_MODIFIED, OK = 304, 200
STEP: Final = "Go to the table; then call the technician for its computer, its network or its address."
UNREACHABLE, UNFIT, ANOTHER = "floor.unreachable", "floor.unfit", "floor.another"

log = structlog.get_logger()


class Neighbour:
    """One table that is watched; `look` is what is known of it now."""

    def __init__(self, name: str, address: str, changed: Callable[[], None] = lambda: None) -> None:
        self.look = WatchedTable(name, page="" if address.startswith("/") else address)
        self._address = address
        self._changed = changed
        self._mark = ""
        self._since = time.monotonic()  # the last answer, or the beginning

    async def run(self, delay: float = 0.0) -> None:
        """Looks at the table again and again, until it is cancelled."""
        await asyncio.sleep(delay)
        async with self._session() as session:
            while True:
                before = self.look
                pause = await self._look_once(session)
                if self.look._replace(at=before.at) != before:
                    self._changed()
                await asyncio.sleep(pause)

    def _session(self) -> ClientSession:
        unix = self._address.startswith("/")
        connector = UnixConnector(self._address, limit=1) if unix else TCPConnector(limit=1, use_dns_cache=False)
        return ClientSession(
            "http://table" if unix else self._address,
            connector=connector,
            cookie_jar=DummyCookieJar(),
            timeout=TIMES,
            auto_decompress=False,
            read_bufsize=LARGEST,
            max_line_size=1024,
            max_field_size=4096,
            headers={"Accept-Encoding": "identity", "User-Agent": "feltd"},
        )

    async def _look_once(self, session: ClientSession) -> float:
        """Asks the table once; returns the seconds until the next time."""
        try:
            async with asyncio.timeout(TIMES.total):
                await self._ask(session)
        except FeltError as error:
            self._failed(error)
            return AGAIN
        except (ClientError, OSError, ValueError) as error:  # ValueError: headers that are none
            self._failed(FeltError(UNREACHABLE, _in_words(error)))
            return AGAIN
        except Exception as bug:  # of ours or of the client's: the other tables and this one go on
            log.error("floor.defect", table=self.look.name, what=error_place(bug))
            self._failed(FeltError(UNFIT, "its answer could not be read"))
            return AGAIN
        return EVERY

    async def _ask(self, session: ClientSession) -> None:
        headers = {"If-None-Match": self._mark} if self._mark else {}
        async with session.get(SUMMARY.path, headers=headers, allow_redirects=False) as response:
            at, ahead = time.time_ns() // 1000, _ahead(response)
            if response.status == NOT_MODIFIED and self._mark and self.look.summary is not None:
                self._is(self.look.summary, at, ahead)
                return
            if response.status != OK:
                raise FeltError(UNFIT, f"it answers with status {response.status}")
            summary = _understood(await _body(response))
            if summary.table != self.look.name:
                raise FeltError(ANOTHER, f"the table {summary.table} answers there")
            mark = response.headers.get("ETag", "")
            self._mark = mark if len(mark) <= LONGEST_MARK and mark.isascii() and mark.isprintable() else ""
            self._is(summary, at, ahead)

    def _is(self, summary: TableSummary, at: int, ahead: int) -> None:
        self._since = time.monotonic()
        self.look = self.look._replace(summary=summary, at=at, ahead=ahead, loss=None)

    def _failed(self, error: FeltError) -> None:
        """Notes that the table did not answer: it is lost when it has not for some seconds."""
        self._mark = ""
        silent = time.monotonic() - self._since
        known = self.look.loss
        if known is None and silent < SILENT:
            return
        since = known.since if known is not None else time.time_ns() // 1000 - round(silent * 1e6)
        cause = f"{self.look.name} is not heard: {error.cause}."
        if known is None:
            log.warning(error.code, table=self.look.name, cause=error.cause, next_step=error.next_step)
        self.look = self.look._replace(loss=Loss(cause, STEP, since))


async def _body(response: ClientResponse) -> bytes:
    body = b""
    async for piece in response.content.iter_any():
        body += piece
        if len(body) > LARGEST:
            raise FeltError(UNFIT, f"its answer has more than {LARGEST} bytes")
    return body


def _understood(body: bytes) -> TableSummary:
    try:
        return msgspec.json.decode(body, type=TableSummary)
    except (msgspec.DecodeError, RecursionError):
        raise FeltError(UNFIT, "its answer is not that of a table, or of another version") from None


def _ahead(response: ClientResponse) -> int:
    """Returns by how many microseconds the clock of the table is ahead of ours; 0 when it is about the same."""
    with suppress(KeyError, ValueError, TypeError, OverflowError):
        difference = round((parsedate_to_datetime(response.headers["Date"]).timestamp() - time.time()) * 1e6)
        return difference if abs(difference) > DIFFERS else 0
    return 0


def _in_words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return "the connection broke"
