"""What this table tells the floor of itself, at its read-only doors and to its own floor page."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec
from aiohttp import web
from msgspec.structs import replace

from controller.errors import FeltError
from controller.service.floor_routes import SUMMARY
from controller.service.mounting import Answered
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import Wanted
from controller.service.snapshots import our_version
from controller.service.table import TableService
from controller.service.unwritable import out_of_service
from controller.views.alerts import LONGEST_NAME, standing
from controller.views.record import Summary
from controller.views.summary import PACE_ROUNDS, TableSummary, summary
from controller.views.words import TEST_MODE

FRESH: Final = 2.0  # seconds for which the ends of the last rounds are not looked up again


class OwnTable:
    """Says how this table stands; the ends of its last rounds come from the rounds on record."""

    def __init__(self, name: str, service: TableService, rounds: RoundKeeper) -> None:
        self.name = name
        self._service, self._rounds = service, rounds
        self._version = our_version() or "unknown"
        self._ended: list[int] = []  # milliseconds since 1970, the newest first
        self._looked = float("-inf")

    async def summary(self) -> TableSummary:
        """Returns how the table stands now."""
        await self._look_up()
        service = self._service
        table, stopped = service.engine.table, out_of_service(service.storage.error, service.engine.defect)
        rules = service.engine.game if table.game else None
        at = standing(table, rules, stopped, service.fleet.trunks)
        face, now = service.outputs.displays.face, service.engine.table_time()
        own = summary(self.name, at, rules, face, self._ended, self._version, now)
        if not service.test:
            return own
        return replace(own, phase=f"{TEST_MODE}, {own.phase}"[:LONGEST_NAME], pace=None, ended=None)

    def routes(self) -> list[Answered]:
        """Returns the path that this answers."""
        return [(SUMMARY, self._answer)]

    async def _answer(self, request: web.Request) -> web.Response:
        """Answers with a mark; who has seen that already gets nothing else."""
        body = msgspec.json.encode(await self.summary())
        mark = f'"{sha256(body).hexdigest()[:20]}"'
        headers = {"ETag": mark, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == mark:
            return web.Response(status=304, headers=headers)
        return web.Response(body=body, content_type="application/json", headers=headers)

    async def _look_up(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._looked < FRESH:
            return
        self._looked = now
        try:
            store = self._rounds.store
            rounds = await asyncio.to_thread(store.list, Wanted(most=PACE_ROUNDS))
        except (FeltError, sqlite3.Error):
            return  # that rounds cannot be kept is own elsewhere; the last pace that was known stays
        self._ended = [at for each in rounds[:PACE_ROUNDS] if (at := _ended(each))]


def _ended(each: Summary) -> int:
    return round(datetime.fromisoformat(each.ended.at).timestamp() * 1000) if each.ended is not None else 0
