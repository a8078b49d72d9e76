"""The days and shifts of a casino: a gaming day begins at an hour of its own, by the clock of the casino."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

import msgspec


class Calendar(msgspec.Struct, frozen=True):
    """Which gaming day and which shift a moment belongs to: exactly one of each.

    >>> calendar = Calendar(UTC, time(6), (time(6), time(14), time(22)))
    >>> calendar.day("2026-11-17T05:59:59.000+00:00"), calendar.shift("2026-11-18T01:00:00.000+00:00")
    ('2026-11-16', '2026-11-17 22:00')
    """

    zone: tzinfo
    begins: time = time()
    shifts: tuple[time, ...] = ()  # when each begins; none: a day is one shift
    name: str = ""  # of the zone; "": that of this computer

    def day(self, at: str) -> str:
        """Returns the gaming day of a moment, such as "2026-11-17"."""
        return self._day(self._local(at)).isoformat()

    def shift(self, at: str) -> str:
        """Returns the shift of a moment: its day, and when it began."""
        local = self._local(at)
        starts = self._starts()
        begun = [start for start in starts if self._since_begin(start) <= self._since_begin(local.time())]
        return f"{self._day(local)} {begun[-1]:%H:%M}"

    def span(self, day: date) -> tuple[str, str]:
        """Returns from when to when a gaming day lasts, in UTC, as records have it; some do not have 24 hours."""
        begin = datetime.combine(day, self.begins, self.zone)
        end = datetime.combine(day + timedelta(days=1), self.begins, self.zone)
        return _utc(begin), _utc(end)

    def today(self, now: int) -> date:
        """Returns the gaming day at this time, in microseconds since 1970."""
        return self._day(datetime.fromtimestamp(now // 1_000_000, self.zone))

    def _local(self, at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(self.zone)

    def _day(self, local: datetime) -> date:
        return local.date() - timedelta(days=1) if local.time() < self.begins else local.date()

    def _starts(self) -> list[time]:
        """Returns when the shifts of a day begin, in the order of that day; what is before the first is its own."""
        return sorted({self.begins, *self.shifts}, key=self._since_begin)

    def _since_begin(self, at: time) -> tuple[bool, time]:
        """Returns what sorts times within a gaming day: those after midnight come last."""
        return at < self.begins, at


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
