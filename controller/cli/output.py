"""The output of `felt`: words of devices and people cannot steer the terminal, and what cannot be written is named.

On a terminal long lines are folded between words, and some have a colour; elsewhere lines are whole and plain.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import IO, Final, NoReturn, cast

from controller.views.plain import ESCAPED_IN_LINES

NOBODY_READS: Final = 141  # as a program that the closed pipe has ended
NOT_WRITTEN: Final = 74  # of sysexits.h: an error of input or output
OF_A_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


COLOURS: Final = {"red": "31", "green": "32", "yellow": "33"}
HANGING: Final = 4  # columns by which the rest of a folded line stands further in
CELL: Final = r"\S(?:\S| (?! )){0,15} {2,}"
COLUMN: Final = re.compile(rf"(?:(?:\w+ {{2,}})?| +){CELL}(?=\S)")  # what stands before the text of a row


class PlainText:
    """A stream of text that shows control characters instead of obeying them; lines and tabs stay."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._fresh = True  # at the beginning of a line
        self.folds = True

    def write(self, text: str) -> int:
        """Writes a text; `\\x1b` stands where there was an escape."""
        return self._stream.write(self._fit(text.translate(ESCAPED_IN_LINES)))

    def paint(self, text: str, colour: str) -> None:
        """Writes a line in a colour, where colours are wanted."""
        plain = self._fit(f"{text}\n".translate(ESCAPED_IN_LINES))
        if self._terminal and not os.environ.get("NO_COLOR"):
            plain = f"\x1b[{COLOURS[colour]}m{plain.removesuffix(chr(10))}\x1b[0m\n"
        self._stream.write(plain)

    def _fit(self, text: str) -> str:
        """Returns a text whose lines are not longer than the terminal is wide."""
        fresh, self._fresh = self._fresh, text.endswith("\n") if text else self._fresh
        if not (self._terminal and self.folds and fresh):
            return text
        width = shutil.get_terminal_size().columns
        return "\n".join(line for each in text.split("\n") for line in folded(each, width))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def say(text: str, colour: str = "") -> None:
    """Prints a line; on a terminal in this colour."""
    stream: object = sys.stdout
    if colour and isinstance(stream, PlainText):
        stream.paint(text, colour)
    else:
        print(text)


def beside(text: str) -> None:
    """Prints beside the output, to standard error; on a terminal no line is longer than that is wide."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(piece for line in text.split("\n") for piece in folded(line, width))
    print(text, file=sys.stderr)


def whole_lines() -> None:
    """Lets the output of this command be as it is: no program reads a folded line."""
    stream: object = sys.stdout
    if isinstance(stream, PlainText):
        stream.folds = False


def too_wide(width: int) -> bool:
    """Tells whether lines of this width do not fit the terminal; elsewhere every line fits."""
    return sys.stdout.isatty() and width > shutil.get_terminal_size().columns


def folded(line: str, width: int) -> list[str]:
    """Returns a line in pieces that fit, cut between words; what follows stands further in, or under its column.

    >>> folded("  due  players place their bets", 20)
    ['  due  players place', '       their bets']
    >>> folded("ok  disk  much is left of it", 22)
    ['ok  disk  much is left', '          of it']
    >>> folded("no column here at all", 18)
    ['no column here at', '    all']
    >>> folded("short", 20), folded("", 20)
    (['short'], [''])
    """
    if len(line) <= width or width < 2 * HANGING:
        return [line]
    within = len(line) - len(line.lstrip(" "))
    column = COLUMN.match(line)
    indent = " " * min(column.end() if column else within + HANGING, width // 2)
    pieces: list[str] = []
    while len(line) > width:
        space = line.rfind(" ", len(indent) + 1 if pieces else within + 1, width + 1)
        cut = space if space > 0 else width
        pieces.append(line[:cut].rstrip())
        line = indent + line[cut:].lstrip(" ")
    return [*pieces, line]


@contextmanager
def written() -> Iterator[None]:
    """Writes plain text only; ends a command whose output cannot be written with a status of its own."""
    try:
        try:
            with redirect_stdout(cast(IO[str], PlainText(sys.stdout))):
                yield
        finally:
            sys.stdout.flush()
    except OSError as bad:
        give_up(bad)


def give_up(bad: OSError) -> NoReturn:
    """Ends a command whose output met this error; raises it again when it is about something else."""
    if isinstance(bad, BrokenPipeError):  # `felt run FILE | head`
        _discard()
        sys.exit(NOBODY_READS)
    if bad.errno not in OF_A_DISK or bad.filename is not None:
        raise bad
    _discard()
    print(f"felt: the output cannot be written: {bad.strerror}", file=sys.stderr)
    sys.exit(NOT_WRITTEN)


def _discard() -> None:
    """Lets go of what is left in the buffer: the interpreter would try to write it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
