"""The byte stream of a link on wires that carry whole messages: one datagram is one unstuffed frame."""

from __future__ import annotations

from firmware_bridge.frame import MAX_ENCODED, cobs_decode, cobs_encode


def to_stream(datagram: bytes) -> bytes:
    """Returns a frame that arrived whole as it would look on a byte stream.

    >>> to_stream(b"a\\0b").hex(" ")
    '00 02 61 02 62 00'
    """
    return b"\0" + cobs_encode(datagram) + b"\0"


class Unstuffer:
    """Cuts a byte stream into the datagrams to send.

    What is no stuffed frame is passed on as it is: the receiver's check refuses it, as on any other wire.
    """

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Returns every frame that these bytes complete, without stuffing and delimiters."""
        *ended, rest = (self._pending + data).split(b"\0")
        self._pending = rest[-MAX_ENCODED:]
        return [_unstuff(piece[:MAX_ENCODED]) for piece in ended if piece]

    def reset(self) -> None:
        """Forgets half a frame."""
        self._pending = b""


def _unstuff(piece: bytes) -> bytes:
    raw = cobs_decode(piece)
    return piece if raw is None else raw
