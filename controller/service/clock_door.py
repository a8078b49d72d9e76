"""The computer's clock over HTTP: whoever is signed in says that it is right."""

from __future__ import annotations

from aiohttp import web

from controller.errors import FeltError
from controller.service.clock_routes import CONFIRM_CLOCK, LONGEST_REASON, ClockWish
from controller.service.clock_watch import ClockWatch
from controller.service.door import Door, answer, explained, read
from controller.service.mounting import Answered


def confirming(watch: ClockWatch | None, door: Door) -> list[Answered]:
    """Returns the paths at this door."""

    async def confirm(request: web.Request) -> web.Response:
        session = door.writer(request)
        wish = await read(request, ClockWish, unfit=_unfit)
        reason = wish.reason.strip()
        if not reason or len(reason) > LONGEST_REASON:
            raise _unfit(f"say how you know that the time is right, in at most {LONGEST_REASON} characters")
        assert watch is not None
        return answer({"person": session.person, "seq": await watch.confirm(session, reason)})

    return [(CONFIRM_CLOCK, explained(confirm))] if watch is not None else []


def _unfit(why: str) -> FeltError:
    return FeltError("clock.request", why)
