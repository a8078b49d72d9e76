"""The parts of the reference firmware that can be called one by one: frames and ciphers."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Final

STUFFED: Final = 1040
BROKEN: Final = ("", "long", "cobs", "short", "crc", "version", "kind", "flags")  # in the order of felt_frame.h


class _Frame(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("sealed", ctypes.c_bool),
        ("number", ctypes.c_uint32),
        ("body", ctypes.POINTER(ctypes.c_uint8)),
        ("size", ctypes.c_size_t),
    )


class _Sender(ctypes.Structure):
    _fields_ = (("frame", ctypes.c_uint8 * (7 + 1024 + 4)), ("wire", ctypes.c_uint8 * (STUFFED + 2)))


class Library:
    """The library as `make library` builds it."""

    def __init__(self, path: Path) -> None:
        self._c = ctypes.CDLL(str(path))
        self._c.felt_close.restype = ctypes.c_size_t
        for name in ("felt_aead_open", "felt_ed25519_verify"):
            getattr(self._c, name).restype = ctypes.c_bool

    def wire(self, kind: int, number: int, body: bytes, *, sealed: bool = False) -> bytes:
        """Returns a frame as it goes over a wire."""
        sender = _Sender()
        self._c.felt_header(sender.frame, kind, sealed, ctypes.c_uint32(number))
        ctypes.memmove(ctypes.addressof(sender.frame) + 7, body, len(body))
        size = self._c.felt_close(ctypes.byref(sender), ctypes.c_size_t(len(body)))
        return bytes(sender.wire[:size])

    def read(self, piece: bytes) -> tuple[int, bool, int, bytes] | str:
        """Returns kind, whether it is sealed, number and body of what stood between zero bytes; else why it is none."""
        frame, data = _Frame(), ctypes.create_string_buffer(piece, max(len(piece), 1))
        broken = self._c.felt_frame_read(ctypes.byref(frame), data, ctypes.c_size_t(len(piece)))
        if broken:
            return BROKEN[broken]
        return frame.kind, frame.sealed, frame.number, bytes(frame.body[: frame.size])

    def hkdf(self, secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
        """Returns so many bytes of HKDF-SHA-256."""
        out = ctypes.create_string_buffer(size)
        pieces = [(piece, ctypes.c_size_t(len(piece))) for piece in (secret, salt, info)]
        self._c.felt_hkdf(out, ctypes.c_size_t(size), *(word for piece in pieces for word in piece))
        return out.raw

    def hash(self, bits: int, *pieces: bytes) -> bytes:
        """Returns SHA-256 or SHA-512 of all pieces."""
        state, out = ctypes.create_string_buffer(512), ctypes.create_string_buffer(bits // 8)
        name = f"felt_sha{bits}_"
        getattr(self._c, name + "start")(state)
        for piece in pieces:
            getattr(self._c, name + "add")(state, piece, ctypes.c_size_t(len(piece)))
        getattr(self._c, name + "end")(state, out)
        return out.raw

    def seal(self, key: bytes, nonce: bytes, also: bytes, text: bytes) -> bytes:
        """Returns a text encrypted with ChaCha20-Poly1305, and its tag."""
        data, tag = ctypes.create_string_buffer(text, max(len(text), 1)), ctypes.create_string_buffer(16)
        self._c.felt_aead_seal(key, nonce, also, ctypes.c_size_t(len(also)), data, ctypes.c_size_t(len(text)), tag)
        return data.raw[: len(text)] + tag.raw

    def open(self, key: bytes, nonce: bytes, also: bytes, sealed: bytes) -> bytes | None:
        """Returns the text; None when the tag does not fit."""
        size = len(sealed) - 16
        data = ctypes.create_string_buffer(sealed[:size], max(size, 1))
        fits = self._c.felt_aead_open(
            key, nonce, also, ctypes.c_size_t(len(also)), data, ctypes.c_size_t(size), sealed[size:]
        )
        return data.raw[:size] if fits else None

    def half(self, secret: bytes) -> bytes:
        """Returns the public half of an X25519 key."""
        out = ctypes.create_string_buffer(32)
        self._c.felt_x25519_half(out, secret)
        return out.raw

    def shared(self, secret: bytes, half: bytes) -> bytes:
        """Returns the secret that two X25519 keys share."""
        out = ctypes.create_string_buffer(32)
        self._c.felt_x25519(out, secret, half)
        return out.raw

    def verifies(self, public: bytes, signature: bytes, first: bytes, second: bytes) -> bool:
        """Tells whether this is the owner's Ed25519 signature over both pieces."""
        sizes = [ctypes.c_size_t(len(piece)) for piece in (first, second)]
        return bool(self._c.felt_ed25519_verify(public, signature, first, sizes[0], second, sizes[1]))
