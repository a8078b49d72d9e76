"""One frame of the native protocol: from message to wire bytes and back, with every defect named.

>>> Frame(Kind.PING, 7).to_wire().hex(" ")
'00 03 01 07 02 07 01 01 05 cb dc c9 bb 00'
"""

from __future__ import annotations

import enum
import struct
import zlib
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from firmware_bridge.errors import Coded
from firmware_bridge.messages import AnyEvent, Challenge, Command, Event, Hello, Identity, Introduction, Message, Reply

VERSION: Final = 1
ENCRYPTED: Final = 0x01  # flags bit 0; every other bit is reserved and must be 0
MAX_BODY: Final = 1024
ENCRYPTION_OVERHEAD: Final = 24  # a counter and a tag
MAX_MESSAGE: Final = MAX_BODY - ENCRYPTION_OVERHEAD  # so that every message can be encrypted
MAX_NUMBER: Final = 0xFFFF_FFFF
_HEAD: Final = struct.Struct("<BBBI")
_CRC: Final = struct.Struct("<I")
MIN_RAW: Final = _HEAD.size + _CRC.size
MAX_RAW: Final = MIN_RAW + MAX_BODY
MAX_ENCODED: Final = MAX_RAW + MAX_RAW // 254 + 1  # between the delimiters
LONGEST_SHOWN: Final = 400  # bytes of a body that people want to read
_FULL: Final = 254  # bytes; a block of byte stuffing has no more
_CODES: Final = tuple(bytes([size + 1]) for size in range(_FULL))


class Kind(enum.IntEnum):
    """The purpose of a frame; the number in a frame means something else in each kind."""

    HELLO = 1
    IDENTITY = 2
    EVENT = 3
    ACK = 4
    COMMAND = 5
    REPLY = 6
    PING = 7
    PONG = 8
    RESEND = 9


class Frame(msgspec.Struct, frozen=True):
    """A whole frame.  Its body stays out of `repr`: it may hold a face-down card."""

    kind: Kind
    number: int
    body: bytes = b""
    flags: int = 0

    def __repr__(self) -> str:
        return f"Frame(kind={self.kind!r}, number={self.number}, flags={self.flags})"

    def to_wire(self) -> bytes:
        """Returns the bytes to send, delimiters included; ValueError when a field does not fit."""
        if not 0 <= self.number <= MAX_NUMBER:
            raise ValueError(f"frame number {self.number} does not fit into 32 bits")
        if len(self.body) > MAX_BODY:
            raise ValueError(f"frame body of {len(self.body)} bytes is longer than {MAX_BODY}")
        if self.flags & ~ENCRYPTED:
            raise ValueError(f"frame flags {self.flags:#04x} use reserved bits")
        raw = _HEAD.pack(VERSION, self.kind, self.flags, self.number) + self.body
        return b"\0" + cobs_encode(raw + _CRC.pack(zlib.crc32(raw))) + b"\0"


@dataclass(frozen=True, slots=True)
class FrameError:
    """Bytes that are no frame.  `code` is stable: frame.cobs, .short, .long, .crc, .version, .kind or .flags."""

    code: str
    detail: str = ""


class BodyError(Coded, ValueError):
    """A frame that arrived whole, but whose body is not the message that its kind asks for."""

    def __init__(self, cause: str) -> None:
        super().__init__("body.malformed", cause)


def cobs_encode(raw: bytes) -> bytes:
    """Returns the same data without any zero byte, in its only (shortest) form: byte stuffing."""
    blocks = raw.split(b"\0")
    if len(raw) < _FULL:  # nearly every frame is short, and has no full block
        parts = []
        for block in blocks:
            parts.append(_CODES[len(block)])
            parts.append(block)
        return b"".join(parts)
    out = bytearray()
    last = len(blocks) - 1
    for index, block in enumerate(blocks):
        start, size = 0, len(block)
        while size - start >= _FULL:
            out.append(0xFF)
            out += block[start : start + _FULL]
            start += _FULL
        if index == last and size and start == size:
            break  # a full block at the very end needs no code byte after it
        out.append(size - start + 1)
        out += block[start:]
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Undoes `cobs_encode`; None when the data was not made by it.

    Only the shortest form is accepted: a flipped delimiter after a full block would otherwise still decode.
    """
    if not data or 0 in data:
        return None
    index, size = 0, len(data)
    if size <= _FULL:  # as above
        short = bytearray(data)
        while index < size:
            short[index] = 0  # each code byte stands where a zero was, but for the first
            index += data[index]
        return bytes(short[1:]) if index == size else None
    out = bytearray()
    before = code = 0
    while index < size:
        before, code = code, data[index]
        end = index + code
        if end > size:
            return None
        out += data[index + 1 : end]
        index = end
        if code != 0xFF and index < size:
            out.append(0)
    # The only other form of the same data: an empty block after a full one that ends it.
    return None if code == 1 and before == 0xFF else bytes(out)


def decode_frame(encoded: bytes) -> Frame | FrameError:
    """Reads what stood between two delimiters.  The CRC comes first, so line noise is never taken for a new version."""
    if len(encoded) > MAX_ENCODED:
        return FrameError("frame.long", f"{len(encoded)} bytes, at most {MAX_ENCODED}")
    raw = cobs_decode(encoded)
    if raw is None:
        return FrameError("frame.cobs", f"{len(encoded)} bytes are not byte-stuffed data")
    if len(raw) < MIN_RAW:
        return FrameError("frame.short", f"{len(raw)} bytes, at least {MIN_RAW}")
    if len(raw) > MAX_RAW:
        return FrameError("frame.long", f"{len(raw)} bytes, at most {MAX_RAW}")
    content = raw[: -_CRC.size]
    if zlib.crc32(content) != _CRC.unpack_from(raw, len(content))[0]:
        return FrameError("frame.crc", f"checksum of {len(raw)} bytes is wrong")
    version, kind, flags, number = _HEAD.unpack_from(content)
    if version != VERSION:
        return FrameError("frame.version", f"protocol version {version}, not {VERSION}")
    if kind not in _KINDS:
        return FrameError("frame.kind", f"kind {kind} is not known")
    if flags & ~ENCRYPTED:
        return FrameError("frame.flags", f"flags {flags:#04x} use reserved bits")
    return Frame(_KINDS[kind], number, content[_HEAD.size :], flags)


_KINDS: Final = {kind.value: kind for kind in Kind}

# ---- bodies

_encoder: Final = msgspec.msgpack.Encoder()
_events: Final[msgspec.msgpack.Decoder[AnyEvent]] = msgspec.msgpack.Decoder(AnyEvent)
_commands: Final[msgspec.msgpack.Decoder[Command]] = msgspec.msgpack.Decoder(Command)
_replies: Final = msgspec.msgpack.Decoder(Reply)
_hellos: Final = msgspec.msgpack.Decoder(Hello)
_greetings: Final[msgspec.msgpack.Decoder[Hello | Challenge]] = msgspec.msgpack.Decoder(Hello | Challenge)
_answers: Final[msgspec.msgpack.Decoder[Identity | Introduction]] = msgspec.msgpack.Decoder(Identity | Introduction)
_T = TypeVar("_T")


def encode(message: Message) -> bytes:
    """Returns the body of a frame; BodyError when the message does not fit into one."""
    try:
        body = _encoder.encode(message)
    except (msgspec.MsgspecError, ValueError, OverflowError, TypeError) as error:
        raise BodyError(f"{type(message).__name__} cannot be encoded: {type(error).__name__}") from None
    if len(body) > MAX_MESSAGE:
        raise BodyError(f"{type(message).__name__} takes {len(body)} bytes, at most {MAX_MESSAGE}")
    return body


def _decode(decoder: msgspec.msgpack.Decoder[_T], body: bytes, what: str) -> _T:
    try:
        return decoder.decode(body)
    except UnicodeDecodeError:  # its text would quote the body
        raise BodyError(f"{what}: a text is not UTF-8") from None
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BodyError(f"{what}: {error}") from None


def decode_event(body: bytes) -> Event:
    """Returns the event in the body of an EVENT frame; BodyError when it is none."""
    return _decode(_events, body, "event")


def decode_command(body: bytes) -> Command:
    """Returns the command in the body of a COMMAND frame; BodyError when it is none."""
    return _decode(_commands, body, "command")


def decode_reply(body: bytes) -> Reply:
    """Returns the reply in the body of a REPLY frame; BodyError when it is none."""
    return _decode(_replies, body, "reply")


def decode_hello(body: bytes) -> Hello:
    """Returns the greeting in the body of a HELLO frame; BodyError when it is none."""
    return _decode(_hellos, body, "hello")


def decode_greeting(body: bytes) -> Hello | Challenge:
    """Returns what is in the body of a HELLO frame that may ask for encryption; BodyError when it is no greeting."""
    return _decode(_greetings, body, "greeting")


def decode_answer(body: bytes) -> Identity | Introduction:
    """Returns what is in the body of an IDENTITY frame from a device that may encrypt; BodyError when it is none."""
    return _decode(_answers, body, "answer")


def describe(frame: Frame) -> str:
    """Returns one line for people.  Cards are withheld, and so is a body that cannot be read: it might hold one."""
    text = f"{frame.kind.name} {frame.number}"
    if not frame.body:
        return text
    decoders: dict[Kind, msgspec.msgpack.Decoder[Any]] = {
        Kind.HELLO: _greetings,
        Kind.IDENTITY: _answers,
        Kind.EVENT: _events,
        Kind.COMMAND: _commands,
        Kind.REPLY: _replies,
    }
    decoder = decoders.get(frame.kind)
    if frame.flags & ENCRYPTED or decoder is None:
        return f"{text} ({len(frame.body)} bytes)"
    try:
        message = _decode(decoder, frame.body, "body")
    except BodyError:
        return f"{text} (unreadable, {len(frame.body)} bytes)"
    if len(frame.body) > LONGEST_SHOWN and not (isinstance(message, Event) and message.secret):
        return f"{text} {type(message).__name__}({len(frame.body)} bytes)"
    return f"{text} {message!r}"
