"""Keeps the daemon's memory, with its keys and cards, out of core dumps and out of swap."""

from __future__ import annotations

import ctypes
import resource
from contextlib import suppress
from typing import Final

_PR_SET_DUMPABLE: Final = 4  # of linux/prctl.h
_CURRENT, _FUTURE, _ON_FAULT = 1, 2, 4  # of linux/mman.h: what is there, what comes, as soon as it is used


def keep_private() -> None:
    """Lets nobody dump this process, and the kernel write none of it to a disk.

    It is no reason not to start where the system does not allow it; the unit forbids core files besides.
    """
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    _keep_in_memory()


def _keep_in_memory() -> None:
    """Locks every page that is used, so that none is swapped; only where no limit can ever stop the daemon for it."""
    if resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY:
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mlockall(_CURRENT | _FUTURE | _ON_FAULT)
