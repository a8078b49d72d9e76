"""The numbers of a running table: its rounds on record, added up by the days and shifts of the house."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from controller.config.model import ReportSection
from controller.service.round_keeper import Behind, RoundKeeper
from controller.service.round_store import Wanted
from controller.views.float_form import CommissionTo, FloatEntry, FloatReport
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.numbers_form import By, Numbers
from controller.views.record import Moment, RoundRecord
from controller.views.table_float import float_report

PATIENCE: Final = 2.0  # seconds for what just happened to be told
NEVER: Final = "9999"  # after everything that is on record
TURN: Final = 10  # rounds of a report between two pauses


class ThisComputer(tzinfo):
    """The time zone of this computer, whatever it is at a time."""

    def fromutc(self, dt: datetime) -> datetime:
        """Returns what the clock of this computer said then."""
        return datetime.fromtimestamp(dt.replace(tzinfo=UTC).timestamp()).replace(tzinfo=self)

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        """Returns by how much it was ahead of UTC."""
        return None if dt is None else dt.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, dt: datetime | None) -> timedelta | None:
        """Returns nothing: whether a summer time was in force is in the offset."""
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        """Returns no name: it may be another one at another time."""
        return None


def calendar_of(section: ReportSection) -> Calendar:
    """Returns the days and shifts that table.toml says."""
    zone = ZoneInfo(section.time_zone) if section.time_zone else ThisComputer()
    shifts = tuple(time.fromisoformat(begins) for begins in section.shifts)
    return Calendar(zone, time.fromisoformat(section.day_starts), shifts, section.time_zone)


class Added(NamedTuple):
    """The numbers of some rounds, and what is missing in them."""

    numbers: Numbers
    older: bool  # some rounds are only in the journal
    behind: Behind | None


class FloatsAdded(NamedTuple):
    """The shifts of a float, and what is missing in them."""

    report: FloatReport
    older: bool
    behind: Behind | None


class TableFigures:
    """Adds up the rounds on record of one table; every call takes time, and belongs into a thread."""

    def __init__(
        self, keeper: RoundKeeper, calendar: Calendar, now: Callable[[], int], commission_to: CommissionTo = "box"
    ) -> None:
        self.keeper, self.calendar = keeper, calendar
        self._now = now  # microseconds since 1970
        self._commission_to = commission_to

    def today(self) -> date:
        """Returns the gaming day that it is."""
        return self.calendar.today(self._now())

    def records(self, which: Wanted) -> tuple[list[RoundRecord], bool, bool]:
        """Returns these rounds, whether some are only in the journal, and whether some are not told yet."""
        behind = self.keeper.fresh(PATIENCE)
        store = self.keeper.store
        records = list(in_turn(store.records(which)))
        return records, bool(store.gone) and which.since < store.oldest(), behind is not None

    def added(self, by: By, which: Wanted) -> Added:
        """Returns what these rounds come to."""
        behind = self.keeper.fresh(PATIENCE)
        store = self.keeper.store
        made = numbers(in_turn(store.records(which)), by, self.calendar, store.asides(which))
        return Added(made, bool(store.gone) and which.since < store.oldest(), behind)

    def floats(self, which: Wanted) -> FloatsAdded:
        """Returns the shifts of the float that were opened in this time span, with their rounds."""
        behind = self.keeper.fresh(PATIENCE)
        store = self.keeper.store
        moved = store.floats()
        wanted, since, until = floats_within(moved, which)
        records = list(in_turn(store.records(Wanted(since=since, until=until))))
        made = float_report(wanted, records, self._commission_to)
        return FloatsAdded(made, bool(store.gone) and since < store.oldest(), behind)

    def latest_float(self) -> tuple[FloatsAdded, list[Moment]]:
        """Returns the shift of the float that was opened last, with its rounds, and when every shift was opened."""
        self.keeper.fresh(PATIENCE)
        opened = [entry.at for entry in self.keeper.store.floats() if entry.deed == "opening"]
        since = opened[-1].at if opened else NEVER
        return self.floats(Wanted(since=since)), opened


def floats_within(moved: Sequence[FloatEntry], which: Wanted) -> tuple[list[FloatEntry], str, str]:
    """Returns what was done in the shifts that were opened in a time span, and when their rounds begin and end.

    A shift that was opened before it is left out whole, one that ends after it is in it whole.
    """
    opened = [entry for entry in moved if entry.deed == "opening"]
    within = [entry.at for entry in opened if _opened_within(entry.at.at, which)]
    if not within:
        return [], which.since, which.until
    after = next((entry.at for entry in opened if entry.at.seq > within[-1].seq), None)
    wanted = [entry for entry in moved if _of_these(entry, within[0].seq, after.seq if after is not None else None)]
    return wanted, min(which.since, within[0].at), after.at if after is not None else ""


def _opened_within(at: str, which: Wanted) -> bool:
    return (not which.since or at >= which.since) and (not which.until or at < which.until)


def _of_these(entry: FloatEntry, first: int, after: int | None) -> bool:
    """Tells whether something was done in these shifts: a drop may say so, and come later."""
    if entry.about:
        return first <= entry.about and (after is None or entry.about < after)
    return first <= entry.at.seq and (after is None or entry.at.seq < after)


def in_turn(records: Iterable[RoundRecord]) -> Iterator[RoundRecord]:
    """Yields records, and lets the table go first now and then: a report has time."""
    for number, record in enumerate(records):
        yield record
        if number % TURN == 0:
            clock.sleep(0.001)
