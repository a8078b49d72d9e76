"""Sealed frames: the vectors that firmware authors use, and nothing forged ever opens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import encryption
from firmware_bridge import image as images
from firmware_bridge.frame import ENCRYPTED, MAX_MESSAGE, Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.guard import Guard, Verdict
from firmware_bridge.messages import Challenge, Hello, Introduction

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "sealed_vectors.json").read_text())
DOC = Path(__file__).parents[2] / "docs" / "protocol.md"
KEY, OURS, THEIRS = (bytes.fromhex(VECTORS[name]) for name in ("key", "controller_nonce", "device_nonce"))
KEYS = encryption.session_keys(KEY, OURS, THEIRS)

frames = st.builds(Frame, st.sampled_from(Kind), st.integers(0, 2**32 - 1), st.binary(max_size=60))


def only(wire: str) -> Frame:
    (frame,) = Framer().feed(bytes.fromhex(wire))
    assert isinstance(frame, Frame)
    return frame


# ---- the vectors


def test_vectors_of_the_keys() -> None:
    made = encryption.derive(KEY, OURS, THEIRS)
    assert [made[:32].hex(), made[32:64].hex(), made[64:].hex()] == [
        VECTORS[name] for name in ("proof_key", "down_key", "up_key")
    ]
    assert encryption.prove(KEYS, VECTORS["number"], VECTORS["serial"]).hex() == VECTORS["proof"]


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_vectors_of_sealed_frames(vector: dict[str, Any]) -> None:
    plain = Frame(Kind[vector["kind"]], vector["number"], bytes.fromhex(vector["body"]))
    if not vector["counter"]:
        assert plain.to_wire().hex() == vector["wire"]
        return
    cipher = KEYS.down if vector["way"] == "down" else KEYS.up
    assert encryption.close(cipher, vector["counter"], plain).to_wire().hex() == vector["wire"]
    assert encryption.opened(cipher, only(vector["wire"])) == (vector["counter"], plain)


def guard_after_the_vectors() -> Guard:
    guard = Guard(KEY, VECTORS["number"], Hello(1, 7, 41), OURS)
    for vector in VECTORS["frames"]:
        if vector["way"] == "up":
            found = guard.open(only(vector["wire"]))
            assert found is Verdict.PROVEN or isinstance(found, Frame)
    return guard


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["name"])
def test_vectors_of_refused_frames(vector: dict[str, str]) -> None:
    assert guard_after_the_vectors().open(only(vector["wire"])) is Verdict.TAMPERED


def test_the_controller_greets_as_in_the_vectors() -> None:
    guard = Guard(KEY, VECTORS["number"], Hello(1, 7, 41), OURS)
    challenge, introduction, greeting = (only(vector["wire"]) for vector in VECTORS["frames"][:3])
    assert guard.encrypt(guard.greeting) == challenge
    assert guard.open(introduction) is Verdict.PROVEN
    assert guard.encrypt(guard.greeting) == greeting


def test_vectors_of_pairing() -> None:
    vector = {name: bytes.fromhex(text) for name, text in VECTORS["pairing"].items() if name != "code"}
    ours, theirs = vector["controller_half"], vector["device_half"]
    assert encryption.half(vector["controller_secret"]) == ours
    assert encryption.half(vector["device_secret"]) == theirs
    assert encryption.agreed_key(vector["controller_secret"], theirs, ours, theirs) == vector["key"]
    assert encryption.agreed_key(vector["device_secret"], ours, ours, theirs) == vector["key"]
    with pytest.raises(ValueError):
        encryption.agreed_key(vector["device_secret"], bytes(32), ours, theirs)
    exchange = encryption.Exchange(VECTORS["serial"], ours, theirs)
    assert exchange.commitment(vector["device_nonce"]) == vector["commitment"]
    assert exchange.commits(vector["commitment"], vector["device_nonce"])
    assert exchange.code(vector["controller_nonce"], vector["device_nonce"]) == VECTORS["pairing"]["code"]
    assert encryption.keep_proof(vector["key"]) == vector["keep_proof"]


@pytest.mark.parametrize("which", range(4), ids=["controller's half", "device's half", "ours", "theirs"])
def test_a_single_bit_that_one_end_hears_differently_changes_the_code(which: int) -> None:
    pairing = VECTORS["pairing"]
    names = ("controller_half", "device_half", "controller_nonce", "device_nonce")
    said = [bytes.fromhex(pairing[name]) for name in names]
    for bit in range(256):
        heard = list(said)
        heard[which] = (int.from_bytes(said[which], "little") ^ 1 << bit).to_bytes(32, "little")
        exchange = encryption.Exchange(VECTORS["serial"], *heard[:2])
        assert exchange.code(*heard[2:]) != pairing["code"]
        assert (exchange.commitment(heard[3]).hex() == pairing["commitment"]) == (which == 2)
    assert encryption.Exchange("0043", *said[:2]).code(*said[2:]) != pairing["code"]


def test_vectors_of_images() -> None:
    vector = VECTORS["image"]
    private = bytes.fromhex(vector["private_key"])
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    assert public.hex() == vector["public_key"]
    image = images.make_image(private, "shoe", "S1", "1.3.0", bytes.fromhex(vector["firmware"]))
    assert image.to_bytes().hex() == vector["file"]
    assert images.read_image(bytes.fromhex(vector["file"])) == image
    images.check_signature(image.signed, image.signature, [public])


def tables() -> str:
    """The vectors as they must stand in the document."""
    names = ("key", "controller_nonce", "device_nonce", "serial", "proof_key", "down_key", "up_key", "proof")
    lines = ["| what | value |", "|---|---|"]
    lines += [f"| {name.replace('_', ' ')} | `{VECTORS[name]}` |" for name in names]
    lines += ["", "| frame | way | counter | body before sealing | on the wire |", "|---|---|---|---|---|"]
    for v in VECTORS["frames"]:
        counter, wire = v["counter"] or "not sealed", bytes.fromhex(v["wire"]).hex(" ")
        lines.append(f"| {v['kind']} {v['number']}: {v['name']} | {v['way']} | {counter} | `{v['body']}` | `{wire}` |")
    lines += ["", "| refused by the controller after these | on the wire |", "|---|---|"]
    lines += [f"| {v['name']} | `{bytes.fromhex(v['wire']).hex(' ')}` |" for v in VECTORS["refused"]]
    for part in ("pairing", "image"):
        lines += ["", f"| {part} | value |", "|---|---|"]
        lines += [f"| {name.replace('_', ' ')} | `{value}` |" for name, value in VECTORS[part].items()]
    return "\n".join(lines) + "\n"


def test_the_document_shows_these_vectors() -> None:
    text = DOC.read_text()
    begin, end = "<!-- sealed vectors: begin -->\n", "<!-- sealed vectors: end -->"
    assert text[text.index(begin) + len(begin) : text.index(end)] == tables()


# ---- nothing forged opens


@given(frames, st.integers(1, encryption.MAX_COUNTER))
def test_what_was_closed_opens(frame: Frame, counter: int) -> None:
    encrypted = encryption.close(KEYS.up, counter, frame)
    assert encryption.opened(KEYS.up, encrypted) == (counter, frame)
    assert encryption.opened(KEYS.down, encrypted) is None  # reflected, or the directions swapped
    assert frame.body == b"" or frame.body not in encrypted.body or len(frame.body) < 8


@given(frames, st.data())
def test_an_altered_frame_does_not_open(frame: Frame, data: st.DataObject) -> None:
    encrypted = encryption.close(KEYS.up, 9, frame)
    bit = data.draw(st.integers(0, len(encrypted.body) * 8 - 1))
    body = bytearray(encrypted.body)
    body[bit // 8] ^= 1 << bit % 8
    assert encryption.opened(KEYS.up, Frame(encrypted.kind, encrypted.number, bytes(body), ENCRYPTED)) is None


@given(frames, st.data())
def test_a_truncated_or_longer_frame_does_not_open(frame: Frame, data: st.DataObject) -> None:
    encrypted = encryption.close(KEYS.up, 9, frame)
    cut = data.draw(st.integers(0, len(encrypted.body) - 1))
    more = data.draw(st.binary(min_size=1, max_size=9))
    for body in (encrypted.body[:cut], encrypted.body + more):
        assert encryption.opened(KEYS.up, Frame(encrypted.kind, encrypted.number, body, ENCRYPTED)) is None


@given(frames, frames)
def test_kind_and_number_are_sealed_too(frame: Frame, other: Frame) -> None:
    encrypted = encryption.close(KEYS.up, 9, frame)
    if (frame.kind, frame.number) != (other.kind, other.number):
        assert encryption.opened(KEYS.up, Frame(other.kind, other.number, encrypted.body, ENCRYPTED)) is None


@given(st.permutations(range(12)))
def test_frames_are_taken_in_rising_order_only(order: list[int]) -> None:
    guard = guard_after_the_vectors()
    highest = -1
    for index in order:
        found = guard.open(encryption.close(KEYS.up, 100 + index, Frame(Kind.PONG, index)))
        assert found == (Frame(Kind.PONG, index) if index > highest else Verdict.TAMPERED)
        highest = max(highest, index)


def test_a_frame_sent_again_looks_different() -> None:
    guard = guard_after_the_vectors()
    sent = [guard.encrypt(Frame(Kind.PING, 7)).to_wire() for _ in range(50)]
    assert len(set(sent)) == 50


def test_the_longest_message_can_be_sealed() -> None:
    assert encryption.close(KEYS.up, 1, Frame(Kind.EVENT, 1, bytes(MAX_MESSAGE))).to_wire()


@pytest.mark.parametrize("counter", [0, encryption.MAX_COUNTER + 1])
def test_a_counter_that_is_used_up_seals_nothing(counter: int) -> None:
    with pytest.raises(ValueError, match="counter"):
        encryption.close(KEYS.up, counter, Frame(Kind.PING, 1))


# ---- the greeting


def greeted(introduction: Introduction, number: int = 5) -> Frame | Verdict:
    guard = Guard(KEY, 5, Hello(1), OURS)
    return guard.open(Frame(Kind.IDENTITY, number, encode(introduction)))


def proof(key: bytes = KEY, number: int = 5, serial: str = "S") -> bytes:
    return encryption.prove(encryption.session_keys(key, OURS, THEIRS), number, serial)


@pytest.mark.parametrize(
    ("introduction", "verdict"),
    [
        (Introduction("S", THEIRS, proof()), Verdict.PROVEN),
        (Introduction("T", THEIRS, proof()), Verdict.WRONG_KEY),
        (Introduction("S", THEIRS, proof(number=6)), Verdict.WRONG_KEY),
        (Introduction("S", THEIRS, proof(key=bytes(32))), Verdict.WRONG_KEY),
        (Introduction("S", THEIRS[:-1], proof()), Verdict.WRONG_KEY),
        (Introduction("S", THEIRS, b""), Verdict.WRONG_KEY),
        (Introduction("S", OURS, proof()), Verdict.WRONG_KEY),  # our own nonce sent back
        (Introduction("S"), Verdict.PLAIN),
    ],
)
def test_only_a_device_with_the_key_is_believed(introduction: Introduction, verdict: Verdict) -> None:
    assert greeted(introduction) is verdict


def test_nothing_sealed_counts_before_the_proof_and_no_key_is_shown() -> None:
    guard = Guard(KEY, 5, Hello(1), OURS)
    assert guard.open(encryption.close(KEYS.up, 1, Frame(Kind.EVENT, 1))) is Verdict.IGNORED
    assert guard.open(Frame(Kind.EVENT, 1)) is Verdict.PLAIN
    assert guard.encrypt(guard.greeting).body == encode(Challenge(1, OURS))
    assert KEY.hex() not in repr(KEYS) and "proof=" not in repr(KEYS)


# ---- images


def test_an_image_must_be_whole_and_signed() -> None:
    vector = VECTORS["image"]
    good = bytes.fromhex(vector["file"])
    public = bytes.fromhex(vector["public_key"])
    image = images.read_image(good)
    for bad in (b"", b"FELTIMG1", b"FELTIMG2" + good[8:], good[:40], good[:10] + b"\xc1" + good[11:]):
        with pytest.raises(images.ImageError) as error:
            images.read_image(bad)
        assert error.value.code == "image.form"
    with pytest.raises(images.ImageError) as error:
        images.check_signature(image.signed, image.signature, [bytes(31), bytes(32)])
    assert error.value.code == "image.signature"
    with pytest.raises(images.ImageError):
        images.check_signature(image.signed + b"!", image.signature, [public])
    with pytest.raises(images.ImageError) as error:
        images.check_firmware(image.manifest, image.firmware + b"!")
    assert error.value.code == "image.digest"


@given(st.binary(max_size=200))
def test_any_bytes_are_an_image_or_an_image_error(data: bytes) -> None:
    for text in (data, images.MAGIC + data):
        try:
            images.read_image(text)
        except images.ImageError as error:
            assert error.code == "image.form"
