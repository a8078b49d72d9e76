"""The bytes of an Angel Eye II-EX card shoe: reports from the shoe, commands to it, its answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Final, TypeAlias

from firmware_bridge.frame import FrameError

STX: Final = 0x02
ETX: Final = 0x03
ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15
LONGEST: Final = 32  # bytes of a report; the longest known has twelve
_FIRST_TEXT: Final = 0x20  # below it are control characters, which no content has
_MARK: Final = 0x80  # every byte of a payload has bit 7 set
_COMMAND_LENGTH: Final = 10

NAKS: Final = {
    0x01: ("line", "the shoe could not receive the command"),
    0x02: ("bcc", "the shoe finds the checksum wrong: change the setting `bcc`"),
    0x03: ("no-end", "the shoe missed the end of the command"),
    0x11: ("length", "the shoe finds the command too long or too short"),
    0x12: ("address", "the shoe does not have this setting"),
    0x13: ("command", "the shoe does not know this command"),
    0x14: ("type", "the shoe does not know this kind of operation"),
    0x21: ("busy", "the shoe is busy"),
    0x22: ("writing", "the shoe is writing its settings"),
    0xFF: ("other", "the shoe refuses and does not say why"),
}
BURN_COUNT: Final = 5  # as target of a card; 0 is the player, 1 the banker, 2 a burned card, 4 the first card
_SUITS: Final = {1: "d", 2: "c", 3: "s", 4: "h"}
_RANKS: Final = "?A23456789TJQK"


@dataclass(frozen=True, slots=True)
class Report:
    """The shoe says that something happened: `kind` is its letter, `data` what follows it."""

    seq: int
    kind: str
    data: bytes = b""

    def __repr__(self) -> str:  # the payload may be a card that lies face down
        return f"Report({chr(self.seq)!r}, {self.kind!r}, {len(self.data)} bytes)"

    def to_wire(self) -> bytes:
        """Returns the bytes of the report, with its checksum."""
        inside = bytes([self.seq]) + self.kind.encode("ascii") + self.data + bytes([ETX])
        return bytes([ENQ]) + inside + bcc(inside)


@dataclass(frozen=True, slots=True)
class Acked:
    """The shoe carried the command out."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The shoe did not; why is in NAKS."""

    code: int


@dataclass(frozen=True, slots=True)
class Operation:
    """A command to the shoe: two letters and two digits."""

    kind: str
    data: str

    def to_wire(self, *, with_stx: bool = True) -> bytes:
        """Returns the bytes of the command, with its checksum.

        `with_stx`: the checksum begins at the 02, as the maker's example has it and the maker's text denies.

        >>> lock(True).to_wire().hex(" ")
        '02 4f 50 4c 4b 30 32 03 31 42'
        """
        inside = f"OP{self.kind}{self.data}".encode("ascii") + bytes([ETX])
        start = bytes([STX])
        return start + inside + bcc(start + inside if with_stx else inside)


Item: TypeAlias = Report | Acked | Refused | FrameError


def lock(locked: bool) -> Operation:
    """Returns the command that holds the cards back, or lets them be drawn."""
    return Operation("LK", "02" if locked else "01")


def clear_error(number: int) -> Operation:
    """Returns the command that leaves the error mode of this error."""
    return Operation("EC", f"{number:02d}")


def query() -> Operation:
    """Returns the command that asks for nothing but an answer."""
    return Operation("GP", "00")


def bcc(data: bytes) -> bytes:
    """Returns two hex digits: the XOR of all bytes.  It misses two flips of the same bit.

    >>> bcc(bytes.fromhex("31 44 81 B8 03"))
    b'4F'
    """
    return b"%02X" % reduce(xor, data, 0)


def card_of(byte: int) -> str | None:
    """Returns the card of a payload byte; None when there is no such card.

    >>> card_of(0xB8), card_of(0x80)
    ('8s', None)
    """
    suit, rank = _SUITS.get(byte >> 4 & 7), byte & 15
    return f"{_RANKS[rank]}{suit}" if byte & _MARK and suit and 1 <= rank < len(_RANKS) else None


def card_byte(card: str) -> int:
    """Returns the payload byte of a card; ValueError when there is no such card."""
    suit = next((number for number, letter in _SUITS.items() if letter == card[1:]), 0)
    rank = _RANKS.find(card[:1], 1)
    if not suit or rank < 1:
        raise ValueError(f"no card {card!r}")
    return _MARK | suit << 4 | rank


def place_byte(target: int, index: int) -> int:
    """Returns the first payload byte of a card: its target, and which card in number it is there."""
    return _MARK | (target & 7) << 4 | (index & 15)


def place_of(byte: int) -> tuple[int, int]:
    """Returns the target and the index in the first payload byte of a card."""
    return byte >> 4 & 7, byte & 15


class Framer:
    """Cuts bytes from the shoe, in any pieces, into whole reports and answers.  It never raises, whatever comes."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Item]:
        """Returns every report, answer and defect that these bytes complete, in order."""
        self._buffer += data
        items: list[Item] = []
        while self._buffer:
            taken, item = self._next()
            if not taken:
                break
            del self._buffer[:taken]
            if item is not None:
                items.append(item)
        return items

    def _next(self) -> tuple[int, Item | None]:
        """Returns how many bytes are dealt with, and what they were; 0: wait for more."""
        buffer = self._buffer
        match buffer[0]:
            case 0x06:
                return 1, Acked()
            case 0x15:
                return (2, Refused(buffer[1])) if len(buffer) > 1 else (0, None)
            case 0x05:
                return self._report()
        noise = next((at for at, byte in enumerate(buffer) if byte in (ENQ, ACK, NAK)), len(buffer))
        return noise, FrameError("frame.noise", f"{noise} bytes that belong to nothing")

    def _report(self) -> tuple[int, Item | None]:
        buffer = self._buffer
        # The byte after ENQ is the sequence number and may be anything.
        end = next((at for at in range(2, len(buffer)) if buffer[at] < _FIRST_TEXT), 0)
        if not end:
            return (
                (len(buffer), FrameError("frame.long", "a report without an end"))
                if len(buffer) > LONGEST
                else (0, None)
            )
        if end > LONGEST:
            return end, FrameError("frame.long", "a report without an end")
        if buffer[end] != ETX:
            return end, FrameError("frame.short", "a report broke off")
        if len(buffer) < end + 3:
            return 0, None
        inside = bytes(buffer[1 : end + 1])
        if bytes(buffer[end + 1 : end + 3]) != bcc(inside):
            return end + 1, FrameError("frame.bcc", "the checksum of a report is wrong")
        if end == 2 or not 0x21 <= inside[1] < 0x7F:
            return end + 3, FrameError("frame.kind", "a report of no kind")
        return end + 3, Report(inside[0], chr(inside[1]), inside[2:-1])


def read_operation(wire: bytes, *, with_stx: bool = True) -> Operation | Refused:
    """Reads a command as the shoe does; returns it, or the refusal that the shoe would answer."""
    if len(wire) != _COMMAND_LENGTH:
        return Refused(0x11)
    if wire[7] != ETX:
        return Refused(0x03)
    if wire[8:] != bcc(wire[0 if with_stx else 1 : 8]):
        return Refused(0x02)
    if wire[1:3] != b"OP":
        return Refused(0x13)
    return Operation(wire[3:5].decode("latin-1"), wire[5:7].decode("latin-1"))
