"""Checks an installation in a process of its own: no card waits while thousands of files are read and compiled.

What is wished comes on standard input as JSON, what was found goes to standard output.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

import msgspec

from controller.program.check import CheckWish, check


def main() -> None:
    """Reads what is wished, checks, and writes what was found."""
    for stop in (signal.SIGTERM, signal.SIGINT):  # for the whole service: the daemon ends, and this with it
        signal.signal(stop, signal.SIG_IGN)
    with suppress(OSError):  # the service may not change it: then it competes with the table's other work
        os.nice(10)
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=CheckWish)
    sys.stdout.buffer.write(msgspec.json.encode(check(wanted)))


if __name__ == "__main__":
    main()
