"""Changes of bytes, chosen by a seed; and smaller inputs out of a large one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

LONGEST = 65_536
MOST_CHANGES = 6
ODD_BYTES = (
    0x00,
    0x01,
    0x02,
    0x03,
    0x04,
    0x05,
    0x0A,
    0x0D,
    0x1B,
    0x20,
    0x22,
    0x27,
    0x2E,
    0x3D,
    0x5B,
    0x7F,
    0x80,
    0xC0,
    0xC1,
    0xFF,
)
ODD_PIECES = (
    b"9" * 25,
    b"-1",
    b"1e400",
    b"nan",
    b"0x10",
    b"\xc2\xb2",
    b"\xd9\xa3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\xcc\x81" * 40,
    b"\r\n",
    b"\0",
    b"[" * 3000,
    b'{"a":' * 3000,
    b"\\u0000",
    b"\\ud800",
    b"%s%n",
    b"../../etc/passwd",
    b"<script>alert(1)</script>",
    b"2026-02-30T25:61:61+99:99",
    b"0000-00-00",
)

Change = Callable[[Random, bytes, Sequence[bytes], Sequence[bytes]], bytes]


def changed(rng: Random, data: bytes, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """Returns data after one change or a few."""
    for _ in range(rng.randint(1, MOST_CHANGES)):
        data = rng.choice(CHANGES)(rng, data, words, others)
    return data[:LONGEST]


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    """Returns a place in it and the end of a short piece from there on."""
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((1, 1, 2, 3, 4, 8, 16, 64)))


def _flip(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _odd(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + bytes([rng.choice(ODD_BYTES)]) + data[end:]


def _any(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.randbytes(rng.randint(1, 8)) + data[end:]


def _remove(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + data[end:]


def _repeat(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 1, 2, 30, 300)) + data[end:]


def _cut(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    return data[: rng.randint(0, len(data))]


def _word(rng: Random, data: bytes, words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.choice(words or ODD_PIECES) + data[rng.choice((start, end)) :]


def _odd_piece(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.choice(ODD_PIECES) + data[rng.choice((start, end)) :]


def _splice(rng: Random, data: bytes, _words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    start, end = _span(rng, data)
    mine, _ = _span(rng, other)
    return data[:start] + other[mine : mine + rng.choice((1, 8, 64, 1024))] + data[rng.choice((start, end)) :]


def _move_line(rng: Random, data: bytes, _words: Sequence[bytes], _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 1, 2))):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"\n".join(lines)


CHANGES: tuple[Change, ...] = (_flip, _odd, _any, _remove, _repeat, _cut, _word, _word, _odd_piece, _splice, _move_line)


def smaller(data: bytes) -> list[bytes]:
    """Returns data without one piece of it, large pieces first; then with plain bytes in place of odd ones."""
    made = []
    size = max(1, len(data) // 2)
    while True:
        made += [data[:start] + data[start + size :] for start in range(0, len(data), size)]
        if size == 1 or len(made) > 2000:
            break
        size //= 2
    return made
