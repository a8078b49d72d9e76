"""A firmware image: a signed manifest and the bytes it speaks of.  Reading, checking and making one; no I/O.

On disk: the magic, the length of the manifest (u16, little-endian), the manifest, its Ed25519 signature (64 bytes),
the firmware.  The manifest is one MessagePack array.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from firmware_bridge.errors import Coded
from firmware_bridge.version import version_key

MAGIC: Final = b"FELTIMG1"
SIGNATURE_BYTES: Final = 64
MAX_MANIFEST: Final = 512
MAX_FIRMWARE: Final = 16 * 1024 * 1024
_LENGTH: Final = struct.Struct("<H")
_SIGNED: Final = b"feltd 1 firmware"  # so that no signature for anything else fits


class Manifest(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the firmware is for, and which bytes it is."""

    family: str
    model: str
    version: str
    size: int
    sha256: bytes


class ImageError(Coded):
    """An image that must not be sent or run."""


@dataclass(frozen=True, slots=True)
class Image:
    """A whole image; `signed` is the manifest as it was signed."""

    manifest: Manifest
    signed: bytes
    signature: bytes
    firmware: bytes = field(repr=False)

    def to_bytes(self) -> bytes:
        """Returns the image as it stands in a file."""
        return MAGIC + _LENGTH.pack(len(self.signed)) + self.signed + self.signature + self.firmware


def read_image(data: bytes) -> Image:
    """Reads a file's bytes; ImageError image.form when they are no image.  Nothing is checked yet."""
    start = len(MAGIC) + _LENGTH.size
    if not data.startswith(MAGIC) or len(data) < start:
        raise ImageError("image.form", "this is no firmware image")
    length: int = _LENGTH.unpack_from(data, len(MAGIC))[0]
    end = start + length + SIGNATURE_BYTES
    if len(data) < end:
        raise ImageError("image.form", "the image is cut off")
    signed = data[start : start + length]
    return Image(read_manifest(signed), signed, data[start + length : end], data[end:])


def read_manifest(signed: bytes) -> Manifest:
    """Reads a manifest; ImageError image.form when these bytes are none."""
    if len(signed) > MAX_MANIFEST:
        raise ImageError("image.form", f"the manifest has {len(signed)} bytes, at most {MAX_MANIFEST}")
    try:
        manifest = msgspec.msgpack.decode(signed, type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise ImageError("image.form", "the manifest cannot be read") from None
    if not 0 < manifest.size <= MAX_FIRMWARE or len(manifest.sha256) != hashlib.sha256().digest_size:
        raise ImageError("image.form", "the manifest makes no sense")
    if version_key(manifest.version) is None:
        raise ImageError("image.form", f"{manifest.version!r} is no version such as 1.2.0")
    return manifest


def check_signature(signed: bytes, signature: bytes, public_keys: Iterable[bytes]) -> bytes:
    """Returns which of these keys signed this manifest; ImageError image.signature when none did."""
    for public in public_keys:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, _SIGNED + signed)
        except (InvalidSignature, ValueError):
            continue
        return public
    raise ImageError("image.signature", "it is not signed by a key that is trusted here")


def check_firmware(manifest: Manifest, firmware: bytes) -> None:
    """Checks that these are the bytes of the manifest; ImageError image.digest when they are not."""
    if len(firmware) != manifest.size or hashlib.sha256(firmware).digest() != manifest.sha256:
        raise ImageError("image.digest", "the firmware is not the one that was signed: the file is damaged")


def make_image(private_key: bytes, family: str, model: str, version: str, firmware: bytes) -> Image:
    """Returns firmware signed with a private key of 32 bytes."""
    manifest = Manifest(family, model, version, len(firmware), hashlib.sha256(firmware).digest())
    signed = msgspec.msgpack.encode(manifest)
    signature = Ed25519PrivateKey.from_private_bytes(private_key).sign(_SIGNED + signed)
    return Image(manifest, signed, signature, firmware)
