"""The reference firmware makes the bytes of the test vectors, and its ciphers are those that everybody has."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.encryption import proves, session_keys
from firmware_bridge.frame import Frame, Kind, decode_answer, decode_reply, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Hello, Introduction, Message, Pair, PairKeep, PairReveal, Reply
from tests.reference.building import COMPILER, build
from tests.reference.conftest import Started
from tests.reference.library import STUFFED, Library
from tests.reference.stepped import Stepped
from tests.searches import times

HERE = Path(__file__).parents[1] / "firmware_bridge"
VECTORS: dict[str, Any] = json.loads((HERE / "vectors.json").read_text())
SEALED: dict[str, Any] = json.loads((HERE / "sealed_vectors.json").read_text())
PAIRING = {name: bytes.fromhex(text) for name, text in SEALED["pairing"].items() if name != "code"}
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the group of Ed25519
P = 2**255 - 19
# Halves of small order, and numbers that are not below the prime, with and without the bit that does not count.
ODD_HALVES = [n.to_bytes(32, "little") for n in (0, 1, P - 1, P, P + 1, P + 18, 2**255, 2**255 + 9, 2**256 - 1)]
EPOCH = b"\7" + bytes(7)  # what a device without a memory takes of chance when it starts

some = settings(max_examples=times(40), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
keys = st.binary(min_size=32, max_size=32)
texts = st.binary(max_size=300)


@pytest.fixture(scope="module")
def library() -> Library:
    if COMPILER is None:
        pytest.skip("no gcc: the reference firmware cannot be built")
    return Library(build("library") / "felt.so")


# ---- frames


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: f"{vector['kind']} {vector['name']}")
def test_frames(library: Library, vector: dict[str, Any]) -> None:
    kind, number, body = Kind[vector["kind"]], vector["number"], bytes.fromhex(vector["body"])
    wire = bytes.fromhex(vector["wire"])
    assert library.wire(kind, number, body) == wire
    assert library.read(wire[1:-1]) == (kind, False, number, body)


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=lambda vector: vector["name"])
def test_what_is_not_a_frame(library: Library, vector: dict[str, Any]) -> None:
    assert f"frame.{library.read(bytes.fromhex(vector['wire'])[1:-1])}" == vector["code"]


@some
@given(st.sampled_from(Kind), st.integers(0, 2**32 - 1), st.binary(max_size=1024) | st.integers(0, 1024).map(bytes))
def test_both_make_the_same_frames(library: Library, kind: Kind, number: int, body: bytes) -> None:
    assert library.wire(kind, number, body) == Frame(kind, number, body).to_wire()


@some
@given(st.lists(st.sampled_from([1, 2, 3, 254, 255]) | st.integers(1, 255), min_size=1, max_size=STUFFED).map(bytes))
def test_both_take_the_same_for_a_frame(library: Library, piece: bytes) -> None:
    (item,) = Framer().feed(b"\0" + piece + b"\0")
    read = library.read(piece)
    if isinstance(item, Frame):
        assert read == (item.kind, bool(item.flags), item.number, item.body)
    else:
        assert f"frame.{read}" == item.code


# ---- sealing


def test_keys_and_sealed_frames(library: Library) -> None:
    nonces = bytes.fromhex(SEALED["controller_nonce"] + SEALED["device_nonce"])
    made = library.hkdf(bytes.fromhex(SEALED["key"]), nonces, b"feltd 1 session", 96)
    assert made.hex() == SEALED["proof_key"] + SEALED["down_key"] + SEALED["up_key"]
    for vector in SEALED["frames"]:
        if not vector["counter"]:
            continue
        kind, counter = Kind[vector["kind"]], vector["counter"].to_bytes(8, "little")
        head = bytes([1, kind, 1]) + vector["number"].to_bytes(4, "little")
        key = made[32:64] if vector["way"] == "down" else made[64:]
        body = counter + library.seal(key, bytes(4) + counter, head, bytes.fromhex(vector["body"]))
        assert library.wire(kind, vector["number"], body, sealed=True).hex() == vector["wire"]
        assert library.open(key, bytes(4) + counter, head, body[8:]) == bytes.fromhex(vector["body"])
        assert library.open(key, bytes(4) + counter, head[:-1] + b"!", body[8:]) is None


def test_a_device_introduces_itself_as_in_the_vectors(
    checked: list[str], started: Started[Stepped], tmp_path: Path
) -> None:
    (tmp_path / "chance").write_bytes(EPOCH + bytes.fromhex(SEALED["device_nonce"]))
    options = {"serial": SEALED["serial"], "key": SEALED["key"], "chance": str(tmp_path / "chance")}
    device = started(Stepped(checked, "lamps", tmp_path, **options))
    challenge, introduction = (bytes.fromhex(vector["wire"]) for vector in SEALED["frames"][:2])
    assert device.step(5, challenge) == introduction
    assert device.step(10, challenge) == introduction  # the same C with the same number (8.5)


# ---- pairing


def ask(device: Stepped, at: int, number: int, message: Message) -> Reply:
    frames = Framer().feed(device.step(at, Frame(Kind.COMMAND, number, encode(message)).to_wire()))
    (reply,) = (item for item in frames if isinstance(item, Frame) and item.kind is Kind.REPLY)
    return decode_reply(reply.body)


def test_a_device_is_paired_as_in_the_vectors(checked: list[str], started: Started[Stepped], tmp_path: Path) -> None:
    (tmp_path / "chance").write_bytes(EPOCH + PAIRING["device_secret"] + PAIRING["device_nonce"] + bytes(64))
    options = {"serial": SEALED["serial"], "chance": str(tmp_path / "chance")}
    device = started(Stepped(checked, "lamps", tmp_path, **options))
    device.hand("pairing on")
    device.step(5)
    device.step(10, Frame(Kind.HELLO, 1, encode(Hello(1))).to_wire())
    begun = ask(device, 15, 1, Pair(PAIRING["controller_half"]))
    assert begun == Reply(True, (PAIRING["device_half"] + PAIRING["commitment"]).hex())
    assert ask(device, 20, 2, PairReveal(PAIRING["controller_nonce"])) == Reply(True, PAIRING["device_nonce"].hex())
    device.told()
    assert f"code {SEALED['pairing']['code']}" in device.lines
    assert ask(device, 25, 3, PairKeep(PAIRING["keep_proof"])) == Reply(True)
    device.hand("pairing off")
    device.step(30)
    device.kill()
    device.start()
    (answer,) = Framer().feed(device.step(35, bytes.fromhex(SEALED["frames"][0]["wire"])))
    assert isinstance(answer, Frame)
    introduction = decode_answer(answer.body)
    assert isinstance(introduction, Introduction)
    made = session_keys(PAIRING["key"], bytes.fromhex(SEALED["controller_nonce"]), introduction.nonce)
    assert proves(made, SEALED["number"], introduction.serial, introduction.proof)


# ---- ciphers


@some
@given(keys, texts, texts, st.integers(1, 300))
def test_hashes(library: Library, secret: bytes, first: bytes, second: bytes, size: int) -> None:
    assert library.hash(256, first, second) == hashlib.sha256(first + second).digest()
    assert library.hash(512, first, second) == hashlib.sha512(first + second).digest()
    assert library.hkdf(secret, first, second, size) == HKDF(hashes.SHA256(), size, first, second).derive(secret)


@some
@given(keys, st.binary(min_size=12, max_size=12), texts, texts, st.integers(0))
def test_encryption(library: Library, key: bytes, nonce: bytes, also: bytes, text: bytes, where: int) -> None:
    sealed = library.seal(key, nonce, also, text)
    assert sealed == ChaCha20Poly1305(key).encrypt(nonce, text, also)
    assert library.open(key, nonce, also, sealed) == text
    bit = where % (8 * len(sealed))
    changed = (int.from_bytes(sealed, "little") ^ 1 << bit).to_bytes(len(sealed), "little")
    assert library.open(key, nonce, also, changed) is None


@some
@given(keys, keys | st.sampled_from(ODD_HALVES))
def test_shared_secrets(library: Library, secret: bytes, half: bytes) -> None:
    ours = X25519PrivateKey.from_private_bytes(secret)
    assert library.half(secret) == ours.public_key().public_bytes_raw()
    try:
        shared = ours.exchange(X25519PublicKey.from_public_bytes(half))
    except ValueError:
        shared = bytes(32)  # which the other library refuses to return, and a device takes for a bad half
    assert library.shared(secret, half) == shared


@some
@given(keys, texts, texts, st.integers(0, 64 * 8 - 1))
def test_signatures(library: Library, secret: bytes, first: bytes, second: bytes, bit: int) -> None:
    owner = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = owner.public_key().public_bytes_raw(), owner.sign(first + second)
    assert library.verifies(public, signature, first, second)
    assert not library.verifies(public, signature, first, second + b"!")
    changed = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
    assert library.verifies(public, changed, first, second) == takes(public, changed, first + second)
    twin = int.from_bytes(signature[32:], "little") + ORDER
    assert not library.verifies(public, signature[:32] + twin.to_bytes(32, "little"), first, second)


def takes(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except InvalidSignature:
        return False
    return True
