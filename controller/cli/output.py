"""What becomes of a command whose output has nowhere to go: its reader has gone, or its file cannot take more."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOBODY_READS: Final = 141  # as a program that the closed pipe has ended
NOT_WRITTEN: Final = 74  # of sysexits.h: an error of input or output


@contextmanager
def written() -> Iterator[None]:
    """Ends a command whose output cannot be written with a status of its own, and not with a traceback."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # `felt run FILE | head`
        _discard()
        sys.exit(NOBODY_READS)
    except OSError as bad:
        if bad.filename is not None:  # of a file that the command was to read or write
            raise
        _discard()
        print(f"felt: the output cannot be written: {bad.strerror}", file=sys.stderr)
        sys.exit(NOT_WRITTEN)


def _discard() -> None:
    """Lets go of what is left in the buffer: the interpreter would try to write it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
