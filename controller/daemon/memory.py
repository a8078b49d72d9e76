"""Keeps the daemon's memory, with its keys and cards, out of core dumps."""

from __future__ import annotations

import ctypes
import resource
from contextlib import suppress
from typing import Final

_PR_SET_DUMPABLE: Final = 4  # of linux/prctl.h


def keep_private() -> None:
    """Lets nobody dump this process: no core file, and no debugger of the same account.

    It is no reason not to start where the system does not allow it; the unit forbids core files besides.
    """
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
