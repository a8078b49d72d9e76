"""What can be asked of a door over HTTP: one declaration each, by which it is mounted, described and asked.

Nothing here knows a server or a client, so that both can use it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias, TypedDict, TypeVar
from urllib.parse import quote, urlencode

Json: TypeAlias = dict[str, Any]
Answer = TypeVar("Answer")
Method: TypeAlias = Literal["GET", "POST"]
Media: TypeAlias = Literal[
    "application/json",
    "application/x-ndjson",  # one JSON object a line
    "text/event-stream",
    "text/html",
    "text/plain",
    "text/css",
]
WHOEVER: Final = "whoever reaches this door"
NAMES: Final = re.compile(r"\{(\w+)\}")


class ErrorCause(TypedDict):
    """What went wrong, for people and programs: the code is stable, the next step says what to do."""

    code: str
    cause: str
    next_step: str


class ErrorShown(ErrorCause, total=False):
    """An error, with the rule that says no where one does."""

    rule: str


class ErrorAnswer(TypedDict):
    """Every answer that is no success."""

    error: ErrorShown


class IndexEntry(TypedDict):
    """One thing that can be asked, for the index."""

    method: Method
    path: str
    says: str
    who: str


class Index(TypedDict):
    """Everything that can be asked at a door."""

    title: str
    openapi: str  # where the whole description is
    routes: list[IndexEntry]


@dataclass(frozen=True, slots=True)
class Query:
    """One word behind the `?`; a switch is on with 1."""

    name: str
    says: str
    kind: Literal["string", "integer", "switch"] = "string"


@dataclass(frozen=True, slots=True)
class Route(Generic[Answer]):
    """One thing that can be asked.

    `says` is one sentence; `answer` the type of the JSON, or of one line or event of a stream; `takes` that of the
    body, `bytes` for one that is no JSON.  `who` may ask; `refuses` are the statuses beyond those that follow from
    all this.
    """

    method: Method
    path: str
    says: str
    answer: type[Answer]
    media: Media = "application/json"
    takes: Any = None
    query: Sequence[Query] = ()
    who: str = WHOEVER
    refuses: Sequence[int] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What is filled into the path."""
        return tuple(NAMES.findall(self.path))

    @property
    def body_media(self) -> str:
        """The kind of its body, where it takes one."""
        return "application/octet-stream" if self.takes is bytes else "application/json"

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status that its errors can have: a mistake of ours and a table that cannot answer always among them."""
        statuses = {500, 503, *self.refuses}
        statuses |= {400} if self.query or self.takes is not None else set()
        statuses |= {413, 415} if self.takes is not None else set()
        statuses |= {404} if self.names else set()
        statuses |= {403} if self.method == "POST" else set()
        return tuple(sorted(statuses))

    def at(self, *names: str | int, **query: object) -> str:
        """Returns its path with the names filled in, and the query behind it; None is left out.

        >>> Route("GET", "/rounds/{number}", "A round.", str, query=[Query("opened", "...")]).at(7, opened=None)
        '/rounds/7'
        """
        if len(names) != len(self.names):
            raise ValueError(f"{self.path} has {len(self.names)} names, not {len(names)}")
        if unknown := set(query) - {each.name for each in self.query}:
            raise ValueError(f"{self.path} has no query {', '.join(sorted(unknown))}")
        path = self.path
        for name, value in zip(self.names, names, strict=True):
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        given = {name: str(value) for name, value in query.items() if value is not None}
        return f"{path}?{urlencode(given)}" if given else path


AnyRoute: TypeAlias = Route[Any]

INDEX: Final = Route("GET", "/", "Tells everything that can be asked here.", Index)
OPENAPI: Final = Route("GET", "/openapi.json", "Describes everything that can be asked here, for programs.", Json)
