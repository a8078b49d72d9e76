"""The stream behind the page of the float: what can be done now; the shift only for who may see its numbers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from aiohttp import web
from msgspec.structs import replace

from controller.people.sessions import SignedInSession
from controller.service.engine import Engine
from controller.service.figures import TableFigures
from controller.service.float_desk import FloatDesk
from controller.service.listening import send
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, FloatMoved
from controller.table.state import Table
from controller.views.chips_page import ChipsPage, chips_page, drops_to
from controller.web.people import PageDoor

Drawn = tuple[int, bool]  # the last fact about the float, and whether the person is still signed in
NOTHING: Final[Drawn] = (-1, False)


class Chips:
    """Tells pages of the float whenever something was done to it."""

    def __init__(self, engine: Engine, figures: TableFigures, desk: FloatDesk, door: PageDoor) -> None:
        self._engine, self._figures, self._desk, self._door = engine, figures, desk, door
        self._news = asyncio.Event()
        self._moved = 0  # the newest fact about the float since this start
        engine.listeners.append(self._followed)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, FloatMoved):
            self._moved = seq
            news, self._news = self._news, asyncio.Event()
            news.set()

    async def feed(
        self, request: web.Request, response: web.StreamResponse, closing: Callable[[], bool], beat: float
    ) -> None:
        """Sends the page until it goes away or `closing`; something at least every `beat` seconds."""
        session, drawn, last = self._door.onlooker(request), NOTHING, b""
        while not closing():
            news, now = self._news, (self._moved, self._stands(session))  # taken before looking
            event = b"beat\ndata: ."
            if now != drawn:
                page, whole = await self._page(session if now[1] else None)
                drawn = now if whole else NOTHING
                data = msgspec.json.encode(page)
                event, last = (b"picture\ndata: %s" % data if data != last else event), data
            await send(request, response, b"event: %s\n\n" % event)
            try:
                async with asyncio.timeout(beat):
                    await news.wait()
            except TimeoutError:
                continue

    def _stands(self, session: SignedInSession | None) -> bool:
        return session is not None and self._door.keeper.stands(session)

    async def _page(self, session: SignedInSession | None) -> tuple[ChipsPage, bool]:
        """Returns the page for who is signed in, and whether all that happened is in it."""
        now = self._engine.table.chips
        page = chips_page(now, session.role if session is not None else None, self._desk.witnessed)
        if not page.sees:
            return page, True
        added, opened = await asyncio.to_thread(self._figures.latest_float)
        shift = next(iter(added.report.shifts[-1:]), None)
        return replace(page, shift=shift, shifts=drops_to(now, opened)), added.behind is None
