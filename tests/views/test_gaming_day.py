"""Days and shifts of a casino: every moment is of exactly one, whatever clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from controller.views.gaming_day import Calendar

SYDNEY = ZoneInfo("Australia/Sydney")
HOUSE = Calendar(SYDNEY, time(6), (time(6), time(14), time(22)), "Australia/Sydney")

times = st.times().map(lambda at: at.replace(second=0, microsecond=0))
moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
calendars = st.builds(
    Calendar,
    st.sampled_from((UTC, SYDNEY, ZoneInfo("America/New_York"))),
    times,
    st.lists(times, max_size=4).map(tuple),
)


def iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


def test_a_day_begins_in_the_morning() -> None:
    five = datetime(2026, 11, 17, 5, 59, 59, tzinfo=SYDNEY)
    assert HOUSE.day(iso(five)) == "2026-11-16"
    assert HOUSE.day(iso(five + timedelta(seconds=1))) == "2026-11-17"
    assert HOUSE.shift(iso(five)) == "2026-11-16 22:00"
    assert HOUSE.shift(iso(five + timedelta(hours=9))) == "2026-11-17 14:00"


def test_a_day_without_shifts_is_one() -> None:
    assert Calendar(UTC).shift("2026-11-17T23:00:00.000+00:00") == "2026-11-17 00:00"


def test_what_is_before_the_first_shift_is_a_shift_of_its_own() -> None:
    calendar = Calendar(UTC, time(6), (time(14),))
    assert calendar.shift("2026-11-17T07:00:00.000+00:00") == "2026-11-17 06:00"


def test_a_day_of_23_hours() -> None:
    since, until = HOUSE.span(date(2026, 10, 3))  # clocks go forward in the night
    assert datetime.fromisoformat(until) - datetime.fromisoformat(since) == timedelta(hours=23)


@given(calendars, moments)
def test_a_moment_is_in_the_span_of_its_day(calendar: Calendar, at: datetime) -> None:
    """Around a change of clocks an hour comes twice, or never: it belongs to a day beside it at most."""
    day = date.fromisoformat(calendar.day(iso(at)))
    since, until = calendar.span(day)
    slack = timedelta(hours=1)
    assert datetime.fromisoformat(since) - slack <= at < datetime.fromisoformat(until) + slack
    assert calendar.shift(iso(at)).startswith(day.isoformat())


@given(calendars, moments)
def test_today(calendar: Calendar, at: datetime) -> None:
    at = at.replace(microsecond=0)
    assert calendar.today(int(at.timestamp()) * 1_000_000).isoformat() == calendar.day(iso(at))
