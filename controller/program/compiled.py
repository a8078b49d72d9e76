"""Compares compiled code with its source: Python runs a .pyc whose time and size fit, whatever code is in it."""

from __future__ import annotations

import importlib.util
import marshal
import os
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Final

from controller.program.installed import CACHE, CODE

_HEADER: Final = 16  # bytes in front of the code
_U32: Final = 0xFFFF_FFFF


def wrong_code(root: Path) -> list[str]:
    """Returns the compiled files below this folder that are not what their source compiles to, by path."""
    wrong = (path for path in _compiled(root) if _is_wrong(path))
    return sorted(str(path.relative_to(root)) for path in wrong)


def _compiled(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        if Path(folder).name == CACHE:
            yield from (Path(folder, name) for name in names if name.endswith(CODE))


def _is_wrong(path: Path) -> bool:
    """Tells whether this interpreter could run other code from this file than its source says."""
    try:
        source = Path(importlib.util.source_from_cache(str(path)))
    except ValueError:
        return False  # of no source that could be named so: nobody imports it
    if str(path) != importlib.util.cache_from_source(str(source)):
        return False  # of another interpreter, which does not run here
    try:
        stat = source.stat()
        if not (path.is_file() and source.is_file()):
            return True  # a pipe or a device: whoever reads it may wait for ever
        data, text = path.read_bytes(), source.read_bytes()
    except FileNotFoundError:
        return False  # without its source nobody imports it
    except OSError:
        return True
    return _is_used(data, int(stat.st_mtime), stat.st_size) and not _same(data[_HEADER:], text, source)


def _is_used(data: bytes, time: int, size: int) -> bool:
    """Tells whether the interpreter would run it: else it compiles the source anew."""
    if data[:4] != importlib.util.MAGIC_NUMBER:
        return False
    by_hash = int.from_bytes(data[4:8], "little") != 0
    return by_hash or struct.unpack("<II", data[8:_HEADER]) == (time & _U32, size & _U32)


def _same(code: bytes, text: bytes, source: Path) -> bool:
    """Tells whether this code is what the source compiles to."""
    try:
        kept = marshal.loads(code)  # data only: nothing of it is run
        with warnings.catch_warnings(action="ignore"):
            meant = compile(text, str(source), "exec", dont_inherit=True)
    except (EOFError, ValueError, TypeError, SyntaxError, MemoryError):
        return False
    return isinstance(kept, CodeType) and kept == meant
