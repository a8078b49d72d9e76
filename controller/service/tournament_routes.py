"""What can be asked about tournaments: all of them, how one stands, its desk, its report; and deeds."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypedDict

import msgspec

from controller.service.routes import Json, Route
from controller.views.tournament import CupReport, DeskShown, RoomShown

DIRECTORS: Final = "the tournament director, or a deputy whom the director has appointed, who is signed in"
MANAGERS: Final = "an area manager or somebody above, who is signed in"
LARGEST: Final = 1 << 16  # bytes of a request: terms are long


class CupSummary(msgspec.Struct, frozen=True):
    """One tournament in a list."""

    name: str
    game: str
    stage: str
    left: int
    entered: int
    tables: int
    opened: int  # milliseconds since 1970
    word: str = ""  # its name as the key `set tournament=` takes it
    here: bool = False  # this table could be made its own: it is of the table's game, and not over


class CupList(msgspec.Struct, frozen=True):
    """All tournaments of the store, the newest first; `own` is the one that this table is in."""

    tournaments: list[CupSummary]
    own: str


class OpenWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to open a tournament: its terms.toml."""

    terms: str


class TermsMistake(msgspec.Struct, frozen=True):
    """One thing that is wrong with terms, or may surprise: at which line (0: none), about what."""

    line: int
    key: str
    text: str


class TermsChecked(msgspec.Struct, frozen=True):
    """Everything that is wrong with some terms; without mistakes a tournament can be opened with them."""

    name: str
    game: str
    mistakes: list[TermsMistake]
    hints: list[TermsMistake]  # they can be used, and yet few mean this


class DeedWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to do something at the desk.

    `enter` has names, `withdraw` one, `substitute` two, `seat` a table, a place and a name; `key` a key and its words.
    """

    deed: Literal["enter", "withdraw", "substitute", "seat", "key"]
    words: Annotated[tuple[str, ...], msgspec.Meta(max_length=200)]
    employees: bool = False


class DeedDone(TypedDict):
    """A deed that is on record."""

    tournament: str
    line: int  # the number of its line
    stage: str


LIST: Final = Route("GET", "/tournaments", "Lists the tournaments of the store, the newest first.", CupList)
ROOM: Final = Route("GET", "/tournaments/{name}", "Tells how a tournament stands.", RoomShown)
DESK: Final = Route(
    "GET", "/tournaments/{name}/desk", "Tells what its desk has to know.", DeskShown, who=DIRECTORS, refuses=(401, 403)
)
REPORT: Final = Route(
    "GET",
    "/tournaments/{name}/report",
    "Tells what a tournament comes to in money.",
    CupReport,
    who="whoever reaches the socket; on a page the director, or a deputy, who is signed in",
    refuses=(403,),
)
OPEN: Final = Route(
    "POST",
    "/tournaments",
    "Opens a tournament with these terms.",
    DeedDone,
    takes=OpenWish,
    who="the tournament director, who is signed in",
    refuses=(401, 409),
)
CHECK: Final = Route(
    "POST",
    "/tournament-terms",
    "Tells everything that is wrong with terms, and opens nothing.",
    TermsChecked,
    takes=OpenWish,
    who="the tournament director, who is signed in",
    refuses=(401, 403),
)
DO: Final = Route(
    "POST",
    "/tournaments/{name}/deeds",
    "Does something at its desk; that is on record.",
    DeedDone,
    takes=DeedWish,
    who=DIRECTORS,
    refuses=(401, 409),
)
DESIGNATE: Final = Route(
    "POST", "/tournaments/{name}/table", "Makes this table its own.", DeedDone, who=MANAGERS, refuses=(401, 409)
)
FREE: Final = Route(
    "POST", "/tournaments/{name}/free", "Frees this table of it.", DeedDone, who=MANAGERS, refuses=(401, 409)
)
LIST_PAGE: Final = Route("GET", "/tournament", "Gives the tournaments, each with its pages.", str, "text/html")
OPEN_PAGE: Final = Route("GET", "/tournament-desk", "Gives the page to open a tournament on.", str, "text/html")
ROOM_PAGE: Final = Route("GET", "/tournament/{name}", "Gives the page of a tournament for its room.", str, "text/html")
DESK_PAGE: Final = Route("GET", "/tournament/{name}/desk", "Gives the page of its director.", str, "text/html")
EVENTS: Final = Route("GET", "/tournament/{name}/events", "Streams what its page shows.", Json, "text/event-stream")
