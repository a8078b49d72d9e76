"""Frames survive the round trip, and nothing damaged is ever taken for a frame."""

from __future__ import annotations

import itertools
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import frame as codec
from firmware_bridge import messages
from firmware_bridge.frame import BodyError, Frame, FrameError, Kind, cobs_decode, cobs_encode, decode_frame
from firmware_bridge.framer import Framer

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
DOC = Path(__file__).parents[2] / "docs" / "protocol.md"
DECODERS = [
    codec.decode_event,
    codec.decode_command,
    codec.decode_reply,
    codec.decode_hello,
    codec.decode_greeting,
    codec.decode_answer,
]

frames = st.builds(
    Frame,
    st.sampled_from(Kind),
    st.integers(0, codec.MAX_NUMBER),
    st.binary(max_size=300) | st.sampled_from([b"", b"\xff" * 254, b"\xaa" * 1024, bytes(1024)]),
    st.sampled_from([0, codec.ENCRYPTED]),
)


def wire_of(version: int, kind: int, flags: int, number: int = 1, body: bytes = b"") -> bytes:
    raw = struct.pack("<BBBI", version, kind, flags, number) + body
    return b"\0" + cobs_encode(raw + struct.pack("<I", zlib.crc32(raw))) + b"\0"


def only(wire: bytes) -> Frame | FrameError:
    (item,) = Framer().feed(wire)
    return item


@given(frames)
def test_a_frame_survives_the_round_trip(frame: Frame) -> None:
    assert Framer().feed(frame.to_wire()) == [frame]


@given(st.binary(max_size=1200))
def test_stuffing_leaves_no_zero_and_comes_back(raw: bytes) -> None:
    assert 0 not in cobs_encode(raw)
    assert cobs_decode(cobs_encode(raw)) == raw


@given(st.binary(max_size=600))
def test_any_data_between_delimiters_decodes_to_something(data: bytes) -> None:
    assert isinstance(decode_frame(data), Frame | FrameError)


@given(st.lists(st.binary(max_size=1500), max_size=6))
def test_garbage_never_raises_and_the_next_frame_is_found(pieces: list[bytes]) -> None:
    framer = Framer()
    for piece in pieces:
        framer.feed(piece)
    good = Frame(Kind.EVENT, 9, b"\x91\x12")
    assert framer.feed(good.to_wire())[-1] == good


@given(st.lists(frames, min_size=1, max_size=4), st.lists(st.integers(0, 2000), max_size=12))
def test_a_stream_may_be_cut_anywhere(sent: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(frame.to_wire() for frame in sent)
    edges = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    framer = Framer()
    found = [item for a, b in itertools.pairwise(edges) for item in framer.feed(stream[a:b])]
    assert found == sent


def flipped(wire: bytes) -> list[bytes]:
    return [wire[:i] + bytes([wire[i] ^ 1 << bit]) + wire[i + 1 :] for i in range(len(wire)) for bit in range(8)]


def full_block_at_the_end() -> Frame:
    """The last stuffed block is full: here a flipped delimiter could pass for stuffing."""
    frame = Frame(Kind.EVENT, 0x01010101, b"\x55" * 246)  # number, body and checksum: 254 bytes without a zero
    assert frame.to_wire()[-256] == 0xFF
    return frame


@pytest.mark.parametrize(
    "wire",
    [bytes.fromhex(vector["wire"]) for vector in VECTORS["frames"]] + [full_block_at_the_end().to_wire()],
)
def test_no_single_flipped_bit_gives_a_frame(wire: bytes) -> None:
    for bad in flipped(wire):
        # a delimiter of the next frame follows, so that a lost one at the end is noticed
        assert not [item for item in Framer().feed(bad + b"\0") if isinstance(item, Frame)], bad.hex(" ")


@given(frames.filter(lambda frame: len(frame.body) < 40), st.data())
def test_no_flipped_bit_of_any_frame_gives_a_frame(frame: Frame, data: st.DataObject) -> None:
    bad = data.draw(st.sampled_from(flipped(frame.to_wire())))
    assert not [item for item in Framer().feed(bad + b"\0") if isinstance(item, Frame)]


def test_only_the_shortest_stuffing_is_accepted() -> None:
    block = bytes(range(1, 255))
    assert cobs_encode(block) == b"\xff" + block
    assert cobs_decode(b"\xff" + block + b"\x01") is None


@pytest.mark.parametrize(
    ("wire", "code"),
    [
        (b"\0\x05ab\0", "frame.cobs"),
        (b"\0\x01\0", "frame.short"),
        (b"\0" + cobs_encode(b"x" * 10) + b"\0", "frame.short"),
        (b"\0" + cobs_encode(b"\0" * 1036) + b"\0", "frame.long"),
        (b"\0" + cobs_encode(b"x" * 11) + b"\0", "frame.crc"),
        (wire_of(2, 7, 0), "frame.version"),
        (wire_of(1, 0, 0), "frame.kind"),
        (wire_of(1, 10, 0), "frame.kind"),
        (wire_of(1, 7, 2), "frame.flags"),
    ],
)
def test_each_defect_has_its_code(wire: bytes, code: str) -> None:
    item = only(wire)
    assert isinstance(item, FrameError)
    assert item.code == code


def test_an_endless_frame_is_reported_once_and_memory_is_bounded() -> None:
    framer = Framer()
    found = [item for _ in range(200) for item in framer.feed(b"\x55" * 100)]
    assert [item.code for item in found if isinstance(item, FrameError)] == ["frame.long"]
    assert framer.feed(b"\0") == []
    assert framer.feed(Frame(Kind.PING, 1).to_wire()) == [Frame(Kind.PING, 1)]


def test_reset_forgets_a_half_frame() -> None:
    framer = Framer()
    framer.feed(b"\0half")
    framer.reset()
    assert framer.feed(Frame(Kind.PING, 1).to_wire()[1:]) == [Frame(Kind.PING, 1)]


@pytest.mark.parametrize(
    "frame",
    [Frame(Kind.ACK, -1), Frame(Kind.ACK, 1 << 32), Frame(Kind.EVENT, 1, bytes(1025)), Frame(Kind.ACK, 1, flags=2)],
)
def test_what_does_not_fit_is_not_sent(frame: Frame) -> None:
    with pytest.raises(ValueError, match="frame"):
        frame.to_wire()


# ---- bodies


@pytest.mark.parametrize("decode", DECODERS)
@given(body=st.binary(max_size=200))
def test_bodies_raise_only_body_errors(decode: object, body: bytes) -> None:
    assert callable(decode)
    try:
        decode(body)
    except BodyError as error:
        assert error.code == "body.malformed"


@pytest.mark.parametrize("decode", DECODERS)
@pytest.mark.parametrize(
    "body", [b"", b"\x91" * 1024, b"\x92\x10\xa2\xff\xff", b"\xdd\xff\xff\xff\xff", b"\x92\x10\xa2Kh!"]
)
def test_hostile_bodies_raise_body_errors(decode: object, body: bytes) -> None:
    assert callable(decode)
    with pytest.raises(BodyError):
        decode(body)


def test_a_message_that_does_not_fit_is_a_body_error() -> None:
    with pytest.raises(BodyError, match="1000"):
        codec.encode(messages.ShowText(("x" * 2000,)))
    with pytest.raises(BodyError, match="cannot be encoded"):
        codec.encode(messages.ShowAmount(1 << 70))
    with pytest.raises(BodyError, match="cannot be encoded"):
        codec.encode(messages.ShowText(("\ud800",)))


def test_a_missing_last_field_takes_its_default() -> None:
    assert codec.decode_event(b"\x92\x10\xa2Kh") == messages.CardDrawn("Kh", face_up=False)


def test_a_card_shows_neither_in_repr_nor_in_the_description() -> None:
    for message in (
        messages.CardDrawn("Kh"),
        messages.CardsTogether(("Kh", "Qd")),
        messages.SetDispensed(("Kh", "Qd", "2c")),
    ):
        frame = Frame(Kind.EVENT, 4, codec.encode(message))
        assert "Kh" not in repr(frame)
        assert "Kh" not in codec.describe(frame)
        assert type(message).__name__ in codec.describe(frame)
    broken = Frame(Kind.EVENT, 4, b"\x92\x10\xa2Kh!")
    assert codec.describe(broken) == "EVENT 4 (unreadable, 6 bytes)"
    encrypted = Frame(Kind.EVENT, 4, codec.encode(messages.CardsLow()), codec.ENCRYPTED)
    assert codec.describe(encrypted) == "EVENT 4 (2 bytes)"
    assert codec.describe(Frame(Kind.COMMAND, 5, codec.encode(messages.Lock(True)))) == "COMMAND 5 Lock(locked=True)"
    long = Frame(Kind.COMMAND, 6, codec.encode(messages.FlashWrite(0, bytes(500))))
    assert codec.describe(long) == "COMMAND 6 FlashWrite(506 bytes)"


# ---- the vectors that firmware authors use


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_vectors_of_good_frames(vector: dict[str, Any]) -> None:
    frame = Frame(Kind[vector["kind"]], vector["number"], bytes.fromhex(vector["body"]))
    assert frame.to_wire() == bytes.fromhex(vector["wire"])
    assert only(bytes.fromhex(vector["wire"])) == frame
    if vector["message"]:
        name, *fields = vector["message"]
        message = msgspec.convert([getattr(messages, name).__struct_config__.tag, *fields], getattr(messages, name))
        assert codec.encode(message) == frame.body


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=lambda vector: vector["name"])
def test_vectors_of_broken_frames(vector: dict[str, str]) -> None:
    item = only(bytes.fromhex(vector["wire"]))
    assert isinstance(item, FrameError)
    assert item.code == vector["code"]


def spaced(text: str) -> str:
    return bytes.fromhex(text).hex(" ")


def tables() -> str:
    """The vectors as they must stand in the document."""
    lines = ["| frame | message | on the wire |", "|---|---|---|"]
    for vector in VECTORS["frames"]:
        message = json.dumps(vector["message"]) if vector["message"] else "no body"
        lines.append(
            f"| {vector['kind']} {vector['number']}: {vector['name']} | `{message}` | `{spaced(vector['wire'])}` |"
        )
    lines += ["", "| not a frame | error | on the wire |", "|---|---|---|"]
    lines += [f"| {v['name']} | `{v['code']}` | `{spaced(v['wire'])}` |" for v in VECTORS["broken"]]
    return "\n".join(lines) + "\n"


def test_the_document_shows_these_vectors() -> None:
    text = DOC.read_text()
    begin, end = "<!-- vectors: begin -->\n", "<!-- vectors: end -->"
    assert text[text.index(begin) + len(begin) : text.index(end)] == tables()


def test_the_document_lists_every_message_with_its_number_and_fields() -> None:
    text = DOC.read_text()
    for cls in (
        messages.Hello,
        messages.Identity,
        messages.Reply,
        *messages.AnyEvent.__args__,
        *messages.Command.__args__,
    ):
        fields = ", ".join(cls.__struct_fields__) or "none"
        assert f"| {cls.__struct_config__.tag} | {cls.__name__} | {fields} |" in text, cls
