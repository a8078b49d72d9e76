"""Which frames of a trace a person wants to see; heartbeats in a row are one line."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Final

from controller.api.shapes import FrameShown

HEARTBEATS: Final = ("ping", "pong")
KINDS: Final = (
    "hello",
    "identity",
    "event",
    "ack",
    "command",
    "reply",
    "ping",
    "pong",
    "resend",
    "note",
    "error",
    "lost",
)


class FrameFilter:
    """Chooses frames by way, kind and age, and folds heartbeats: `fold`, unless their kind is asked for."""

    def __init__(self, way: str | None, kinds: Collection[str], since: float | None, *, fold: bool) -> None:
        self._way = way
        self._kinds = kinds
        self._after = None if since is None else time.time() - since
        self._fold = fold and not set(kinds).intersection(HEARTBEATS)
        self._beats: list[FrameShown] = []

    def lines(self, frame: FrameShown) -> Iterator[str]:
        """Yields what is shown now that this frame passed: nothing, it, or first the heartbeats before it."""
        if not self._wanted(frame):
            return
        if self._fold and frame["kind"] in HEARTBEATS:
            self._beats.append(frame)
            return
        yield from self.rest()
        yield _line(frame)

    def rest(self) -> Iterator[str]:
        """Yields the heartbeats that no other frame has followed yet."""
        beats, self._beats = self._beats, []
        if len(beats) == 1:
            yield _line(beats[0])
        elif beats:
            yield f"{beats[0]['at']} ... {len(beats)} heartbeats until {beats[-1]['at']}"

    def _wanted(self, frame: FrameShown) -> bool:
        if self._way not in (None, frame["way"]) or (self._kinds and frame["kind"] not in self._kinds):
            return False
        at = frame["at"]
        return self._after is None or (at is not None and datetime.fromisoformat(at).timestamp() >= self._after)


def _line(frame: FrameShown) -> str:
    return f"{frame['at'] or '-'} {frame['way']:>3} {frame['text']}"
