"""Server-sent events: every fact as it happens, with its sequence number as id, so that a client can resume."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from aiohttp import web

from controller.api import views
from controller.api.query import is_number, number
from controller.api.shapes import FactShown
from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service.disclosure import disclosed
from controller.service.engine import Engine
from controller.service.journal_looking import Page, behind
from controller.service.listening import send
from controller.service.public_hashes import hashes
from controller.service.retold_refusals import RetoldRefusals
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact
from controller.table.state import Table

CHUNK = 200
KEEPALIVE = 15.0  # seconds


class Events:
    """The streams of facts.

    Each client reads the journal at its own pace and is woken by news: nothing queues up for a slow one.
    """

    def __init__(
        self, engine: Engine, journal: Journal, older_refusals: Callable[[], RetoldRefusals] | None = None
    ) -> None:
        self._engine = engine
        self._journal = journal
        self._older_refusals = older_refusals or partial(RetoldRefusals, journal)
        self._older = self._older_refusals()
        self._retelling = asyncio.Lock()  # one at a time: who waits holds no thread
        self._news = asyncio.Event()
        self._closing = False
        engine.listeners.append(self._followed)

    def close(self) -> None:
        """Ends every stream."""
        self._closing = True
        self._wake()

    async def read(self, after: int, limit: int) -> list[FactShown]:
        """Returns facts behind `after` that the table has followed, as people may see them."""
        facts, _ = await self.look(lambda upto: behind(self._journal, after, limit, upto))
        return facts

    async def look(self, find: Callable[[int], Page], *, hashed: bool = False) -> tuple[list[FactShown], int | None]:
        """Returns the facts that `find` finds, as people may see them, and behind which one to go on.

        `find` gets the last fact that the table has followed.
        """
        now, upto = self._engine.disclosure.shown(self._engine.table), self._engine.seq

        def look_up() -> tuple[list[FactShown], int | None, list[Record]]:
            page = find(upto)
            known = self._engine.refusals
            facts = disclosed(self._journal, page.records, now)
            shown = [views.record(record, fact, known.of(record.seq)) for record, fact in facts]
            if hashed:
                shown = views.with_hashes(shown, hashes(self._journal, page.records, now))
            return shown, page.after, [record for record in page.records if record.seq <= known.since]

        shown, after, older = await asyncio.to_thread(look_up)  # a commit under way may hold the journal for a moment
        refused = await self._refused(older) if older else {}
        for fact in shown if refused else ():
            if fact["seq"] in refused:
                views.add_refusal(fact, refused[fact["seq"]])
        return shown, after

    async def _refused(self, older: list[Record]) -> Mapping[int, Refused]:
        """Returns which of these facts the table refused, before it can remember."""
        async with self._retelling:
            refused = await asyncio.to_thread(self._older.of, older)
            if self._older.untold is not None:  # such as a game that is gone: of other facts it may be told
                self._older = self._older_refusals()
        return refused

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Answers with facts as they happen, after the one that the client had last."""
        at = number(request, "after", self._engine.seq)
        last = request.headers.get("Last-Event-ID", "")
        at = int(last) if is_number(last) else at
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await response.prepare(request)
        try:
            await send(request, response, b": facts of the table\n\n")
            while not self._closing:
                at = await self._send(request, response, at)
        except ConnectionResetError:
            pass  # the client went away
        return response

    async def _send(self, request: web.Request, response: web.StreamResponse, at: int) -> int:
        news = self._news  # taken before reading, so that nothing can happen unheard in between
        facts = await self.read(at, CHUNK)
        for fact in facts:
            at = fact["seq"]
            await send(request, response, b"id: %d\nevent: fact\ndata: %s\n\n" % (at, msgspec.json.encode(fact)))
        if not facts and not self._closing:
            try:
                async with asyncio.timeout(KEEPALIVE):
                    await news.wait()
            except TimeoutError:
                await send(request, response, b": still here\n\n")
        return at

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
