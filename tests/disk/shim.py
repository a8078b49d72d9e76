"""The disk that fails on request: its library is compiled here, and what was done on it is read from its log."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).with_name("shim.c")
SHORT: Final = -1  # instead of an errno: half of a write is done, and that is said


class Call(NamedTuple):
    """One thing that a process did to the disk, in the order in which it happened."""

    word: str  # write, cut, create, empty, sync, unsynced, rename, link, unlink, note
    name: str  # of the file, below the directory; "" for the directory itself
    other: str = ""  # the new name
    offset: int = 0
    data: bytes = b""


def compiler() -> str | None:
    """Returns the compiler of C of this machine; None where there is none."""
    return shutil.which("cc")


def build(folder: Path) -> Path:
    """Compiles the library and returns where it is."""
    library = folder / "shim.so"
    command = [compiler() or "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run([*command, "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
    return library


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(os.environ["LD_PRELOAD"])


def arm(
    folder: Path, log: Path | None, nth: int = 0, failure: int = 0, *, lasts: bool = False, slow: float = 0.0
) -> None:
    """Begins to watch `folder` in this process: the `nth` call fails, or all from it on; each sync takes `slow`."""
    words = os.fsencode(folder), os.fsencode(log) if log is not None else b""
    _library().felt_disk_arm(*words, ctypes.c_long(nth), failure, int(lasts), int(slow * 1e6))


def calls() -> int:
    """Returns how many calls were counted since it was armed."""
    count: int = _library().felt_disk_calls()
    return count


def promise(text: str) -> None:
    """Puts a word of the program into the log: from here on it holds."""
    _library().felt_disk_note(text.encode())


def read(log: Path) -> list[Call]:
    """Returns everything in a log."""
    raw, at, calls_ = log.read_bytes(), 0, []
    while at < len(raw):
        end = raw.index(b"\n", at)
        word, name, other, offset, size = raw[at:end].decode().split("\t")
        at = end + 1 + int(size)
        calls_.append(Call(word, name, other, int(offset), raw[end + 1 : at]))
    return calls_
