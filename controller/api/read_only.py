"""The API of a table that cannot be played because its game is missing: it tells why, and reads the journal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from controller.api import routes, views
from controller.api.answers import answer
from controller.api.journal import JournalApi
from controller.api.serving import MODE, MOST, bound, explained, limits
from controller.api.shapes import FactShown
from controller.journal.store import Journal
from controller.service.disclosure import disclosed
from controller.service.journal_looking import Page
from controller.service.listening import listen
from controller.service.missing_game import GameMissing
from controller.service.mounting import mount
from controller.service.public_hashes import hashes


class ReadOnlyApi:
    """Answers for a table that nobody can play; every wish is refused with the reason."""

    def __init__(self, name: str, journal: Journal, why: GameMissing) -> None:
        self._name, self._journal, self._why = name, journal, why
        self._began = time.monotonic()
        self._runner: web.AppRunner | None = None
        self._path: Path | None = None

    async def start(self, path: Path) -> None:
        """Opens the socket; raises FeltError when the socket cannot be had."""
        app = web.Application(middlewares=[explained], client_max_size=1)
        mount(
            app,
            "The socket of a table whose game is missing",
            [
                (routes.STATUS, self._status),
                *JournalApi(self._journal, self._look, lambda: self._journal.head.seq).routes(),
            ],
            otherwise=self._refuse,
        )
        listening = bound(path, MODE)
        self._path = path
        self._runner = await listen(app, listening, limits("api", MOST))

    async def stop(self) -> None:
        """Closes the socket and removes it.  Idempotent."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
        path, self._path = self._path, None
        if path is not None:
            path.unlink(missing_ok=True)

    async def _status(self, _request: web.Request) -> web.Response:
        uptime = time.monotonic() - self._began
        return answer(views.unplayable(self._name, self._why, self._journal.head, uptime))

    async def _look(self, find: Callable[[int], Page], *, hashed: bool = False) -> tuple[list[FactShown], int | None]:
        """Returns facts as people may see them: what no record has made public stays hidden."""

        def look_up() -> tuple[list[FactShown], int | None]:
            page = find(self._journal.head.seq)
            facts = disclosed(self._journal, page.records, {})
            shown = [views.record(record, fact) for record, fact in facts]
            return views.with_hashes(shown, hashes(self._journal, page.records, {})) if hashed else shown, page.after

        return await asyncio.to_thread(look_up)

    async def _refuse(self, _request: web.Request) -> web.StreamResponse:
        raise self._why
