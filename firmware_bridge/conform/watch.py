"""Looks at every frame that the device sends, whatever is tried, and notes each promise that one of them breaks."""

from __future__ import annotations

from typing import Final

from firmware_bridge.frame import BodyError, Frame, FrameError, Kind, decode_event, decode_reply
from firmware_bridge.messages import (
    CARDS,
    FAMILIES,
    SENT_BY,
    SENT_BY_ALL,
    BetChanged,
    CardDrawn,
    ChipsPushed,
    Event,
    Identity,
)
from firmware_bridge.session import WINDOW

_UP: Final = (Kind.IDENTITY, Kind.EVENT, Kind.REPLY, Kind.PONG)
_EMPTY: Final = 2**16  # a random number of 32 bits is as good as never smaller
_MOST_KEPT: Final = 5  # findings of one paragraph that are told


class Watch:
    """Everything that was noted about the device's frames, by paragraph of docs/protocol.md."""

    def __init__(self) -> None:
        self.findings: dict[str, list[str]] = {}
        self.expected: set[tuple[Kind, int]] = set()  # the answers that were asked for
        self.frames = self.events = self.cards = self.encrypted = 0
        self.identity: Identity | None = None
        self.acknowledged = 0
        self.next_event = 1  # the counter that is due in this session
        self._ahead: dict[int, bytes] = {}  # events that came before the one that is due
        self._bodies: dict[int, bytes] = {}

    def note(self, paragraph: str, what: str) -> None:
        """Adds what breaks a promise; a few of each are enough."""
        of_it = self.findings.setdefault(paragraph, [])
        if what not in of_it and len(of_it) < _MOST_KEPT:
            of_it.append(what)

    @property
    def kept(self) -> tuple[int, ...]:
        """The counters of the events that came and that nobody has acknowledged."""
        return tuple(sorted(number for number in self._bodies if number > self.acknowledged))

    @property
    def missing(self) -> bool:
        """Whether a younger event came before the one that is due."""
        return bool(self._ahead)

    # ---- what comes

    def damaged(self, error: FrameError) -> None:
        """Notes bytes that are no frame."""
        self.note("1.1", f"bytes that are no frame: {error.code}, {error.detail}")

    def frame(self, frame: Frame) -> None:
        """Looks at a frame, which is not encrypted any more."""
        self.frames += 1
        if frame.kind not in _UP:
            self.note("2.1", f"the device sent {frame.kind.name}, which only the controller sends")
        elif frame.kind is Kind.EVENT:
            self._event(frame)
        elif (frame.kind, frame.number) not in self.expected:
            self.note("2.1", f"{frame.kind.name} {frame.number} came, and nothing with this number was sent")
        elif frame.kind is Kind.REPLY:
            self._reply(frame)
        elif frame.kind is Kind.PONG and frame.body:
            self.note("2.1", f"PONG {frame.number} has a body of {len(frame.body)} bytes")

    def introduced(self, identity: Identity) -> None:
        """Looks at who the device says it is, at the beginning of a session."""
        self._looks_sound(identity)
        before = self.identity
        if before is not None and identity.serial != before.serial:
            self.note("4.3", f"its serial number was {before.serial!r} and is {identity.serial!r}")
        if before is not None and identity.epoch == before.epoch:
            self._memory_goes_on(identity, before)
        elif before is not None:
            self.note("5.6", "it has a new epoch, although nothing happened to its event memory")
            self._bodies.clear()
            self.acknowledged = 0
        if before is None or identity.epoch != before.epoch:
            self.acknowledged = max(identity.first, 1) - 1
        self.identity = identity
        self.next_event = max(identity.first, 1)
        self._ahead.clear()

    def _looks_sound(self, identity: Identity) -> None:
        if identity.epoch == 0:
            self.note("3.3", "its epoch is 0, which stands for no event memory at all")
        elif identity.epoch < _EMPTY:
            self.note("3.3", f"its epoch is {identity.epoch}, which is no random number of 32 bits or more")
        if identity.family not in FAMILIES:
            self.note("3.3", f"its family is {identity.family!r}; known are {', '.join(FAMILIES)}")
        if not identity.serial:
            self.note("3.3", "it has no serial number")
        if not 1 <= identity.first <= identity.last + 1:
            self.note("3.3", f"`first` is {identity.first} and `last` is {identity.last}")

    def _memory_goes_on(self, identity: Identity, before: Identity) -> None:
        if identity.last < max(before.last, *self._bodies, 0):
            self.note(
                "5.6", f"`last` was {max(before.last, *self._bodies, 0)} and is {identity.last} in the same epoch"
            )
        if identity.first > self.acknowledged + 1:
            lost = self.acknowledged + 1
            self.note("5.4", f"`first` is {identity.first}: event {lost} was forgotten, and nobody acknowledged it")

    # ---- events

    def _event(self, frame: Frame) -> None:
        self.events += 1
        self._content(frame)
        known = self._bodies.get(frame.number)
        if known is not None and known != frame.body:
            self.note("5.6", f"event {frame.number} came twice, with different content")
        if frame.number > self.next_event:
            self._ahead[frame.number] = frame.body
            return
        if frame.number == self.next_event:
            self.next_event += 1
            self._ahead.pop(frame.number, None)
            if known is None and frame.number <= self.acknowledged:
                self.note("5.6", f"event {frame.number} is new, and its counter was used and acknowledged before")
        self._bodies.setdefault(frame.number, frame.body)
        if len(self.kept) > WINDOW:
            self.note("5.2", f"{len(self.kept)} events are in flight, and none of them was acknowledged")

    def skipped(self) -> None:
        """Notes that the event which is due never came, although it was asked for."""
        self.note("5.1", f"event {self.next_event} never came, and younger ones did")
        came = min(self._ahead)
        self._bodies.setdefault(came, self._ahead.pop(came))
        self.next_event = came + 1

    def _content(self, frame: Frame) -> None:
        try:
            event = decode_event(frame.body)
        except BodyError as error:
            self.note("3.1", f"the body of event {frame.number} is malformed: {_without_value(error.cause)}")
            return
        if bad := [card for card in _cards(event) if card and card not in CARDS]:
            self.cards += 1
            self.note("3.2", f"event {frame.number} has a card of {len(bad[0])} characters that no deck has")
        elif _cards(event):
            self.cards += 1
        family = self.identity.family if self.identity is not None else ""
        if family in SENT_BY and not isinstance(event, (*SENT_BY_ALL, *SENT_BY[family])):
            self.note("3.4", f"event {frame.number} is {type(event).__name__}, which a {family} does not send")
        if event.defect is not None:
            paragraph = "3.5" if isinstance(event, BetChanged | ChipsPushed) else "3.4"
            self.note(paragraph, f"event {frame.number}: {event.defect.detail}")

    def _reply(self, frame: Frame) -> None:
        try:
            reply = decode_reply(frame.body)
        except BodyError as error:
            self.note("3.1", f"the body of reply {frame.number} is malformed: {_without_value(error.cause)}")
            return
        if not reply.ok and not reply.detail:
            self.note("6.4", f"reply {frame.number} refuses without a reason")


def _cards(event: Event) -> tuple[str, ...]:
    """Returns the texts that stand for cards; what they are is told to nobody."""
    if isinstance(event, CardDrawn):
        return (event.card,)
    cards: tuple[str, ...] = getattr(event, "cards", ())
    return cards


def _without_value(cause: str) -> str:
    """Returns what was wrong with a body without what stood in it: it may be a card."""
    return cause.partition("'")[0].strip() or cause
