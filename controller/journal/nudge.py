"""Wakes an event loop from another thread without giving up the interpreter lock.

Whoever writes to a pipe in the usual way lets go of the lock meanwhile, and the loop that wakes up takes it: a thread
that is about to begin something long would have to wait until the loop has done its work, instead of both at once.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable
from typing import Final

_LIBC: Final = ctypes.PyDLL(None)  # unlike CDLL it keeps the lock
_ONE: Final = (1).to_bytes(8, "little")


class Nudge:
    """Calls `deed` on the loop soon after each `give`; several in a row may become one call."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deed: Callable[[], None]) -> None:
        self._loop, self._deed = loop, deed
        self._fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        loop.add_reader(self._fd, self._awoken)

    def give(self) -> None:
        """Wakes the loop; from any thread, and without effect once it is closed."""
        if self._fd >= 0:
            _LIBC.write(self._fd, _ONE, len(_ONE))

    def close(self) -> None:
        """Ends it, on the loop and when nobody gives any more; harmless twice."""
        if self._fd >= 0:
            descriptor, self._fd = self._fd, -1
            self._loop.remove_reader(descriptor)
            os.close(descriptor)

    def _awoken(self) -> None:
        """Does what the nudge is for."""
        os.eventfd_read(self._fd)
        self._deed()
