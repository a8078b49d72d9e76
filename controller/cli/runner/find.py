"""Which scripts are meant: files, folders, patterns and standard input."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

STDIN: Final = "-"
SUFFIX: Final = ".felt"


class ScriptSource(msgspec.Struct, frozen=True):
    """A script to be played: its name as it was given, and its text when that is not in a file of this name."""

    name: str
    text: bytes | None = None
    wrong: str = ""  # why there is nothing to play


def find(words: Sequence[str]) -> list[ScriptSource]:
    """Returns the scripts that are meant, in the order of the words; those of a folder or a pattern sorted."""
    standard_input = sys.stdin.buffer.read() if STDIN in words else None
    sources: list[ScriptSource] = []
    for word in words:
        if word == STDIN:
            sources.append(ScriptSource(word, standard_input))
        elif Path(word).is_dir():
            sources += _below(word) or [ScriptSource(word, wrong=f"there is no {SUFFIX} file in this folder")]
        elif glob.has_magic(word) and not Path(word).exists():
            sources += _fitting(word) or [ScriptSource(word, wrong="no file fits this pattern")]
        else:
            sources.append(ScriptSource(word))
    return sources


def _fitting(pattern: str) -> list[ScriptSource]:
    """Returns the files that fit a pattern, and the scripts in the folders that do."""
    sources: list[ScriptSource] = []
    for name in sorted(glob.glob(pattern, recursive=True)):  # noqa: PTH207 - a pattern may begin at the root
        if pattern.endswith("**") and not Path(name).is_dir():
            continue  # it means folders
        sources += _below(name) if Path(name).is_dir() else [_unnamed(Path(name))]
    return list({source.name: source for source in sources}.values())  # `**` finds folders and what is in them


def _below(folder: str) -> list[ScriptSource]:
    """Returns all scripts below a folder; hidden folders are left out."""
    return [_unnamed(path) for path in sorted(_walk(folder))]


def _unnamed(path: Path) -> ScriptSource:
    """Returns a script that nobody has named: a pipe or a device among them would be waited for, maybe for ever."""
    is_special = path.exists() and not path.is_file()
    return ScriptSource(str(path), wrong="this is a pipe or a device, and no file" if is_special else "")


def _walk(folder: str) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(where, name) for name in files if name.endswith(SUFFIX))
