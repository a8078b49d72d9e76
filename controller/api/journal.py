"""What the API tells of the journal: the latest facts, the proof that none was changed, an anchor for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from aiohttp import web

from controller.api import routes
from controller.api.answers import answer
from controller.api.query import BadRequest, number, switch
from controller.api.reports import report_json
from controller.journal.records import Anchor
from controller.journal.store import Journal
from controller.journal.verify import export_anchor
from controller.service.audit import verify
from controller.service.mounting import Answered

TAIL, LONGEST_TAIL = 20, 1000
Read: TypeAlias = Callable[[int, int], Awaitable[list[dict[str, Any]]]]  # so many facts behind a record, for people


class JournalApi:
    """Answers from one journal; `read` and `head` say which facts of it are told by now."""

    def __init__(self, journal: Journal, read: Read, head: Callable[[], int]) -> None:
        self._journal, self._read, self._head = journal, read, head

    def routes(self) -> list[Answered]:
        """Returns what can be asked."""
        return [
            (routes.TAIL, self._tail),
            (routes.VERIFY, self._verify),
            (routes.ANCHOR, self._anchor),
        ]

    async def _tail(self, request: web.Request) -> web.Response:
        head = self._head()
        limit = number(request, "n", TAIL, most=LONGEST_TAIL)
        after = number(request, "after", max(0, head - limit))
        return answer({"head": head, "facts": await self._read(after, limit)})

    async def _verify(self, request: web.Request) -> web.Response:
        anchor = _anchor(request.query.get("anchor"))
        replay = switch(request, "replay")
        return answer(report_json(await asyncio.to_thread(verify, self._journal, anchor, replay=replay)))

    async def _anchor(self, _request: web.Request) -> web.Response:
        return answer({"anchor": export_anchor(self._journal).to_text()})


def _anchor(text: str | None) -> Anchor | None:
    try:
        return None if text is None else Anchor.from_text(text)
    except ValueError:
        raise BadRequest("anchor.invalid", "this is no anchor") from None
