"""What the API tells of the journal: the latest facts, the proof that none was changed, an anchor for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol

from aiohttp import web

from controller.api import routes
from controller.api.answers import answer
from controller.api.query import BadRequest, number, switch
from controller.api.reports import evidence_of, newest_notes, proof_json, records_json, report_json, witness_json
from controller.api.round_filter import utc_time
from controller.api.shapes import FactShown
from controller.errors import FeltError
from controller.journal.records import Anchor
from controller.journal.store import Journal
from controller.journal.verify import export_anchor
from controller.journal.verify_tree import Evidence
from controller.service.audit import verify
from controller.service.checkpoint_publisher import CheckpointPublisher
from controller.service.journal_looking import Page, before, behind, latest
from controller.service.mounting import Answered
from controller.service.round_store import RoundStore

TAIL, LONGEST_TAIL = 20, 1000


class Look(Protocol):
    """Finds facts for people; with their hashes where these are asked for and give nothing away."""

    def __call__(
        self, find: Callable[[int], Page], *, hashed: bool = False
    ) -> Awaitable[tuple[list[FactShown], int | None]]: ...


class JournalApi:
    """Answers from one journal; `look` and `head` say which facts of it are told by now."""

    def __init__(
        self,
        journal: Journal,
        look: Look,
        head: Callable[[], int],
        publisher: CheckpointPublisher | None = None,
        index: Callable[[], RoundStore | None] = lambda: None,
    ) -> None:
        self._journal, self._look, self._head = journal, look, head
        self._publisher, self._index = publisher, index

    def routes(self) -> list[Answered]:
        """Returns what can be asked."""
        return [
            (routes.TAIL, self._tail),
            (routes.VERIFY, self._verify),
            (routes.ANCHOR, self._anchor),
            (routes.CHECKPOINTS, self._checkpoints),
            (routes.JOURNAL_RECORDS, self._records),
            (routes.PROOF, self._proof),
        ]

    async def _tail(self, request: web.Request) -> web.Response:
        """Answers with the latest facts; or with those behind `after` or since a time, and where to go on."""
        head = self._head()
        limit = number(request, "n", TAIL, most=LONGEST_TAIL)
        device = request.query.get("device", "")
        last = number(request, "upto", head) or head
        since = _since(request.query.get("since"))
        after = number(request, "after", 0) if "after" in request.query or since is not None else None

        def find(followed: int) -> Page:
            upto = min(followed, last)
            if after is None:
                return Page(latest(self._journal, limit, upto, device), None)
            start = after if since is None else max(after, before(self._journal, since, followed))
            return behind(self._journal, start, limit, upto, device)

        facts, rest = await self._look(find, hashed=switch(request, "hash"))
        return answer({"head": head, "facts": facts, "next": rest})

    async def _verify(self, request: web.Request) -> web.Response:
        anchor = _anchor(request.query.get("anchor"))
        replay, evidence = switch(request, "replay"), _evidence(request)
        index = self._index() if replay else None
        report = await asyncio.to_thread(verify, self._journal, anchor, evidence=evidence, replay=replay, index=index)
        return answer(report_json(report))

    async def _anchor(self, _request: web.Request) -> web.Response:
        return answer({"anchor": export_anchor(self._journal).to_text()})

    async def _checkpoints(self, request: web.Request) -> web.Response:
        kept = newest_notes(self._journal, number(request, "n", 1, least=1, most=LONGEST_TAIL))
        standings = [] if self._publisher is None else self._publisher.standings
        return answer({"checkpoints": kept, "witnesses": [witness_json(each) for each in standings]})

    async def _records(self, request: web.Request) -> web.Response:
        after = number(request, "after", 0)
        return answer(await asyncio.to_thread(records_json, self._journal, after))

    async def _proof(self, request: web.Request) -> web.Response:
        return answer(await asyncio.to_thread(proof_json, self._journal, number(request, "seq", 0)))


def _evidence(request: web.Request) -> Evidence:
    """Returns what somebody kept elsewhere; raises BadRequest when it is no such thing."""
    try:
        return evidence_of(request.query.get("checkpoint"), request.query.get("key"))
    except FeltError as error:
        raise BadRequest(error.code, error.cause, error.next_step) from None


def _anchor(text: str | None) -> Anchor | None:
    try:
        return None if text is None else Anchor.from_text(text)
    except ValueError:
        raise BadRequest("anchor.invalid", "this is no anchor") from None


def _since(text: str | None) -> int | None:
    """Returns a time in microseconds since 1970; raises BadRequest when it is none."""
    if text is None:
        return None
    return round(datetime.fromisoformat(utc_time("since", text)).timestamp() * 1e6)
