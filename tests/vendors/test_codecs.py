"""The bytes: every vector of the facts, round trips, and no input that makes a framer raise or lose its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.can_frame import CanFrame
from firmware_bridge.frame import FrameError
from firmware_bridge.vendors import alpha, angel_eye, cia401

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
VECTOR = bytes.fromhex("05 31 44 81 B8 03 34 46")
SIGN_VECTOR = bytes.fromhex("00 00 00 00 00 01 5A 30 30 02 47 31") + b"$12,345.67" + b"\x030267\x04"


# ---- Angel Eye


def test_a_card_in_game_for_the_player() -> None:
    [report] = angel_eye.Framer().feed(VECTOR)
    assert report == angel_eye.Report(0x31, "D", b"\x81\xb8")
    assert isinstance(report, angel_eye.Report)
    assert angel_eye.place_of(report.data[0]) == (0, 1)
    assert angel_eye.card_of(report.data[1]) == "8s"
    assert report.to_wire() == VECTOR
    assert "b8" not in repr(report).lower()


def test_the_lock_command_with_and_without_the_02() -> None:
    assert angel_eye.lock(True).to_wire() == bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
    assert angel_eye.lock(True).to_wire(with_stx=False)[-2:] == b"19"
    assert angel_eye.read_operation(angel_eye.lock(False).to_wire()) == angel_eye.Operation("LK", "01")
    assert angel_eye.read_operation(angel_eye.clear_error(7).to_wire()) == angel_eye.Operation("EC", "07")
    assert angel_eye.read_operation(angel_eye.lock(True).to_wire(), with_stx=False) == angel_eye.Refused(0x02)


@pytest.mark.parametrize(
    ("wire", "code"),
    [(b"", 0x11), (b"\x02OPLK02x1B", 0x03), (b"\x02OPLK02\x0300", 0x02), (b"\x02XXLK02\x0304", 0x13)],
)
def test_a_shoe_refuses_a_command_that_is_none(wire: bytes, code: int) -> None:
    assert angel_eye.read_operation(wire) == angel_eye.Refused(code)


@given(st.integers(0, 255))
def test_a_payload_byte_is_a_card_or_impossible(byte: int) -> None:
    card = angel_eye.card_of(byte)
    assert (card is None) == (byte not in {angel_eye.card_byte(known) for known in CARDS})
    if card is not None:
        assert angel_eye.card_byte(card) == byte


@pytest.mark.parametrize("card", ["", "x", "8x", "1s", "?s", "8ss"])
def test_no_such_card(card: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        angel_eye.card_byte(card)


reports = st.builds(
    angel_eye.Report,
    st.integers(0, 255),
    st.sampled_from("SPCDdRGEeLM"),
    st.lists(st.integers(0x80, 0xFF), max_size=6).map(bytes),
)


@settings(max_examples=50)
@given(st.lists(st.one_of(reports, st.just(angel_eye.Acked()), st.integers(0, 255).map(angel_eye.Refused))), st.data())
def test_reports_and_answers_in_any_pieces(items: list[angel_eye.Item], data: st.DataObject) -> None:
    wire = b""
    for item in items:
        match item:
            case angel_eye.Report():
                wire += item.to_wire()
            case angel_eye.Refused(code):
                wire += bytes([angel_eye.NAK, code])
            case _:
                wire += bytes([angel_eye.ACK])
    framer, heard = angel_eye.Framer(), []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        heard += framer.feed(wire[:size])
        wire = wire[size:]
    assert heard == items


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=40)))
def test_a_shoe_may_say_anything_and_is_understood_again(noise: list[bytes]) -> None:
    framer = angel_eye.Framer()
    for piece in noise:
        framer.feed(piece)
    # One report may be eaten by what was left over; repeats are there for that.
    heard = framer.feed(bytes(40) + VECTOR)
    assert heard[-1] == angel_eye.Report(0x31, "D", b"\x81\xb8")


def test_a_broken_report_is_named() -> None:
    wrong = VECTOR[:-1] + b"E"
    assert _codes(angel_eye.Framer().feed(wrong))[0] == "frame.bcc"
    assert _codes(angel_eye.Framer().feed(VECTOR[:4] + VECTOR))[0] == "frame.short"
    assert _codes(angel_eye.Framer().feed(b"\x05" + b"1" * 40)) == ["frame.long"]
    long = b"1D" + b"\x81" * 40 + b"\x03"  # at once or byte by byte: no report is so long
    assert _codes(angel_eye.Framer().feed(b"\x05" + long + angel_eye.bcc(long)))[0] == "frame.long"
    inside = b"1\x03"
    assert _codes(angel_eye.Framer().feed(b"\x05" + inside + angel_eye.bcc(inside))) == ["frame.kind"]


def _codes(heard: list[angel_eye.Item]) -> list[str]:
    return [item.code for item in heard if isinstance(item, FrameError)]


# ---- Alpha


def test_an_amount_on_every_sign() -> None:
    assert alpha.write_string("1", b"$12,345.67").to_wire() == SIGN_VECTOR
    assert alpha.Framer().feed(SIGN_VECTOR) == [alpha.Packet("G", b"1$12,345.67")]


def test_the_memory_has_one_text_and_one_string() -> None:
    assert alpha.allocate("A", "1").data == b"$AAL0040FF001BL007D0000"
    assert alpha.write_text("A", "1").data.endswith(b"\x101")


@settings(max_examples=50)
@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20), min_size=1, max_size=5))
def test_lines_make_a_string_and_come_back(lines: list[str]) -> None:
    assert alpha.lines_of(alpha.string_of(tuple(lines))) == tuple(lines)


@pytest.mark.parametrize(
    ("line", "why"), [("\u20ac 5", "characters"), ("a\x03", "characters"), ("x" * 126, "too-long")]
)
def test_what_a_sign_cannot_show(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        alpha.string_of((line,))


LONG = "x" * 60


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ((), ()),
        (("MIN 5", "MAX 500"), ("MIN 5", "MAX 500")),
        ((LONG, LONG, "y"), (LONG, LONG, "y")),  # 60 + 60 + 1, and two new lines
        ((LONG, LONG, "yyyy"), (LONG, LONG)),
        ((LONG, LONG, "  and so on"), (LONG,)),  # a row is shown whole, or not
        ((LONG, "y", "  z", "  " + LONG), (LONG,)),
        ((LONG, "y", "  z", "w", LONG), (LONG, "y", "  z", "w")),
        ((2 * LONG + "xxxxxx", "y"), ()),
    ],
)
def test_a_sign_shows_as_many_whole_rows_as_fit(lines: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert alpha.fitting(lines) == shown


packets = st.builds(
    alpha.Packet,
    st.sampled_from("AEGH"),
    st.binary(max_size=60).map(lambda data: bytes(byte for byte in data if byte >= 0x10)),
    st.sampled_from(("Z00", "f01", "Z3F")),
)


@settings(max_examples=50)
@given(st.lists(packets), st.data())
def test_packets_in_any_pieces(items: list[alpha.Packet], data: st.DataObject) -> None:
    wire = b"".join(item.to_wire() for item in items)
    framer, heard = alpha.Framer(), []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        heard += framer.feed(wire[:size])
        wire = wire[size:]
    assert heard == items


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=60)))
def test_a_sign_may_say_anything_and_is_understood_again(noise: list[bytes]) -> None:
    framer = alpha.Framer()
    for piece in noise:
        framer.feed(piece)
    assert framer.feed(SIGN_VECTOR)[-1] == alpha.Packet("G", b"1$12,345.67")


def test_a_wrong_checksum_is_named_and_an_endless_packet_is_dropped() -> None:
    wrong = SIGN_VECTOR.replace(b"0267", b"0268")
    assert alpha.Framer().feed(wrong) == [FrameError("frame.checksum", "the checksum of a packet is wrong")]
    [long] = alpha.Framer().feed(bytes(5000))
    assert isinstance(long, FrameError)


# ---- CiA 401


def test_frames_of_a_module() -> None:
    assert cia401.nmt(cia401.START, 5) == CanFrame(0, b"\x01\x05")
    assert cia401.Object(*cia401.DEVICE_TYPE).request(5) == CanFrame(0x605, bytes.fromhex("4000100000000000"))
    assert cia401.Emergency(0x2300, 2).frame(5) == CanFrame(0x085, bytes.fromhex("0023020000000000"))
    assert cia401.read_emergency(bytes.fromhex("0023020000000000")) == cia401.Emergency(0x2300, 2)
    assert cia401.read_emergency(b"\0") is None


objects = st.integers(1, 4).flatmap(
    lambda size: st.builds(
        cia401.Object, st.integers(0, 0xFFFF), st.integers(0, 255), st.integers(0, 256**size - 1), st.just(size)
    )
)


@settings(max_examples=50)
@given(objects, st.integers(1, 127))
def test_objects_there_and_back(item: cia401.Object, node: int) -> None:
    assert cia401.read_sdo(item.request(node).data) == item
    assert cia401.read_sdo(item.answer(node).data) == item
    asked = cia401.Object(item.index, item.sub)
    assert cia401.read_sdo(asked.request(node).data) == asked
    assert cia401.read_sdo(asked.answer(node).data) == asked
    refused = cia401.Aborted(item.index, item.sub, 0x06020000)
    assert cia401.read_sdo(refused.answer(node).data) == refused


@settings(max_examples=50)
@given(st.binary(max_size=12))
def test_no_frame_makes_the_codec_raise(data: bytes) -> None:
    cia401.read_sdo(data)
    cia401.read_emergency(data)
    frame = cia401.unpack(data)
    assert frame is None or cia401.pack(frame) == data
