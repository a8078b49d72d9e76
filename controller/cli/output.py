"""The output of `felt`: words of devices and people cannot steer the terminal, and what cannot be written is named."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import IO, Final, NoReturn, cast

from controller.views.plain import ESCAPED_IN_LINES

NOBODY_READS: Final = 141  # as a program that the closed pipe has ended
NOT_WRITTEN: Final = 74  # of sysexits.h: an error of input or output
OF_A_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class PlainText:
    """A stream of text that shows control characters instead of obeying them; lines and tabs stay."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Writes a text; `\\x1b` stands where there was an escape."""
        return self._stream.write(text.translate(ESCAPED_IN_LINES))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


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
