"""How a moment is written for people: the time of day, how long something took, the how-manieth time it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def iso(at: int) -> str:
    """Returns a time in microseconds since 1970 as ISO 8601.

    >>> iso(1_700_000_000_123_456)
    '2023-11-14T22:13:20.123+00:00'
    """
    try:
        return datetime.fromtimestamp(at / 1e6, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):  # no year that a calendar has
        return f"{at / 1e6:.0f} s"


def day_and_time(written: str) -> str:
    """Returns what people read of such a text.

    >>> day_and_time("2023-11-14T22:13:20.123+00:00")
    '2023-11-14 22:13:20'
    """
    return written.partition("+")[0].partition(".")[0].replace("T", " ")


def clock(written: str) -> str:
    """Returns the time of day of such a text, exact to the millisecond.

    >>> clock("2023-11-14T22:13:20.123+00:00")
    '22:13:20.123'
    """
    return written.partition("+")[0].rpartition("T")[2]


def time_of_day(at: int, offset: int) -> str:
    """Returns hours and minutes on a clock that is so many seconds ahead of UTC.

    >>> time_of_day(1_700_000_000_123_456, 0), time_of_day(1_700_000_000_123_456, 36_000)
    ('22:13', '08:13')
    """
    minutes = (at // 1_000_000 + offset) // 60
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def nth(count: int) -> str:
    """Returns which time it is.

    >>> [nth(count) for count in (2, 3, 11, 13, 20, 21, 22, 111, 121)]
    ['2nd', '3rd', '11th', '13th', '20th', '21st', '22nd', '111th', '121st']
    """
    teens = count // 10 % 10 == 1
    return f"{count}{'th' if teens else _ENDINGS.get(count % 10, 'th')}"


def length(milliseconds: int) -> str:
    """Returns how long something took.

    >>> length(72_340), length(450), length(4_000_000)
    ('1 min 12 s', '0.5 s', '1 h 6 min')
    """
    seconds = milliseconds // 1000
    if seconds < 10:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
