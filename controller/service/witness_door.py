"""Cosigns the checkpoints of other tables, on the pages' port: the signatures say who asks, nobody signs in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

import structlog
from aiohttp import web

from controller.errors import Coded, FeltError
from controller.journal.notes import LARGEST, Note
from controller.journal.witness_memory import SIGNATURE, UNKNOWN, WitnessMemory
from controller.journal.witnessing import FORK, ROLLBACK, Submission, WitnessError
from controller.service.mounting import Answered
from controller.service.witness_routes import ADD, NEWEST, SIZE_MEDIA

MOST_BYTES: Final = LARGEST + 4096  # of a request: a note, and the proof
STALE: Final = "witness.stale"
_STATUS: Final = {UNKNOWN: 404, SIGNATURE: 403}

log = structlog.get_logger()


class Cosigning(Protocol):
    """What answers tables that ask for a cosignature."""

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        ...


class ShutDoor:
    """Tells other tables to ask again later, and remembers nothing."""

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(ADD, self._later), (NEWEST, self._later)]

    async def _later(self, _request: web.Request) -> web.Response:
        return web.Response(status=503, text="this table is in test mode and cosigns nothing\n")


class WitnessDoor:
    """What answers other tables.  One at a time: what is remembered is on the disk before the next one is looked at."""

    def __init__(
        self,
        memory: WitnessMemory,
        report: Callable[[Coded | None], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._memory, self._report, self._now = memory, report, now
        self._turn = asyncio.Lock()
        self._tell_forks()

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(ADD, self._add), (NEWEST, self._newest)]

    async def _add(self, request: web.Request) -> web.Response:
        try:
            shown = Submission.from_text((await _body(request)).decode())
        except ValueError:
            return web.Response(status=400, text="witness.request: this is no request to a witness\n")
        async with self._turn:
            try:
                cosigned = await asyncio.to_thread(self._memory.add, shown, int(self._now()))
            except WitnessError as error:
                return self._refused(shown, error)
        return web.Response(text=_lines(cosigned))

    def _refused(self, shown: Submission, error: WitnessError) -> web.Response:
        if error.code != STALE:
            log.warning(error.code, journal=shown.checkpoint.origin, cause=error.cause)
        is_conflict = error.code in (STALE, ROLLBACK) or (error.code == FORK and shown.checkpoint.size == error.known)
        if error.code == FORK and is_conflict:
            self._tell_forks()
        if is_conflict:
            return web.Response(status=409, body=b"%d\n" % error.known, headers={"Content-Type": SIZE_MEDIA})
        status = 422 if error.code == FORK else _STATUS.get(error.code, 503)
        return web.Response(status=status, text=f"{error.code}: {error.cause}\n")

    async def _newest(self, request: web.Request) -> web.Response:
        origin, key = request.query.get("origin", ""), request.query.get("key", "")
        try:
            note = await asyncio.to_thread(self._memory.newest, origin, key)
        except WitnessError as error:
            return web.Response(status=_STATUS.get(error.code, 503), text=f"{error.code}: {error.cause}\n")
        if note is None:
            return web.Response(status=404, text=f"{UNKNOWN}: nothing of this journal was shown here yet\n")
        return web.Response(text=note.to_text())

    def _tell_forks(self) -> None:
        """Tells people that a table has two histories, for as long as the proof of it lies there."""
        forks = self._memory.forks()
        self._report(FeltError("witness.two-histories", "; ".join(each.cause for each in forks)) if forks else None)


async def _body(request: web.Request) -> bytes:
    body = b""
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > MOST_BYTES:
            raise ValueError("too long")
    return body


def _lines(cosigned: Note) -> str:
    """Returns the signature lines alone."""
    return cosigned.to_text().removeprefix(cosigned.text + "\n")
