"""The bytes of Alpha and BetaBrite signs: frames, the memory of a sign, and the files in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from firmware_bridge.frame import FrameError

LONGEST_STRING: Final = 125
CALL: Final = b"\x10"  # in a TEXT file: here stands the STRING with the label that follows
NEW_LINE: Final = b"\x0d"
_HEAD: Final = b"\x00" * 5 + b"\x01"
_EVERY_SIGN: Final = "Z00"
_LONGEST: Final = 4096  # bytes of a frame
_PRINTABLE: Final = re.compile(r"[ -~]*")
_HOLD: Final = b"\x1b b"  # a TEXT in the middle of the sign, standing still
_TEXT_SIZE: Final = 64
_FRAME: Final = re.compile(rb"\x00+\x01([!-~])([0-9A-F?]{2})\x02([A-Za-z])([^\x03]*)\x03([0-9A-F]{4})\x04", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Packet:
    """One command to a sign, or one answer: the letter of the command, and what follows it."""

    command: str
    data: bytes
    sign: str = _EVERY_SIGN  # type of the sign and its address; Z00 is every one

    def to_wire(self) -> bytes:
        """Returns the bytes of the packet, with its checksum.

        >>> write_string("1", b"$12,345.67").to_wire()[10:]
        b'G1$12,345.67\\x030267\\x04'
        """
        inside = b"\x02" + self.command.encode("ascii") + self.data + b"\x03"
        return _HEAD + self.sign.encode("ascii") + inside + b"%04X" % checksum(inside) + b"\x04"


def checksum(data: bytes) -> int:
    """Returns the sum of the bytes from 02 to 03, in 16 bits."""
    return sum(data) & 0xFFFF


def allocate(text: str, string: str, sign: str = _EVERY_SIGN) -> Packet:
    """Returns the command that divides the memory anew: one TEXT file, and one STRING file for it to call.

    All that was in the memory is gone then.
    """
    files = f"{text}AL{_TEXT_SIZE:04X}FF00{string}BL{LONGEST_STRING:04X}0000"
    return Packet("E", b"$" + files.encode("ascii"), sign)


def write_text(text: str, string: str, sign: str = _EVERY_SIGN) -> Packet:
    """Returns the command that writes a TEXT file which shows nothing but the STRING file."""
    return Packet("A", text.encode("ascii") + _HOLD + CALL + string.encode("ascii"), sign)


def write_string(label: str, content: bytes, sign: str = _EVERY_SIGN) -> Packet:
    """Returns the command that writes the STRING file; the sign does not flicker."""
    return Packet("G", label.encode("ascii") + content, sign)


def read_string(label: str, sign: str = _EVERY_SIGN) -> Packet:
    """Returns the command that asks for a STRING file; the sign answers as if it wrote it."""
    return Packet("H", label.encode("ascii"), sign)


def string_of(lines: tuple[str, ...]) -> bytes:
    """Returns lines as the content of a STRING file; ValueError says why they cannot be one."""
    for line in lines:
        if not _PRINTABLE.fullmatch(line):
            raise ValueError("characters: the sign has only the printable ones of ASCII")
    content = NEW_LINE.join(line.encode("ascii") for line in lines)
    if len(content) > LONGEST_STRING:
        raise ValueError(f"too-long: {len(content)} characters, and the sign takes {LONGEST_STRING}")
    return content


def fitting(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Returns as many of the first lines as the sign takes; one that goes on, indented, on the next line only whole."""
    length, most = -len(NEW_LINE), 0
    for line in lines:
        length += len(NEW_LINE) + len(line)
        if length > LONGEST_STRING:
            break
        most += 1
    while 0 < most < len(lines) and lines[most].startswith(" "):
        most -= 1
    return lines[:most]


def lines_of(content: bytes) -> tuple[str, ...]:
    """Returns the lines in the content of a STRING file."""
    return tuple(line.decode("latin-1") for line in content.split(NEW_LINE))


class Framer:
    """Cuts bytes, in any pieces, into whole packets.  It never raises, whatever comes."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[Packet | FrameError]:
        """Returns every packet, and every defect, that these bytes complete, in order."""
        self._buffer += data
        items: list[Packet | FrameError] = []
        *ended, self._buffer = self._buffer.split(b"\x04")
        for piece in ended:
            items.append(_packet(piece + b"\x04"))
        if len(self._buffer) > _LONGEST:
            self._buffer = b""
            items.append(FrameError("frame.long", "a packet without an end"))
        return items


def _packet(wire: bytes) -> Packet | FrameError:
    """Returns the packet at the end of these bytes; what stands before it is noise or a packet that broke off."""
    frame = _FRAME.fullmatch(wire, max(wire.rfind(b"\x01") - len(_HEAD) + 1, 0))
    if frame is None:
        return FrameError("frame.noise", f"{len(wire)} bytes that are no packet")
    kind, address, command, data, written = frame.groups()
    if int(written, 16) != checksum(b"\x02" + command + data + b"\x03"):
        return FrameError("frame.checksum", "the checksum of a packet is wrong")
    return Packet(command.decode("ascii"), data, (kind + address).decode("ascii"))
