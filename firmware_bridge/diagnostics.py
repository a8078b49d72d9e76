"""What a link remembers about itself for the technician: counters, round-trip times, and its last frames."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from firmware_bridge.frame import Frame, FrameError, describe

TRACE_LENGTH = 256
ROUND_TRIPS = 128


@dataclass(slots=True)
class Stats:
    """Counters since the link was made; they go on through a reopened link."""

    frames_in: int = 0
    frames_out: int = 0
    retries: int = 0  # of HELLO, COMMAND and RESEND
    duplicates: int = 0  # events that came again
    skipped: int = 0  # events that another controller has taken from this device
    errors: Counter[str] = field(default_factory=Counter)
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS))

    def round_trip(self, share: float) -> float | None:
        """Seconds within which this share of the latest answers came; None before the first answer."""
        if not self.round_trips:
            return None
        ordered = sorted(self.round_trips)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    @property
    def p50(self) -> float | None:
        return self.round_trip(0.50)

    @property
    def p99(self) -> float | None:
        return self.round_trip(0.99)


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One frame that passed, or one defect; bodies stay undecoded until somebody asks for `text`."""

    time: float
    way: Literal["in", "out"]
    item: Frame | FrameError

    def text(self) -> str:
        """One line for people; cards are withheld.

        >>> TraceEntry(1.5, "in", FrameError("frame.crc", "checksum of 12 bytes is wrong")).text()
        '1.500 in frame.crc: checksum of 12 bytes is wrong'
        """
        if isinstance(self.item, FrameError):
            return f"{self.time:.3f} {self.way} {self.item.code}: {self.item.detail}"
        return f"{self.time:.3f} {self.way} {describe(self.item)}"


Trace: TypeAlias = deque[TraceEntry]


def new_trace() -> Trace:
    """An empty ring."""
    return deque(maxlen=TRACE_LENGTH)
