"""One CAN frame, and how adapters on a serial line write it (SLCAN): `t` id length data, in hexadecimal."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MAX_DATA: Final = 8
BITRATES: Final = {
    10_000: "S0",
    20_000: "S1",
    50_000: "S2",
    100_000: "S3",
    125_000: "S4",
    250_000: "S5",
    500_000: "S6",
    800_000: "S7",
    1_000_000: "S8",
}
_HEX: Final = "[0-9A-Fa-f]"
_LINE: Final = re.compile(
    rf"(?:([tr])([0-7]{_HEX}{{2}})|([TR])([01]{_HEX}{{7}}))([0-8])((?:{_HEX}{{2}})*)".encode(),
)
_STAMP: Final = 2  # bytes of time that an adapter may add


class CanFrame(NamedTuple):
    """A data frame of classical CAN; `remote`: a request for one, without data."""

    id: int
    data: bytes = b""
    extended: bool = False
    remote: bool = False


def to_line(frame: CanFrame) -> bytes:
    """Returns a frame as an adapter reads and writes it, without the carriage return.

    >>> to_line(CanFrame(0x321, bytes.fromhex("300000")))
    b't3213300000'
    """
    letter = "r" if frame.remote else "t"
    number = f"{letter.upper()}{frame.id:08X}" if frame.extended else f"{letter}{frame.id:03X}"
    return f"{number}{len(frame.data):X}{frame.data.hex().upper()}".encode()


def from_line(line: bytes) -> CanFrame | None:
    """Returns the frame in an adapter's line; None when it is none, or not whole.

    >>> from_line(b"t3213300000")
    CanFrame(id=801, data=b'0\\x00\\x00', extended=False, remote=False)
    """
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    letter, number = match[1] or match[3], match[2] or match[4]
    remote = letter in b"rR"
    length = 0 if remote else int(match[5])
    data = bytes.fromhex(match[6].decode())
    if len(data) - length not in (0, _STAMP):
        return None
    return CanFrame(int(number, 16), data[:length], match[3] is not None, remote)
