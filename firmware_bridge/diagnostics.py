"""What a link remembers about itself for the technician: counters, round-trip times, and its last frames."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

import msgspec

from firmware_bridge.frame import ENCRYPTED, BodyError, Frame, FrameError, Kind, decode_event, describe, encode
from firmware_bridge.messages import Event, may_be_private

TRACE_LENGTH = 256
LONGEST_LINE = 240  # characters; firmware on its way would fill pages
_NO_MESSAGE: Final = b"\xc1"  # a byte that begins no MessagePack value
ROUND_TRIPS = 128


@dataclass(slots=True)
class Stats:
    """Counters since the link was made; they go on through a reopened link."""

    frames_in: int = 0
    frames_out: int = 0
    retries: int = 0  # of HELLO, COMMAND and RESEND
    duplicates: int = 0  # events that came again
    skipped: int = 0  # events that another controller has taken from this device
    speed: int = 0  # of the line, in bits a second; 0: the wire has none
    low_latency: bool | None = None  # of the port: True: set, False: refused to us, None: it has none
    errors: Counter[str] = field(default_factory=Counter)
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS))

    def round_trip(self, share: float) -> float | None:
        """Returns the seconds within which this share of the latest answers came; None before the first answer."""
        if not self.round_trips:
            return None
        ordered = sorted(self.round_trips)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    @property
    def p50(self) -> float | None:
        """The seconds within which half of the latest answers came; None before the first one."""
        return self.round_trip(0.50)

    @property
    def p99(self) -> float | None:
        """The seconds within which 99 of 100 of the latest answers came; None before the first one."""
        return self.round_trip(0.99)


@dataclass(frozen=True, slots=True)
class Note:
    """What passed in another protocol than ours, in words that name no card."""

    words: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The session ended here: the wire was lost, or the link gave the device up."""

    code: str
    cause: str


class TraceEntry(msgspec.Struct, frozen=True):
    """One frame that passed, or one defect; bodies stay undecoded until somebody asks for `text`."""

    time: float
    way: Literal["in", "out"]
    item: Frame | FrameError | Note | Cut

    def text(self) -> str:
        """Returns one line for people; cards are withheld.

        >>> TraceEntry(1.5, "in", FrameError("frame.crc", "checksum of 12 bytes is wrong")).text()
        '1.500 in frame.crc: checksum of 12 bytes is wrong'
        """
        return f"{self.time:.3f} {self.way} {self.words()}"

    def words(self) -> str:
        """Returns what passed, without its time; cards are withheld."""
        match self.item:
            case FrameError(code, detail):
                return f"{code}: {detail}"
            case Note(words):
                return _short(words)
            case Cut(code, cause):
                return _short(f"lost: {code}: {cause}")
        return _short(describe(self.item))

    def raw(self, *, whole: bool = False) -> bytes | None:
        """Returns the frame as a wire without encryption would carry it; None for no frame, or for a possible card.

        `whole`: cards and all, where nothing is secret.
        """
        frame = self.item
        if not isinstance(frame, Frame) or frame.flags & ENCRYPTED:
            return None
        if (
            not whole
            and frame.kind is Kind.EVENT
            and ((event := _event(frame)) is None or event.without_cards() != event)
        ):
            return None
        return frame.to_wire()

    def blank(self) -> bytes | None:
        """Returns what `raw` withholds, with every card left out as if it could not be read; None without an event.

        A body that nobody could read becomes another one that nobody can read.
        """
        frame = self.item
        if not isinstance(frame, Frame) or frame.kind is not Kind.EVENT or frame.flags & ENCRYPTED:
            return None
        event = _event(frame)
        body = _NO_MESSAGE if event is None else encode(event.without_cards())
        return Frame(frame.kind, frame.number, body).to_wire()


def traceable(frame: Frame) -> Frame:
    """Returns a frame as it may be kept: without the PIN that somebody entered, whoever may read the trace."""
    if frame.kind is not Kind.EVENT or frame.flags & ENCRYPTED or not may_be_private(frame.body):
        return frame
    event = _event(frame)
    if event is None:
        return Frame(frame.kind, frame.number, _NO_MESSAGE)  # it may have been one
    return Frame(frame.kind, frame.number, encode(event.without_cards())) if event.private else frame


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."


def _event(frame: Frame) -> Event | None:
    """Returns the event in a frame; None when it is no event, or nobody can read it."""
    if frame.kind is not Kind.EVENT or frame.flags & ENCRYPTED:
        return None
    try:
        return decode_event(frame.body)
    except BodyError:
        return None


class Trace(deque[TraceEntry]):
    """The latest entries; `last` is the number of the last one, from 1.

    The greeting of the oldest session that is still in it stays as well: it says whose frames these are.
    """

    def __init__(self) -> None:
        super().__init__(maxlen=TRACE_LENGTH)
        self.last = 0
        self._greeting: dict[Kind, tuple[int, TraceEntry]] = {}

    def append(self, entry: TraceEntry, /) -> None:
        if len(self) == TRACE_LENGTH:
            self._leaves(self.last - TRACE_LENGTH + 1, self[0])
        self.last += 1
        super().append(entry)

    def after(self, number: int) -> list[tuple[int, TraceEntry]]:
        """Returns the numbered entries behind this number that are still kept."""
        first = self.last - len(self) + 1
        greeting = [kept for kept in self._greeting.values() if kept[0] > number]
        return [*greeting, *enumerate(islice(self, max(0, number + 1 - first), None), max(first, number + 1))]

    def _leaves(self, number: int, entry: TraceEntry) -> None:
        frame = entry.item
        if not isinstance(frame, Frame):
            return
        if frame.kind is Kind.HELLO:
            self._greeting = {Kind.HELLO: (number, entry)}
        elif frame.kind is Kind.IDENTITY and Kind.HELLO in self._greeting:
            self._greeting[Kind.IDENTITY] = (number, entry)


def new_trace() -> Trace:
    """Returns an empty trace."""
    return Trace()
