"""Archives of the kind that a kernel takes as its first file system."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from typing import Final, NamedTuple

MAGIC: Final = b"070701"
END: Final = "TRAILER!!!"


class Entry(NamedTuple):
    """One file: what it holds, or where a link leads; a directory holds nothing."""

    name: str
    mode: int
    data: bytes = b""


def directory(name: str) -> Entry:
    """Returns a directory."""
    return Entry(name, stat.S_IFDIR | 0o755)


def file(name: str, data: bytes) -> Entry:
    """Returns a file that may be run."""
    return Entry(name, stat.S_IFREG | 0o755, data)


def link(name: str, target: str) -> Entry:
    """Returns a symbolic link."""
    return Entry(name, stat.S_IFLNK | 0o777, target.encode())


def archive(entries: Iterable[Entry]) -> bytes:
    """Returns the archive of these files, in the kernel's "newc" form, the same for the same files."""
    whole = b""
    for number, entry in enumerate((*entries, Entry(END, 0)), 1):
        name = entry.name.encode() + b"\0"
        fields = (number, entry.mode, 0, 0, 1, 0, len(entry.data), 0, 0, 0, 0, len(name), 0)
        whole += _padded(MAGIC + b"".join(b"%08X" % field for field in fields) + name) + _padded(entry.data)
    return whole


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
