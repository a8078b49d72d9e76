"""What a link remembers about itself for the technician: counters, round-trip times, and its last frames."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from firmware_bridge.frame import SEALED, BodyError, Frame, FrameError, Kind, decode_event, describe
from firmware_bridge.messages import CardDrawn, CardsTogether, Event, KeyPressed, SetDispensed

TRACE_LENGTH = 256
LONGEST_LINE = 240  # characters; firmware on its way would fill pages
_CARD: Final = re.compile(r"[2-9TJQKA0][cdhs]", re.IGNORECASE)  # anywhere in a word: rather too much withheld
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
class Note:
    """What passed in another protocol than ours, in words that name no card."""

    words: str


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One frame that passed, or one defect; bodies stay undecoded until somebody asks for `text`."""

    time: float
    way: Literal["in", "out"]
    item: Frame | FrameError | Note

    def text(self) -> str:
        """One line for people; cards are withheld.

        >>> TraceEntry(1.5, "in", FrameError("frame.crc", "checksum of 12 bytes is wrong")).text()
        '1.500 in frame.crc: checksum of 12 bytes is wrong'
        """
        return f"{self.time:.3f} {self.way} {self.words()}"

    def words(self) -> str:
        """What passed, without its time; cards are withheld."""
        match self.item:
            case FrameError(code, detail):
                return f"{code}: {detail}"
            case Note(words):
                return _short(words)
        event = _event(self.item)
        if isinstance(event, KeyPressed) and _names_card(event):
            return f"EVENT {self.item.number} KeyPressed(key={event.key!r}, withheld)"
        return _short(describe(self.item))

    def raw(self) -> bytes | None:
        """The frame as it would go over a wire that is not sealed; None for what is no frame, or may hold a card."""
        frame = self.item
        if not isinstance(frame, Frame) or frame.flags & SEALED:
            return None
        if frame.kind is Kind.EVENT and ((event := _event(frame)) is None or _names_card(event)):
            return None
        return frame.to_wire()


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."


def _names_card(event: Event) -> bool:
    if isinstance(event, KeyPressed):  # a dealer may tell a card with it
        return any(_CARD.search(word) for word in event.args)
    return isinstance(event, CardDrawn | CardsTogether | SetDispensed)


def _event(frame: Frame) -> Event | None:
    """None when it is no event, or nobody can read it."""
    if frame.kind is not Kind.EVENT or frame.flags & SEALED:
        return None
    try:
        return decode_event(frame.body)
    except BodyError:
        return None


class Trace(deque[TraceEntry]):
    """The latest entries; `last` is the number of the last one, from 1."""

    def __init__(self) -> None:
        super().__init__(maxlen=TRACE_LENGTH)
        self.last = 0

    def append(self, entry: TraceEntry, /) -> None:
        self.last += 1
        super().append(entry)

    def after(self, number: int) -> list[tuple[int, TraceEntry]]:
        """What came behind this number and is still there, numbered."""
        first = self.last - len(self) + 1
        return list(enumerate(islice(self, max(0, number + 1 - first), None), max(first, number + 1)))


def new_trace() -> Trace:
    """An empty ring."""
    return Trace()
