"""Trials of sections 1 and 2: what is a frame, what is none, and who sends which."""

from __future__ import annotations

import asyncio
import struct
import zlib
from typing import Final

from firmware_bridge.conform.bench import QUIET, REPLY, Bench
from firmware_bridge.conform.trial import BrokenPromiseError, trial
from firmware_bridge.frame import MAX_BODY, MAX_MESSAGE, VERSION, Frame, Kind, cobs_encode, encode
from firmware_bridge.messages import Reply, ShowText

_HEAD: Final = struct.Struct("<BBBI")
_ENDLESS: Final = 3000  # bytes without a delimiter
_PIECES: Final = 0.002  # seconds between single bytes


def _stuffed(raw: bytes) -> bytes:
    return b"\0" + cobs_encode(raw) + b"\0"


def _with_check(raw: bytes) -> bytes:
    return raw + struct.pack("<I", zlib.crc32(raw))


def _head(kind: int, number: int, *, version: int = VERSION, flags: int = 0) -> bytes:
    return _HEAD.pack(version, kind, flags, number)


def _as_sent(bench: Bench, frame: Frame) -> bytes:
    """Returns a frame of this session without stuffing, check and delimiters."""
    frame = bench.encrypted(frame)
    return _head(frame.kind, frame.number, flags=frame.flags) + frame.body


@trial(
    "frame-vector",
    "1.1",
    "11.1",
    promised="A frame is version, kind, flags, number, body and CRC-32.",
    done="PING 7 as in the test vectors.",
    link="plain",
)
async def vector(bench: Bench) -> str:
    bench.expect(Kind.PONG, 7)
    bench.write(bytes.fromhex("0003010702070101 05cbdcc9bb00"))
    frame = await bench.find(Kind.PONG, 7, REPLY)
    if frame is None or frame.to_wire() != bytes.fromhex("0003010802070101 051e6e9f4a00"):
        raise BrokenPromiseError("1.1", f"not PONG 7 as in the test vectors within {REPLY:g} s")
    return "PONG 7 as in the test vectors"


@trial(
    "frame-in-pieces",
    "1.2",
    "1.3",
    promised="A frame may be cut anywhere, and zero bytes between frames mean nothing.",
    done="A PING byte by byte, with three zero bytes before and after it.",
    stream=True,
)
async def pieces(bench: Bench) -> str:
    number = bench.new_ping()
    for byte in b"\0\0" + _stuffed(_with_check(_as_sent(bench, Frame(Kind.PING, number)))) + b"\0\0":
        bench.write(bytes([byte]))
        await asyncio.sleep(_PIECES)
    if await bench.find(Kind.PONG, number, REPLY) is None:
        raise BrokenPromiseError("1.2", f"no PONG {number} within {REPLY:g} s")
    return f"PONG {number}"


@trial(
    "frame-after-noise",
    "1.2",
    promised="The zero byte before a frame ends whatever noise came earlier.",
    done="Noise without a zero byte, and at once a PING.",
    stream=True,
)
async def noise(bench: Bench) -> str:
    number = bench.new_ping()
    wire = _stuffed(_with_check(_as_sent(bench, Frame(Kind.PING, number))))
    bench.write(bytes(range(1, 60)) + wire)
    if await bench.find(Kind.PONG, number, REPLY) is None:
        raise BrokenPromiseError("1.2", f"no PONG {number} within {REPLY:g} s")
    return f"PONG {number}"


@trial(
    "shortest-stuffing",
    "1.4",
    promised="Only the shortest form of byte stuffing is valid.",
    done="A COMMAND that ends with a full block, stuffed with one code byte too many.",
    link="plain",
    stream=True,
)
async def shortest(bench: Bench) -> str:
    number = bench.new_request()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        raw = _with_check(_head(Kind.COMMAND, number) + encode(ShowText((letter * 245,))))
        if 0 not in raw[7:]:
            break
    bench.write(b"\0" + cobs_encode(raw) + b"\x01\0")
    await bench.silent("1.4", Kind.REPLY, number, "byte stuffing that is not the shortest form")
    await bench.alive("1.4", "byte stuffing that is not the shortest form")
    return "nothing, and the session went on"


@trial(
    "endless-frame",
    "1.5",
    promised="A receiver that has collected more than 1040 bytes drops them and waits for the next zero byte.",
    done=f"{_ENDLESS} bytes without a zero byte, then a PING.",
    stream=True,
)
async def endless(bench: Bench) -> str:
    bench.write(b"\0" + bytes([0x55]) * _ENDLESS)
    await bench.alive("1.5", f"{_ENDLESS} bytes without a zero byte")
    return "PONG"


@trial(
    "oversized-frame",
    "1.5",
    "1.12",
    promised="A frame with a body of more than 1024 bytes is none (frame.long).",
    done="A COMMAND with a body of 1100 bytes and the right check.",
    link="plain",
    stream=True,
)
async def oversized(bench: Bench) -> str:
    number = bench.new_request()
    body = b"\x92\x69\x91\xda" + struct.pack(">H", MAX_BODY + 70) + b"x" * (MAX_BODY + 70)
    bench.write(_stuffed(_with_check(_head(Kind.COMMAND, number) + body)))
    await bench.silent("1.5", Kind.REPLY, number, f"a frame with a body of {len(body)} bytes")
    await bench.alive("1.5", "a frame that was too long")
    return "nothing, and the session went on"


@trial(
    "largest-frame",
    "1.1",
    "3.1",
    "1.7",
    "1.8",
    promised=f"A message may have {MAX_MESSAGE} bytes.",
    done=f"A COMMAND of {MAX_MESSAGE} bytes.",
)
async def largest(bench: Bench) -> str:
    body = encode(ShowText(("x" * (MAX_MESSAGE - 6),)))
    reply = await bench.ask(body, paragraph="1.1")
    return "a reply: " + _in_words(reply)


def _in_words(reply: Reply) -> str:
    return "done" if reply.ok else f"refused, {reply.detail!r}"


# ---- what is not a frame: one trial for each code


def _wrong_check(raw: bytes) -> bytes:
    return raw + struct.pack("<I", zlib.crc32(raw) ^ 1)


_NOT_FRAMES: Final = {
    "cobs": ("not valid byte stuffing", True),
    "short": ("fewer than 11 bytes", False),
    "crc": ("one bit of the check is wrong", False),
    "version": ("the version is 2", False),
    "kind": ("the kind is 10", False),
    "flags": ("a reserved flag is set", False),
}


def _not_a_frame(bench: Bench, code: str, number: int) -> bytes:
    """Returns the bytes of a PING that is spoiled in this way."""
    sent = _as_sent(bench, Frame(Kind.PING, number))
    version, kind, flags = sent[:3]
    match code:
        case "cobs":
            stuffed = bytearray(cobs_encode(_with_check(sent)))
            stuffed[0] = 0xF0  # a block that goes beyond the end
            return b"\0" + bytes(stuffed) + b"\0"
        case "short":
            return _stuffed(_with_check(sent)[:10])
        case "crc":
            return _stuffed(_wrong_check(sent))
        case "version":
            return _stuffed(_with_check(bytes((version + 1, kind, flags)) + sent[3:]))
        case "kind":
            return _stuffed(_with_check(bytes((version, 10, flags)) + sent[3:]))
        case _:
            return _stuffed(_with_check(bytes((version, kind, flags | 0x80)) + sent[3:]))


def _declare(code: str, what: str, stream: bool) -> None:
    paragraphs = {"version": ("1.12", "1.1"), "kind": ("1.12", "10.1"), "flags": ("1.12", "10.1")}.get(code, ("1.12",))

    @trial(
        f"no-frame-{code}",
        *paragraphs,
        promised=f"Bytes are no frame when {what} (frame.{code}); they get no answer.",
        done=f"A PING spoiled so: {what}.",
        stream=stream,
        link="plain" if code in ("version", "flags") else "any",
    )
    async def spoiled(bench: Bench) -> str:
        number = bench.new_ping()
        bench.write(_not_a_frame(bench, code, number))
        bench.expect(Kind.PONG, number)
        frames = await bench.during(QUIET)
        if any(frame.kind is not Kind.EVENT for _, frame in frames):
            raise BrokenPromiseError("1.12", f"{frames[0][1].kind.name} came as an answer, although {what}")
        await bench.alive("1.12", "bytes that are no frame")
        return "nothing, and the session went on"


for _code, (_what, _stream) in _NOT_FRAMES.items():
    _declare(_code, _what, _stream)


# ---- kinds


@trial(
    "kinds-of-the-device",
    "2.2",
    promised="A frame of a kind that the other end should have sent is ignored.",
    done="IDENTITY, EVENT, REPLY and PONG, sent to the device.",
)
async def direction(bench: Bench) -> str:
    for kind in (Kind.IDENTITY, Kind.EVENT, Kind.REPLY, Kind.PONG):
        bench.send(Frame(kind, 1, b"" if kind is Kind.PONG else encode(Reply(True))))
    frames = [frame for _, frame in await bench.during(QUIET) if frame.kind is not Kind.EVENT]
    if frames:
        raise BrokenPromiseError("2.2", f"{frames[0].kind.name} {frames[0].number} came as an answer")
    await bench.alive("2.2", "frames that only a device sends")
    return "nothing, and the session went on"
