"""Cuts a stream of bytes into frames: with a bounded memory, past any garbage, and without raising whatever arrives."""

from __future__ import annotations

from firmware_bridge.frame import MAX_ENCODED, Frame, FrameError, decode_frame


class Framer:
    """Cuts a stream of bytes into frames; feed it bytes as they come, in any pieces.

    >>> [type(item).__name__ for item in Framer().feed(b"noise" + bytes.fromhex("0003010702070101 05cbdcc9bb00"))]
    ['FrameError', 'Frame']
    """

    def __init__(self) -> None:
        self._pending = bytearray()
        self._overflown = False  # an endless frame was reported; skip to the next delimiter

    def feed(self, data: bytes) -> list[Frame | FrameError]:
        """Returns every frame, and every defect, that these bytes complete, in order."""
        items: list[Frame | FrameError] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            if self._pending or self._overflown:
                self._take(piece, items)
                if not self._overflown:
                    items.append(decode_frame(bytes(self._pending)))
                self.reset()
            elif piece:  # a whole frame at once
                items.append(decode_frame(piece))
        if rest:
            self._take(rest, items)
        return items

    def reset(self) -> None:
        """Forgets half a frame: the wire was opened anew."""
        self._pending.clear()
        self._overflown = False

    def _take(self, piece: bytes, items: list[Frame | FrameError]) -> None:
        if self._overflown:
            return
        if len(self._pending) + len(piece) > MAX_ENCODED:
            items.append(FrameError("frame.long", f"no delimiter within {MAX_ENCODED} bytes"))
            self._pending.clear()
            self._overflown = True
            return
        self._pending += piece
