"""Script files: read, parsed and played, with everything that can be wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Final

import msgspec

from controller.script import ScriptError, parse
from controller.script.play import Played, play

UNREADABLE: Final = "script.unreadable"


class Status(IntEnum):
    """Exit statuses; with several runs the highest one counts."""

    OK = 0
    FAILED = 1
    MALFORMED = 2


class Complaint(msgspec.Struct, frozen=True):
    """Why a script was not played, or not to its end."""

    status: Status
    script: str
    line: int
    message: str
    code: str = "script.defect"


def play_file(name: str) -> Iterator[Played | Complaint]:
    """Yields every run of a script; a malformed one is not run at all."""
    try:
        script = parse(_read(name), name)
    except ScriptError as error:
        expected = f"; expected {error.expected}" if error.expected else ""
        yield Complaint(Status.MALFORMED, name, error.line, error.message + expected, error.code)
        return
    except Exception as bug:  # one script must not keep the others from being played
        yield Complaint(Status.FAILED, name, 0, f"a defect of the parser: {type(bug).__name__}: {bug}")
        return
    for run in script.runs:
        try:
            yield play(name, run)
        except Exception as bug:  # one broken run must not keep the others from being told
            yield Complaint(Status.FAILED, name, 0, f"a defect of the simulator: {type(bug).__name__}: {bug}")


def _read(name: str) -> str:
    try:
        return Path(name).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ScriptError(name, 1, "this is not UTF-8 text", "a script", UNREADABLE) from error
    except OSError as error:
        cause = f"cannot be read: {error.strerror}"
        raise ScriptError(name, 0, cause, "the path of a script", UNREADABLE) from error
