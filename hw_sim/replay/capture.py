"""A capture as the device's part in a play: what it sent by itself, what it answered, and how each session ended.

A capture is what `felt device NAME trace --save FILE` writes: one JSON object a line.  Cards are not in it; whoever has
seen them may tell them, and any other card comes out as one that could not be read.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from firmware_bridge.frame import (
    MAX_ENCODED,
    VERSION,
    BodyError,
    Frame,
    FrameError,
    Kind,
    cobs_encode,
    decode_answer,
    decode_event,
    decode_frame,
    decode_greeting,
    encode,
)
from firmware_bridge.messages import CARDS, CardDrawn, Challenge, Identity
from hw_sim.errors import CAPTURE, SimError
from hw_sim.models.cards import UNREAD

HOLE: Final = "hole"  # how a session ends when the capture lacks what followed
_EVENT_BYTES: Final = struct.Struct("<BBBI")


@dataclass(frozen=True, slots=True)
class CapturedStep:
    """Bytes that the device sent of its own accord; `counter` is that of an event, 0 for anything else.

    `acked`: so far its events were acknowledged then.
    """

    at: float
    data: bytes = field(repr=False)
    counter: int = 0
    acked: int = 0


@dataclass(slots=True)
class CapturedRequest:
    """A question of the controller; `answer` is the body that came back `after` so many seconds, None if none did."""

    at: float
    number: int
    body: bytes = field(repr=False)
    answer: bytes | None = field(default=None, repr=False)
    after: float = 0.0


@dataclass(slots=True)
class CapturedSession:
    """One session, from a greeting to the end of what followed it.  Times are seconds since 1970."""

    at: float
    nonce: int
    greetings: int = 0  # how many the device heard before it answered
    identity: Identity | None = None  # None: it did not answer
    asked: float = 0.0  # when it last heard one before
    delay: float = 0.0  # from then to its answer
    gate: int = 0  # how many steps came before the answer
    steps: list[CapturedStep] = field(default_factory=list)
    pings: list[CapturedRequest] = field(default_factory=list)
    commands: list[CapturedRequest] = field(default_factory=list)
    resends: int = 0  # how often the controller asked for events again
    alive: float = 0.0  # when the device last said anything
    until: float = 0.0
    lost: str = ""  # the code with which it ended; HOLE; or nothing is known


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything that one device has to say and do."""

    sessions: tuple[CapturedSession, ...]
    identity: Identity  # the first one
    unread: int  # cards that come out unread, because nobody told them
    left_out: (
        int  # lines that cannot be played: frames under another key, vendors' protocols, before the first greeting
    )


def read(path: Path, cards: Iterable[str] = ()) -> Replay:
    """Reads a capture from a file; SimError says what is wrong with it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise SimError(f"{path} cannot be read: {why}", CAPTURE) from error
    return parse(lines, cards, str(path))


def parse(lines: Iterable[str], cards: Iterable[str] = (), name: str = "capture") -> Replay:
    """Reads the lines of a capture; SimError says what is wrong with it.

    `cards`: those that were withheld, in the order in which they left the device, as `Kh` or `??`.
    """
    reading = _Reading(list(cards))
    for number, line in enumerate(lines, 1):
        try:
            reading.take(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            cause = f"{name}:{number}: this is no line of a capture ({type(error).__name__})"
            raise SimError(cause, CAPTURE) from None
        except SimError as error:
            raise SimError(f"{name}:{number}: {error.cause}", CAPTURE) from None
    return reading.replay(name)


class _Reading:
    """The reading of one capture, line by line."""

    def __init__(self, cards: list[str]) -> None:
        if wrong := [card for card in cards if card != UNREAD and card not in CARDS]:
            raise SimError(f"{wrong[0]!r} is no card; as in Kh, Td, or ?? for one that could not be read")
        self._cards = iter(cards)
        self._given = len(cards)
        self._used = 0
        self._sessions: list[CapturedSession] = []
        self._latest: Identity | None = None
        self._filled: dict[tuple[int, int], bytes] = {}  # an event that came again had the same cards
        self._acked = 0
        self._rebase: CapturedSession | None = None  # its first event says where its memory stands
        self._counts: Counter[str] = Counter()

    def take(self, line: dict[str, Any]) -> None:
        """Takes one line of the capture."""
        at = datetime.fromisoformat(line["at"]).timestamp()
        if line["way"] not in ("in", "out"):
            raise ValueError("way")
        if line.get("skipped"):
            self._hole(at)
        frame = self._frame(line)
        if frame is not None and line["way"] == "out":
            self._from_controller(frame, at)
        elif not self._sessions:
            self._counts["left out"] += 1
        elif frame is not None:
            self._from_device(frame, at)
        elif "error" in line:
            self._step(CapturedStep(at, noise(line["error"])))
        elif "lost" in line:
            self._now.lost, self._now.until = str(line["lost"]), at
        else:
            self._counts["left out"] += 1

    def replay(self, name: str) -> Replay:
        """Returns what all lines together tell the device to do; SimError when they tell nothing, or too many cards."""
        if self._latest is None:
            cause = f"{name}: no device introduces itself; only captures of the native protocol can be played"
            raise SimError(cause, CAPTURE)
        if self._given > self._used:
            raise SimError(f"{name}: {self._given} cards are told, but only {self._used} were withheld", CAPTURE)
        first = next(session.identity for session in self._sessions if session.identity is not None)
        _without_wire(self._sessions)
        return Replay(tuple(self._sessions), first, self._counts["unread"], self._counts["left out"])

    @property
    def _now(self) -> CapturedSession:
        return self._sessions[-1]

    # ---- what passed

    def _frame(self, line: dict[str, Any]) -> Frame | None:
        text = line.get("hex") or line.get("blank")
        if text is None:
            return None
        frame = decode_frame(bytes.fromhex(text).strip(b"\0"))
        if isinstance(frame, FrameError):
            raise SimError(f"{frame.code}: {frame.detail}")
        return self._with_cards(frame) if "blank" in line else frame

    def _from_controller(self, frame: Frame, at: float) -> None:
        """Takes a frame that the controller sent."""
        if frame.kind is Kind.HELLO:
            if not self._sessions or self._now.nonce != frame.number:
                self._sessions.append(CapturedSession(at, frame.number, until=at))
            if self._now.identity is None and not isinstance(decode_greeting(frame.body), Challenge):
                self._now.greetings += 1
                self._now.asked = at
        elif not self._sessions:
            self._counts["left out"] += 1
        elif frame.kind is Kind.ACK:
            self._acked = frame.number
        elif frame.kind is Kind.PING:
            self._now.pings.append(CapturedRequest(at, frame.number, b""))
        elif frame.kind is Kind.RESEND:
            self._now.resends += 1
        elif frame.kind is Kind.COMMAND and not any(each.number == frame.number for each in self._now.commands):
            self._now.commands.append(CapturedRequest(at, frame.number, frame.body))
        if self._sessions:
            self._now.until = at

    def _from_device(self, frame: Frame, at: float) -> None:
        """Takes a frame that the device sent."""
        now = self._now
        now.alive = now.until = at
        if frame.kind is Kind.IDENTITY:
            answer = decode_answer(frame.body)
            if isinstance(answer, Identity) and now.identity is None:
                now.identity = self._latest = answer
                now.gate, now.delay = len(now.steps), max(0.0, at - now.asked)
        elif frame.kind in (Kind.PONG, Kind.REPLY):
            asked = now.pings if frame.kind is Kind.PONG else now.commands
            for question in asked:
                if question.number == frame.number and question.answer is None:
                    question.answer, question.after = frame.body, max(0.0, at - question.at)
                    return
        elif frame.kind is Kind.EVENT:
            if self._rebase is now and now.identity is not None:
                last = max(now.identity.last, frame.number - 1)
                now.identity, self._rebase = replace(now.identity, first=frame.number, last=last), None
            self._step(CapturedStep(at, frame.to_wire(), frame.number, self._acked))
        else:
            self._step(CapturedStep(at, frame.to_wire()))

    def _step(self, step: CapturedStep) -> None:
        self._now.steps.append(step)
        self._now.until = step.at

    def _hole(self, at: float) -> None:
        """Prepares for a hole: what follows is of the same session, or of a later one whose greeting nobody kept."""
        if not self._sessions or self._latest is None:
            return
        now = self._now
        if now.identity is None or now.steps or now.pings or now.commands:
            now.lost, now.until = HOLE, at
            identity = replace(self._latest, first=self._latest.last + 1)
            self._sessions.append(CapturedSession(at, now.nonce, 1, identity, alive=at, until=at))
        else:  # a greeting of long ago, kept because it says who the device is
            now.at = now.until = now.alive = at
            now.identity = replace(now.identity, first=now.identity.last + 1)
        self._rebase = self._now

    # ---- cards

    def _with_cards(self, frame: Frame) -> Frame:
        """Returns the frame with the cards that somebody told."""
        identity = self._now.identity if self._sessions else None
        key = (identity.epoch if identity else 0, frame.number)
        if key not in self._filled:
            self._filled[key] = self._fill(frame.body)
        return Frame(frame.kind, frame.number, self._filled[key])

    def _fill(self, body: bytes) -> bytes:
        try:
            event = decode_event(body)
        except BodyError:
            return body
        if isinstance(event, CardDrawn):
            return encode(replace(event, card=self._next_card()))
        if (cards := getattr(event, "cards", None)) is not None:
            return encode(replace(event, cards=tuple(self._next_card() for _ in cards)))
        return body

    def _next_card(self) -> str:
        card = next(self._cards, None)
        if card is not None:
            self._used += 1
        if card in (None, UNREAD):
            self._counts["unread"] += card is None
            return ""
        return str(card)


def _without_wire(sessions: list[CapturedSession]) -> None:
    """Takes out what the wire of the capture needed for there and back: the quickest answer's time.

    The wire of the replay needs its own; with both, everything would come late by one.
    """
    answers = [each for session in sessions for each in (*session.pings, *session.commands) if each.answer is not None]
    greeted = [session for session in sessions if session.identity is not None and session.greetings]
    wire = min([each.after for each in answers] + [session.delay for session in greeted], default=0.0)
    for question in answers:
        question.after -= wire
    for session in greeted:
        session.delay -= wire
    for session in sessions:
        session.steps = [replaced(step, at=max(session.at, step.at - wire)) for step in session.steps]


# ---- bytes that are no frame


def noise(code: str) -> bytes:
    """Returns bytes that a receiver counts as this error, once.

    What really came is not kept, for it might have held a card.

    >>> decode_frame(noise("frame.crc").strip(bytes(1)))
    FrameError(code='frame.crc', detail='checksum of 11 bytes is wrong')
    """
    if code not in _NOISE:
        raise SimError(f"no noise is an error {code!r}; there are: {', '.join(_NOISE)}")
    return b"\0" + _NOISE[code] + b"\0"


def _checked(version: int, kind: int, flags: int, *, right: bool = True) -> bytes:
    head = _EVENT_BYTES.pack(version, kind, flags, 1)
    return cobs_encode(head + struct.pack("<I", zlib.crc32(head) ^ (not right)))


_NOISE: Final = {
    "frame.long": b"\x01" * (MAX_ENCODED + 1),
    "frame.cobs": b"\x05noi",
    "frame.short": cobs_encode(b"noise"),
    "frame.crc": _checked(VERSION, Kind.PING, 0, right=False),
    "frame.version": _checked(VERSION + 1, Kind.PING, 0),
    "frame.kind": _checked(VERSION, max(Kind) + 1, 0),
    "frame.flags": _checked(VERSION, Kind.PING, 2),
}
