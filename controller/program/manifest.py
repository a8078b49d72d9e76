"""The manifest of an installation: every file with its size and SHA-256, signed with Ed25519.  No I/O.

It is plain text.  The signed part is a first line with the form, the version, further folders on Python's path, then a
line for each file; behind an empty line stand the signatures, one a line, each with the key that made it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.errors import FeltError
from controller.program.installed import Measured

FORM: Final = "feltd program manifest 1"
LARGEST: Final = 16 << 20  # bytes
_SIGNED: Final = b"feltd 1 program\n"  # so that no signature for anything else fits
_FILE: Final = re.compile(r"([0-9a-f]{64}) (\d{1,15}) (\S.*)")
_SIGNATURE: Final = re.compile(r"signature ([0-9a-f]{64}) ([0-9a-f]{128})")


class ProgramManifest(msgspec.Struct, frozen=True):
    """A manifest as it was read; nothing in it is believed before its signature was checked."""

    version: str
    files: dict[str, Measured]
    paths: tuple[str, ...]  # further folders where Python looks for modules: of the operating system
    signed: str
    signatures: tuple[tuple[str, str], ...] = ()  # the public key and the signature, in hexadecimal digits

    @property
    def digest(self) -> str:
        """The SHA-256 of what is signed: the name by which this manifest is on record."""
        return hashlib.sha256(self.signed.encode()).hexdigest()

    def to_text(self) -> str:
        """Returns the manifest as it stands in a file."""
        lines = "".join(f"signature {key} {signature}\n" for key, signature in self.signatures)
        return f"{self.signed}\n{lines}"


def file_lines(files: Iterable[Measured]) -> str:
    """Returns the lines of these files; their SHA-256 is the digest of an installation, whoever signed it or not."""
    return "".join(f"{each.sha256} {each.size} {each.path}\n" for each in files)


def installation_digest(files: Iterable[Measured]) -> str:
    """Returns one digest for all files of an installation."""
    return hashlib.sha256(file_lines(files).encode()).hexdigest()


def make(version: str, files: Sequence[Measured], paths: Iterable[str] = ()) -> ProgramManifest:
    """Returns the manifest of these files, not signed yet."""
    further = tuple(paths)
    head = f"{FORM}\nversion {version}\n" + "".join(f"path {path}\n" for path in further)
    return ProgramManifest(version, {each.path: each for each in files}, further, head + file_lines(files))


def signed_by(manifest: ProgramManifest, private_key: bytes) -> ProgramManifest:
    """Returns the manifest with one more signature."""
    key = Ed25519PrivateKey.from_private_bytes(private_key)
    public = key.public_key().public_bytes_raw().hex()
    signature = key.sign(_SIGNED + manifest.signed.encode()).hex()
    others = tuple(each for each in manifest.signatures if each[0] != public)
    return msgspec.structs.replace(manifest, signatures=(*others, (public, signature)))


def read(text: str) -> ProgramManifest:
    """Reads a manifest; raises FeltError program.manifest when this is none."""
    body, gap, below = text.partition("\n\n")
    first, _, rest = f"{body}\n".partition("\n")
    if first != FORM or not gap:
        raise _unread("it does not begin and end as a manifest of this form")
    version, paths, files = "", [], {}
    for line in rest.splitlines():
        if matched := _FILE.fullmatch(line):
            files[matched[3]] = Measured(matched[3], int(matched[2]), matched[1])
        elif line.startswith("version ") and not version:
            version = line.removeprefix("version ")
        elif line.startswith("path /"):
            paths.append(line.removeprefix("path "))
        else:
            raise _unread(f"it has a line that cannot be read: {line[:60]!r}")
    signatures = [_SIGNATURE.fullmatch(line) for line in below.splitlines() if line]
    if not version or not files or None in signatures:
        raise _unread("its version, its files or a signature cannot be read")
    made = tuple((matched[1], matched[2]) for matched in signatures if matched is not None)
    return ProgramManifest(version, files, tuple(paths), f"{body}\n", made)


def _unread(why: str) -> FeltError:
    return FeltError("program.manifest", f"the manifest cannot be used: {why}")


def check_signature(manifest: ProgramManifest, keys: Iterable[bytes]) -> str:
    """Returns which of these keys signed the manifest; raises FeltError program.untrusted when none did."""
    trusted = {key.hex(): key for key in keys}
    for public, signature in manifest.signatures:
        if public not in trusted:
            continue
        try:
            key = Ed25519PublicKey.from_public_bytes(trusted[public])
            key.verify(bytes.fromhex(signature), _SIGNED + manifest.signed.encode())
        except (InvalidSignature, ValueError):
            continue
        return public
    others = ", ".join(f"{public[:16]}..." for public, _ in manifest.signatures[:3])
    signers = f"it is signed by {others}" if others else "nobody has signed it"
    raise FeltError("program.untrusted", f"the manifest of version {manifest.version} is not to be trusted: {signers}")
