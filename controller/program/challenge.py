"""The answer to a challenge: a seed goes in, a keyed digest over all installed files comes out.

Each file gets HMAC-SHA-256 with the seed as its key.  The lines `DIGEST  PATH`, by path, get one again: that is the
answer.  Who has the approved files computes the same; who only has their plain digests cannot.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from controller.errors import FeltError
from controller.program.installed import Measured, is_own

_SEED: Final = re.compile(r"(?:[0-9a-fA-F]{2}){8,64}")


class KeyedAnswer(msgspec.Struct, frozen=True):
    """The answer: over the files of feltd's own wheel, and over the whole installation."""

    program: str
    program_files: int
    installation: str
    installation_files: int
    lines: tuple[str, ...] = ()  # one a file, so that two answers can be compared


def key_of(seed: str) -> bytes:
    """Returns the key that a seed is; raises FeltError program.seed.

    >>> key_of("00112233445566FF").hex()
    '00112233445566ff'
    """
    if not _SEED.fullmatch(seed):
        raise FeltError("program.seed", f"{seed[:40]!r} is no seed")
    return bytes.fromhex(seed)


def answered(key: bytes, files: Sequence[Measured]) -> KeyedAnswer:
    """Returns the answer over these files, which were measured with this key."""
    own = [each for each in files if is_own(each.path)]
    return KeyedAnswer(_digest(key, own), len(own), _digest(key, files), len(files), tuple(map(_line, files)))


def _line(file: Measured) -> str:
    return f"{file.keyed}  {file.path}"


def _digest(key: bytes, files: Sequence[Measured]) -> str:
    text = "".join(f"{_line(each)}\n" for each in files)
    return hmac.new(key, text.encode(), "sha256").hexdigest()
