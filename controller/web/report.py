"""The report page: the numbers of a gaming day, for supervisors, those above, and inspectors who are signed in."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Final

from aiohttp import web

from controller.errors import FeltError
from controller.people import errors
from controller.rules import at_least
from controller.service.door import answer, explained
from controller.service.figures import TableFigures
from controller.service.mounting import Answered
from controller.service.round_store import Wanted
from controller.views.numbers_form import BYS, By
from controller.views.report_page import ReportPage, course, listed
from controller.web import codes as codes  # what the errors mean
from controller.web import routes
from controller.web.people import PageDoor

LOOKS: Final = "supervisor"  # or somebody above
INSPECTOR: Final = "inspector"
REQUEST: Final = "report.request"


def reporting(figures: TableFigures, door: PageDoor) -> Answered:
    """Returns the path on which the page asks for its numbers."""

    async def report(request: web.Request) -> web.Response:
        session = door.session(request)
        if session is None:
            raise errors.needed()
        if session.role != INSPECTOR and not at_least(session.role, LOOKS):
            cause = f"{session.person} is signed in as {session.role}; this needs the {LOOKS} or an inspector"
            raise FeltError("sign-in.role", cause, "One of them signs in.")
        by, day = _by(request.query.get("by", "shift")), _day(request.query.get("day", ""), figures)
        return answer(await asyncio.to_thread(_page, figures, by, day))

    return routes.REPORT_NUMBERS, explained(report)


def _page(figures: TableFigures, by: By, day: date) -> ReportPage:
    since, until = figures.calendar.span(day)
    which = Wanted(since=since, until=until)
    records, older, behind = figures.records(which)
    made, left_out = listed(records, by, figures.calendar, figures.keeper.store.asides(which))
    return ReportPage(
        table=figures.keeper.table,
        day=day.isoformat(),
        today=figures.today().isoformat(),
        zone=figures.calendar.name,
        numbers=made,
        left_out=left_out,
        course=course(records),
        float=figures.floats(which).report,
        older=older,
        behind=behind,
    )


def _by(text: str) -> By:
    for by in BYS:
        if by == text:
            return by
    raise FeltError(REQUEST, f"by must be one of {', '.join(BYS)}")


def _day(text: str, figures: TableFigures) -> date:
    try:
        return date.fromisoformat(text) if text else figures.today()
    except ValueError:
        raise FeltError(REQUEST, "a day is written as 2026-11-17") from None
