"""What can be asked on the pages' port, besides signing in."""

from __future__ import annotations

from typing import Final

from controller.service.door_routes import DeviceReset
from controller.service.routes import Json, Query, Route
from controller.views.report_page import ReportPage

AFTER: Final = Query("after", "the fact after which it begins", "integer")

STATIC: Final = Route("GET", "/display/static/{name}", "Gives a file that pages are made of.", str, "text/plain")
DISPLAY: Final = Route("GET", "/display/{page}", "Gives the page `jackpot` or `limits`.", str, "text/html")
DISPLAY_EVENTS: Final = Route(
    "GET", "/display/{page}/events", "Streams what such a page shows.", Json, "text/event-stream"
)
TABLE: Final = Route("GET", "/table", "Gives the felt page.", str, "text/html")
TABLE_EVENTS: Final = Route(
    "GET",
    "/table/events",
    "Streams what lies on the felt and what happens there; Last-Event-ID resumes.",
    Json,
    "text/event-stream",
    query=[AFTER],
)
DEVICES: Final = Route("GET", "/devices", "Gives the technicians' page of the devices.", str, "text/html")
DEVICES_EVENTS: Final = Route(
    "GET",
    "/devices/events",
    "Streams how the devices do; more of it to a technician who is signed in.",
    Json,
    "text/event-stream",
    refuses=(403, 404),
)
RESET: Final = Route(
    "POST",
    "/devices/{name}/reset",
    "Leads the device out of its error mode; that is on record.",
    DeviceReset,
    who="a technician, a supervisor or somebody above, who is signed in",
    refuses=(401, 409),
)
REPORT: Final = Route("GET", "/report", "Gives the page with the numbers of a gaming day.", str, "text/html")
REPORT_NUMBERS: Final = Route(
    "GET",
    "/report/numbers",
    "Gives the numbers of a gaming day.",
    ReportPage,
    query=[Query("by", "shift, day, dealer, game, wager, spot or round"), Query("day", "such as 2026-11-17")],
    who="a supervisor, somebody above, or an inspector, who is signed in",
    refuses=(401, 403),
)
CONSOLE: Final = Route("GET", "/console", "Gives the dealer's console.", str, "text/html")
CONSOLE_EVENTS: Final = Route(
    "GET",
    "/console/events",
    "Streams the keys and how they stand; Last-Event-ID resumes.",
    Json,
    "text/event-stream",
    query=[AFTER],
)
