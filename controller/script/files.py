"""Script files: read, parsed and played, with everything that can be wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final

import msgspec

from controller.script import Run, Script, ScriptError, parse
from controller.script.errors import ScriptMistake, where
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
    line: int  # 0: not one of its lines
    message: str
    code: str = "script.defect"
    others: tuple[tuple[int, str], ...] = ()  # further mistakes: line and message

    def with_places(self) -> list[str]:
        """Returns every mistake with its place."""
        mistakes = [(self.line, self.message), *self.others]
        return [f"{where(self.script, line)}: {message}" for line, message in mistakes]


def read_script(name: str, text: bytes | None = None) -> Script | Complaint:
    """Returns a script, or every mistake in it; without a text that of the file of this name."""
    try:
        return parse(_decoded(name, text), name)
    except ScriptError as error:
        return complaint(name, error.mistakes, error.code)
    except Exception as bug:  # one script must not keep the others from being played
        return Complaint(Status.FAILED, name, 0, f"a defect of the parser: {type(bug).__name__}: {bug}")


def play_run(name: str, run: Run) -> Played | Complaint:
    """Plays one run of a script."""
    try:
        return play(name, run)
    except Exception as bug:  # one broken run must not keep the others from being told
        return Complaint(Status.FAILED, name, 0, f"a defect of the simulator: {type(bug).__name__}: {bug}")


def complaint(name: str, mistakes: Sequence[ScriptMistake], code: str) -> Complaint:
    """Returns what is told of a script with these mistakes."""
    first, *others = mistakes
    further = tuple((mistake.line, str(mistake)) for mistake in others)
    return Complaint(Status.MALFORMED, name, first.line, str(first), code, further)


def _decoded(name: str, text: bytes | None) -> str:
    try:
        return (Path(name).read_bytes() if text is None else text).decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ScriptError(name, [ScriptMistake(line, "this is not UTF-8 text", "a script")], UNREADABLE) from error
    except OSError as error:
        mistake = ScriptMistake(0, f"cannot be read: {error.strerror}", "the path of a script")
        raise ScriptError(name, [mistake], UNREADABLE) from error
