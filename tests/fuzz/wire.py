"""Bytes of the native protocol in any pieces: frames, messages, sessions, encryption, ISO-TP, SLCAN, images."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from firmware_bridge import frame as f
from firmware_bridge import messages as m
from firmware_bridge.can_frame import CanFrame, from_line, to_line
from firmware_bridge.datagram import Unstuffer, to_stream
from firmware_bridge.diagnostics import TraceEntry, traceable
from firmware_bridge.encryption import close, opened, session_keys
from firmware_bridge.framer import Framer
from firmware_bridge.image import ImageError, check_firmware, check_signature, make_image, read_image
from firmware_bridge.isotp import MAX_MESSAGE, IsoTp
from firmware_bridge.session import Session
from firmware_bridge.slcan import LONGEST_LINE, SlcanPort
from tests.fuzz.target import Target, expect

IDENTITY = m.Identity("shoe", "M1", "A1", "1.0.0", 7, 0)
GOOD = f.Frame(f.Kind.PING, 7)
EVENTS: tuple[m.Message, ...] = (
    m.CardDrawn("Kh"),
    m.CardDrawn("Kh", True),
    m.KeyPressed("void"),
    m.Fault("shoe.jam", "a card"),
)
SAID = Path(__file__).parents[1] / "firmware_bridge" / "vectors.json"


def pieces(data: bytes) -> Iterator[bytes]:
    """Yields what follows the first byte, in pieces of the sizes that the first byte chooses."""
    rng = Random(data[0] if data else 0)
    rest = data[1:]
    most = rng.choice((1, 3, 64, 70_000))
    while rest:
        size = rng.randint(1, most)
        yield rest[:size]
        rest = rest[size:]


def frames() -> list[bytes]:
    """Returns a frame of each kind, and those of the kept vectors."""
    said = [f.Frame(f.Kind.EVENT, n, f.encode(event)).to_wire() for n, event in enumerate(EVENTS, 1)]
    greeting = f.Frame(f.Kind.IDENTITY, 1, f.encode(IDENTITY)).to_wire()
    others = [f.Frame(kind, 3, f.encode(m.Reply(True))).to_wire() for kind in f.Kind]
    return [greeting, *said, *others, *_vectors()]


def _vectors() -> Iterator[bytes]:
    """Yields every text of the kept vectors that is bytes in hexadecimal."""
    found: list[object] = [json.loads(SAID.read_text())]
    while found:
        match found.pop():
            case dict() as inner:
                found += inner.values()
            case list() as inner:
                found += inner
            case str() as text if len(text) > 8:
                try:
                    yield bytes.fromhex(text)
                except ValueError:
                    continue


class Native(Target):
    """Frames and the messages in them."""

    name = "wire.native"
    daily = 150

    def seeds(self) -> list[bytes]:
        return [b"\0" + wire for wire in frames()] + [b"\1" + b"".join(frames())]

    def run(self, data: bytes) -> list[f.Frame | f.FrameError]:
        framer = Framer()
        items = [item for piece in pieces(data) for item in framer.feed(piece)]
        expect(len(framer._pending) <= f.MAX_ENCODED, "a framer keeps too much", kept=len(framer._pending))
        for item in items:
            if isinstance(item, f.Frame):
                self._read(item)
            entry = TraceEntry(1.0, "in", traceable(item) if isinstance(item, f.Frame) else item)
            _ = entry.text(), entry.words(), entry.raw(), entry.raw(whole=True), entry.blank()
        expect(framer.feed(b"\0" + GOOD.to_wire())[-1:] == [GOOD], "a good frame is not understood after these bytes")
        return items

    def _read(self, frame: f.Frame) -> None:
        readers = (f.decode_event, f.decode_command, f.decode_reply, f.decode_hello, f.decode_greeting, f.decode_answer)
        for read in readers:
            try:
                message: Any = read(frame.body)
            except f.BodyError:
                continue
            try:
                again = read(f.encode(message))
            except f.BodyError as error:
                expect("takes" in error.cause, "a message that was read cannot be written", cause=error.cause)
                continue
            expect(again == message, "a message is another one after it was written", message=message)
            if isinstance(message, m.Event):
                _ = message.defect, message.secret, message.private, message.without_cards(), repr(message)
        f.describe(frame)


class Link(Target):
    """A whole session with a device that says anything."""

    name = "wire.session"
    daily = 50

    def seeds(self) -> list[bytes]:
        said = frames()
        return [b"\0" + said[0] + b"".join(said[1:]), b"\1" + said[0] + said[1] * 40, b"\2" + b"".join(said)]

    def run(self, data: bytes) -> None:
        session, now = Session(1, 0.0), 0.0
        for n, piece in enumerate(pieces(data)):
            now += 0.01 if n % 7 else 0.6
            session.receive(piece, now)
            if n % 5 == 0:
                session.request(m.SelfTest(), now)
            session.tick(now)
            session.deadline()
            while session.news:  # an acknowledgement may bring news itself
                if (counter := getattr(session.news.popleft(), "counter", None)) is not None:
                    session.ack(counter, now)
            expect(len(session._recent) <= 4096, "a session keeps too many bodies", kept=len(session._recent))
            expect(len(session.outbox) <= 40 + 4 * len(piece), "a session says too much", said=len(session.outbox))
            session.outbox.clear()


class Sealed(Target):
    """Encrypted frames that somebody altered on their way."""

    name = "wire.sealed"
    daily = 100
    keys = session_keys(bytes(range(32)), b"a" * 32, b"b" * 32)

    def seeds(self) -> list[bytes]:
        plain = [f.Frame(f.Kind.EVENT, n, f.encode(event)) for n, event in enumerate(EVENTS, 1)]
        return [b"\0" + close(self._cipher, n, frame).to_wire() for n, frame in enumerate(plain, 1)]

    @property
    def _cipher(self) -> Any:
        fields = [getattr(self.keys, name) for name in self.keys.__dataclass_fields__]
        return next(value for value in fields if hasattr(value, "encrypt"))

    def run(self, data: bytes) -> None:
        framer = Framer()
        good = {f.encode(event) for event in EVENTS}
        for piece in pieces(data):
            for item in framer.feed(piece):
                if isinstance(item, f.Frame) and item.flags & f.ENCRYPTED:
                    found = opened(self._cipher, item)
                    expect(found is None or found[1].body in good, "an altered frame was believed", frame=found)


class IsoTpFrames(Target):
    """Frames of ISO-TP, each with its length in front."""

    name = "wire.isotp"
    daily = 200

    def seeds(self) -> list[bytes]:
        parts = [bytes.fromhex(text) for text in ("1014aabbccddeeff", "21aabbccddeeff00", "22aabbccddeeff00", "300000")]
        return [b"".join(bytes([len(part)]) + part for part in parts), b"\x05\x04abcd", b"\x03\x30\x02\x05"]

    def run(self, data: bytes) -> None:
        here, there, now = IsoTp(), IsoTp(), 0.0
        here.send(bytes(300), now)
        rest = data
        while rest:
            size = rest[0] % 9
            here.receive(rest[1 : 1 + size], now)
            rest = rest[1 + size :]
            now += 0.01
            here.tick(now)
            here.deadline()
            expect(all(len(message) <= MAX_MESSAGE for message in here.inbox), "a message is too long")
            expect(len(here.outbox) < 2000, "it says too much", said=len(here.outbox))
            here.inbox.clear()
            here.outbox.clear()
        here.reset()
        there.send(b"x" * 100, now)
        for _ in range(40):
            for source, target in ((here, there), (there, here)):
                while source.outbox:
                    target.receive(source.outbox.popleft(), now)
        expect(list(here.inbox) == [b"x" * 100], "a good message is not understood after these frames")


class Slcan(Target):
    """Lines of an adapter."""

    name = "wire.slcan"
    daily = 200
    words = (b"\r", b"\a", b"t", b"T", b"F00", b"F80", b"V1013", b"z", b"Z")

    def seeds(self) -> list[bytes]:
        lines = (CanFrame(0x321, b"0\0\0"), CanFrame(0x1FFFFFFF, b"", True), CanFrame(0x7FF, b"12345678", remote=False))
        return [b"\0" + b"\r".join(map(to_line, lines)) + b"\r", b"\1F80\r\aV1013\rN1234\r"]

    def run(self, data: bytes) -> None:
        port = SlcanPort("/dev/null", 500_000, 115_200)
        heard: list[CanFrame] = []

        class Listener:
            def frames(self, found: list[CanFrame]) -> None:
                heard.extend(found)

            def health(self, state: str) -> None:
                """Nobody looks at the bus here."""

            def lost(self, why: object) -> None:
                """Nothing is lost here."""

        port._listener = Listener()  # type: ignore[assignment]
        port._ask_status = lambda: None  # type: ignore[method-assign]  # nothing is written
        for piece in pieces(data):
            port.received(piece)
            expect(len(port._rest) <= LONGEST_LINE, "an adapter's line is kept for ever", kept=len(port._rest))
        for frame in heard:
            expect(from_line(to_line(frame)) == frame or frame.remote, "a frame is another one", frame=frame)
        heard.clear()
        port.received(b"\r" + to_line(CanFrame(0x123, b"ab")) + b"\r")
        expect(heard[-1:] == [CanFrame(0x123, b"ab")], "a good line is not understood after these bytes")


class Datagrams(Target):
    """A byte stream that becomes datagrams."""

    name = "wire.datagram"
    daily = 100

    def seeds(self) -> list[bytes]:
        return [b"\0" + to_stream(b"one\0two") + to_stream(b"three"), b"\1" + b"".join(frames())]

    def run(self, data: bytes) -> None:
        unstuffer = Unstuffer()
        for piece in pieces(data):
            for datagram in unstuffer.feed(piece):
                expect(len(datagram) <= f.MAX_ENCODED, "a datagram is too long", size=len(datagram))
            expect(len(unstuffer._pending) <= f.MAX_ENCODED, "half a frame is kept for ever")
        expect(unstuffer.feed(to_stream(b"good"))[-1] == b"good", "a good frame is not understood after these bytes")


class Image(Target):
    """Firmware images: nothing that was altered may be sent to a device."""

    name = "wire.image"
    daily = 200
    private = bytes(range(32))
    words = (b"FELTIMG1", b"\x95", b"\xc4", b"shoe", b"1.0.0", b"\xd9", b"\xdc", b"\xcf")

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._image = make_image(self.private, "shoe", "M1", "1.2.0", b"firmware" * 40)
        self._public = Ed25519PrivateKey.from_private_bytes(self.private).public_key().public_bytes_raw()

    def seeds(self) -> list[bytes]:
        return [self._image.to_bytes(), make_image(self.private, "", "", "0.0.1", b"x").to_bytes()]

    def run(self, data: bytes) -> bool:
        try:
            image = read_image(data)
            check_signature(image.signed, image.signature, [self._public])
            check_firmware(image.manifest, image.firmware)
        except ImageError:
            return False
        return True

    def judge(self, data: bytes, outcome: bool) -> None:
        expect(not outcome or data in self.seeds(), "an altered image was believed")


class Messages(Target):
    """MessagePack of messages that is no message."""

    name = "wire.messages"
    daily = 300
    words = (
        b"\xc0",
        b"\xc1",
        b"\xcf" + b"\xff" * 8,
        b"\xd3\x80" + bytes(7),
        b"\xcb" + b"\xff" * 8,
        b"\xdd\xff\xff\xff\xff",
    )

    def seeds(self) -> list[bytes]:
        kinds = [
            IDENTITY,
            *EVENTS,
            m.Hello(1),
            m.Challenge(1, b"a" * 32),
            m.Introduction("A1"),
            m.Reply(True),
            m.SelfTest(),
        ]
        more = [m.FlashWrite(0, b"abc"), m.ShowPrompts(()), m.SetLamps(((1, 1),)), m.KeyLamps(()), m.ShowText(("a",))]
        return [msgspec.msgpack.encode(kind) for kind in (*kinds, *more)]

    def run(self, data: bytes) -> None:
        Native()._read(f.Frame(f.Kind.EVENT, 1, data))


TARGETS: tuple[type[Target], ...] = (Native, Messages, Link, Sealed, IsoTpFrames, Slcan, Datagrams, Image)
