"""Which rounds are asked for: what can be said, the same for the API and for a journal's file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Final, get_args

from controller.api import codes as codes  # what the errors mean
from controller.api.query import BadRequest, NotFound, is_number
from controller.games import INSTALLED
from controller.rules import OUTCOMES
from controller.service.round_store import MOST_LISTED, Wanted
from controller.views.gaming_day import Calendar
from controller.views.numbers_form import BYS, By
from controller.views.record import FORGOTTEN, Irregular

LISTED: Final = 20
FILTERS: Final = ("game", "area", "outcome", "irregular", "since", "until", "n", "before")
OF_A_REPORT: Final = ("game", "since", "until")
OF_NUMBERS: Final = ("by", "day", *OF_A_REPORT)
KINDS: Final = ("any", "none", *get_args(Irregular))
FILTER: Final = "round.filter"
UNKNOWN: Final = "round.unknown"


def wanted(asked: Mapping[str, str]) -> Wanted:
    """Returns which rounds are asked for; raises BadRequest for what makes no sense."""
    for name in asked:
        if name not in FILTERS:
            raise bad_filter(f"there is no filter {name!r}: there are {', '.join(FILTERS)}")
    since, until = (utc_time(name, asked.get(name, "")) for name in ("since", "until"))
    if since and until and until < since:
        raise bad_filter("the time span ends before it begins")
    return Wanted(
        game=_one_of("game", asked.get("game", ""), tuple(INSTALLED.names())),
        area=_area(asked.get("area", "")),
        outcome=_one_of("outcome", asked.get("outcome", ""), (*OUTCOMES, FORGOTTEN)),
        irregular=_one_of("irregular", asked.get("irregular", ""), KINDS),
        since=since,
        until=until,
        before=_number("before", asked.get("before", "0")),
        most=_count(_number("n", asked.get("n", str(LISTED)))),
    )


def span(asked: Mapping[str, str]) -> Wanted:
    """Returns which rounds a report counts; raises BadRequest for what makes no sense."""
    for name in asked:
        if name not in OF_A_REPORT:
            raise bad_filter(f"there is no filter {name!r}: there are {', '.join(OF_A_REPORT)}")
    return wanted(asked)


def counted(asked: Mapping[str, str], calendar: Calendar, today: Callable[[], date]) -> tuple[By, Wanted]:
    """Returns by what rounds are added up, and which; those of the gaming day that it is unless others are asked for.

    Raises BadRequest for what makes no sense.
    """
    for name in asked:
        if name not in OF_NUMBERS:
            raise bad_filter(f"there is no filter {name!r}: there are {', '.join(OF_NUMBERS)}")
    by = next((by for by in BYS if by == asked.get("by", "game")), None)
    if by is None:
        raise bad_filter(f"by must be one of {', '.join(BYS)}, not {asked['by']!r}")
    ends = {name: asked[name] for name in ("since", "until") if asked.get(name)}
    if ends and "day" in asked:
        raise bad_filter("a day and a time span were given")
    if not ends:
        ends = dict(zip(("since", "until"), _span(calendar, asked.get("day", ""), today), strict=True))
    return by, wanted(ends | ({"game": asked["game"]} if asked.get("game") else {}))


def _span(calendar: Calendar, text: str, today: Callable[[], date]) -> tuple[str, str]:
    """Returns from when to when a gaming day lasts; raises BadRequest for what is none, or none that can be told."""
    try:
        return calendar.span(date.fromisoformat(text) if text else today())
    except (ValueError, OverflowError):  # the first and the last day that there is have no end in some zones
        raise bad_filter(f"day must be a day such as 2026-11-17, not {text!r}") from None


def unknown(number: int, where: str = "") -> NotFound:
    """Returns the error of somebody who asks for a round that there is not."""
    return NotFound(UNKNOWN, f"there is no round {number}{where}")


def _number(name: str, text: str) -> int:
    if not is_number(text):
        raise bad_filter(f"{name} must be a whole number, not {text!r}")
    return int(text)


def _count(count: int) -> int:
    if not 1 <= count <= MOST_LISTED:
        raise bad_filter(f"n must be 1 to {MOST_LISTED}, not {count}")
    return count


def _area(text: str) -> str:
    if text and not (text.isascii() and text.isdigit() and len(text) < 4):
        raise bad_filter(f"area must be the number of an area or seat, not {text!r}")
    return text.lstrip("0")


def _one_of(name: str, text: str, words: tuple[str, ...]) -> str:
    if text and text not in words:
        raise bad_filter(f"{name} must be one of {', '.join(words)}, not {text!r}")
    return text


def utc_time(name: str, text: str) -> str:
    """Returns a time as records have it; raises BadRequest when it is none."""
    if not text:
        return ""
    try:
        at = datetime.fromisoformat(text.replace(" ", "+", 1) if "T" in text else text)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise bad_filter(f"{name} must be a time such as 2026-11-17T20:15 or a day, not {text!r}") from None
    return at.isoformat(timespec="milliseconds")


def bad_filter(cause: str) -> BadRequest:
    """Returns the error of somebody who asks for rounds in a way that makes no sense."""
    return BadRequest(FILTER, cause)
