"""What the API tells of rounds on record: a list by what is asked for, one round whole, its receipt."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from aiohttp import web

from controller.api import routes
from controller.api.answers import answer
from controller.api.query import NotFound, number
from controller.api.round_filter import UNKNOWN, bad_filter, counted, span, unknown, wanted
from controller.api.views import error
from controller.counts import many
from controller.errors import Coded, FeltError
from controller.service.figures import PATIENCE, TableFigures, in_turn
from controller.service.listening import send
from controller.service.mounting import Answered
from controller.service.round_keeper import Behind, RoundKeeper
from controller.service.round_store import PIECE, RoundStore
from controller.views import receipt
from controller.views import record as form
from controller.views.record import RoundRecord
from controller.views.report import report

ARCHIVED, SEARCHING = "round.archived", "round.searching"
SAY_EVERY: Final = 0.25  # seconds between two words on a long search


class Rounds:
    """Answers from the index of rounds; an older round is looked for in the journal when somebody asks for that."""

    def __init__(self, keeper: RoundKeeper, figures: TableFigures) -> None:
        self._keeper, self._figures = keeper, figures
        self._searching = threading.Lock()

    def routes(self) -> list[Answered]:
        """Returns what can be asked, by those too who may only look."""
        return [
            (routes.REPORT, self._report),
            (routes.NUMBERS, self._numbers),
            (routes.FLOAT, self._float),
            (routes.RECORDS, self._records),
            (routes.ROUNDS, self._list),
            (routes.ROUND, self._one),
            (routes.RECEIPT, self._receipt),
            (routes.RECEIPT_TEXT, self._receipt_text),
        ]

    def index(self) -> RoundStore | None:
        """Returns the open index; None while there is none."""
        try:
            return self._keeper.store
        except FeltError:
            return None

    def searching(self) -> list[Answered]:
        """Returns what takes long, and is for the socket of the table alone."""
        return [(routes.SEARCH, self._search)]

    async def _list(self, request: web.Request) -> web.Response:
        which = wanted(request.query)

        def look_up() -> dict[str, object]:
            behind = self._keeper.fresh(PATIENCE)
            rounds = list(self._keeper.store.list(which))
            running = self._keeper.running()
            more = len(rounds) > which.most
            rounds = rounds[: which.most]
            return {
                "rounds": rounds,
                "running": None if running is None else running.number,
                "next": rounds[-1].opened.seq if more else None,
                "older": bool(self._keeper.store.gone),
                "behind": _behind(behind),
            }

        return answer(await asyncio.to_thread(look_up))

    async def _report(self, request: web.Request) -> web.Response:
        """Answers with what the rounds of a time span come to."""
        which = span(request.query)

        def add_up() -> dict[str, object]:
            behind = self._keeper.fresh(PATIENCE)
            store = self._keeper.store
            return {
                "table": self._keeper.table,
                "since": which.since,
                "until": which.until,
                "games": report(in_turn(store.records(which))),
                "older": bool(store.gone) and which.since < store.oldest(),
                "behind": _behind(behind),
            }

        return answer(await asyncio.to_thread(add_up))

    async def _numbers(self, request: web.Request) -> web.Response:
        """Answers with the rounds of a time span added up by shift, day, dealer, game, wager, spot or round."""
        by, which = counted(request.query, self._figures.calendar, self._figures.today)

        def add_up() -> dict[str, object]:
            added = self._figures.added(by, which)
            return {
                "table": self._keeper.table,
                "zone": self._figures.calendar.name,
                "since": which.since,
                "until": which.until,
                "numbers": added.numbers,
                "older": added.older,
                "behind": _behind(added.behind),
            }

        return answer(await asyncio.to_thread(add_up))

    async def _float(self, request: web.Request) -> web.Response:
        """Answers with the shifts of the float, and the rounds in each."""
        _, which = counted(request.query, self._figures.calendar, self._figures.today)

        def add_up() -> dict[str, object]:
            added = self._figures.floats(which)
            return {
                "table": self._keeper.table,
                "since": which.since,
                "until": which.until,
                "float": added.report,
                "older": added.older,
                "behind": _behind(added.behind),
            }

        return answer(await asyncio.to_thread(add_up))

    async def _records(self, request: web.Request) -> web.StreamResponse:
        """Streams rounds that are over, one a line; what is read at once is not much."""
        which = span(request.query)
        await asyncio.to_thread(self._keeper.fresh, PATIENCE)
        records = in_turn(self._keeper.store.records(which))
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        try:
            while piece := await asyncio.to_thread(_piece, records):
                await send(request, response, piece)
        except ConnectionResetError:
            pass  # the client went away
        return response

    async def _one(self, request: web.Request) -> web.Response:
        record, others = await asyncio.to_thread(self._find, *_named(request))
        body = {"round": record, "anchor": record.anchor, "others": others}
        return answer(body)

    async def _receipt(self, request: web.Request) -> web.Response:
        record, _ = await asyncio.to_thread(self._find, *_named(request))
        headers = {"Content-Security-Policy": receipt.POLICY}
        return web.Response(text=receipt.page(record), content_type="text/html", charset="utf-8", headers=headers)

    async def _receipt_text(self, request: web.Request) -> web.Response:
        record, _ = await asyncio.to_thread(self._find, *_named(request))
        return web.Response(text="\n".join(receipt.lines(record)) + "\n", content_type="text/plain", charset="utf-8")

    def find(self, request: web.Request) -> RoundRecord:
        """Returns the round that a request names; raises NotFound when it is not at hand."""
        return self._find(*_named(request))[0]

    def _find(self, wanted: int, opened: int) -> tuple[RoundRecord, list[int]]:
        """Returns a round, and which facts opened others of the same number."""
        behind = self._keeper.fresh(PATIENCE)
        running, store = self._keeper.running(), self._keeper.store
        if running is not None and running.number == wanted and opened in (0, running.opened.seq):
            return running, store.others(wanted, running.opened.seq)
        record = store.find(wanted, opened)
        if record is not None:
            return record, store.others(wanted, record.opened.seq)
        if behind is not None:
            cause = f"round {wanted} is not told yet: {behind.done} of {many(behind.all, 'fact')} are"
            raise NotFound(UNKNOWN, cause, "Ask again in a while.")
        if store.gone:
            raise NotFound(ARCHIVED, f"round {wanted} is not among the latest, which are at hand")
        raise unknown(wanted)

    # ---- in the journal itself

    async def _search(self, request: web.Request) -> web.StreamResponse:
        """Tells the journal again until the round is found: one JSON object a line, the round at the end."""
        wanted, opened = _named(request)
        if not self._searching.acquire(blocking=False):
            raise FeltError(SEARCHING, "somebody else looks for a round in the journal")
        try:
            return await self._searched(request, wanted, opened)
        finally:
            self._searching.release()

    async def _searched(self, request: web.Request, wanted: int, opened: int) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        done: list[tuple[int, int]] = [(0, 0)]
        gone = threading.Event()

        def progress(at: int, all_: int) -> None:
            done[0] = at, all_
            if gone.is_set():
                raise ConnectionResetError

        work = asyncio.create_task(asyncio.to_thread(self._keeper.search, wanted, opened, progress))
        try:
            while not work.done():
                await asyncio.wait([work], timeout=SAY_EVERY)
                at, all_ = done[0]
                await send(request, response, _line({"done": at, "all": all_}))
            await send(request, response, _line(_outcome(work, wanted)))
        except ConnectionResetError:
            gone.set()  # the client went away
            await asyncio.wait([work])
        return response


def _piece(records: Iterator[RoundRecord]) -> bytes:
    """Returns some more rounds, one a line; nothing at the end."""
    return b"".join(form.encode(record) + b"\n" for record in islice(records, PIECE))


def _outcome(work: asyncio.Task[RoundRecord | None], wanted: int) -> dict[str, object]:
    """Returns the last word of a search."""
    try:
        record = work.result()
    except Coded as bad:
        return {"error": error(FeltError(bad.code, bad.cause, bad.next_step))}
    if record is None:
        return {"error": error(unknown(wanted))}
    return {"round": record, "anchor": record.anchor, "others": []}


def _line(data: dict[str, object]) -> bytes:
    return msgspec.json.encode(data) + b"\n"


def _behind(behind: Behind | None) -> dict[str, int] | None:
    return None if behind is None else {"done": behind.done, "all": behind.all}


# ---- what is asked for


def _named(request: web.Request) -> tuple[int, int]:
    """Returns the number of a round, and the fact that opened it where somebody names one."""
    text = request.match_info["number"]
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 12):
        raise bad_filter(f"a round has a number, not {text!r}")
    return int(text), number(request, "opened", 0)
