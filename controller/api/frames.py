"""One entry of a device's trace as plain data: for the API, for people, and for captures."""

from __future__ import annotations

from controller.api.shapes import FrameShown
from controller.api.wires import clock
from firmware_bridge.diagnostics import Cut, TraceEntry
from firmware_bridge.frame import Frame, FrameError


def frame_json(number: int, entry: TraceEntry, offset: float, *, whole: bool = False) -> FrameShown:
    """Returns one frame of a trace as plain data.

    `offset` is from the loop's time to that of the wall; `whole`: cards are no secret here.

    A frame has its bytes as `hex`.  Anything else is `withheld`: an event that may hold a card has its bytes without
    the card as `blank`, what was no frame has its `error`, and where the session ended there is its cause as `lost`.
    """
    seen: FrameShown = {
        "n": number,
        "at": clock(entry.time, offset),
        "way": entry.way,
        "kind": _kind(entry),
        "text": entry.words(),
    }
    if (raw := entry.raw(whole=whole)) is not None:
        return {**seen, "hex": raw.hex()}
    seen["withheld"] = True
    match entry.item:
        case FrameError(code):
            seen["error"] = code
        case Cut(code):
            seen["lost"] = code
        case _ if (blank := entry.blank()) is not None:
            seen["blank"] = blank.hex()
    return seen


def _kind(entry: TraceEntry) -> str:
    """Returns what kind of frame passed, in small letters; `note` in another protocol, `error` for what was none."""
    match entry.item:
        case Frame():
            return entry.item.kind.name.lower()
        case FrameError():
            return "error"
        case Cut():
            return "lost"
    return "note"
