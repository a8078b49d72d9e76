"""Code for a device that failed, ours or that of a package: a named cause, and never the end of anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

from firmware_bridge.errors import Coded
from firmware_bridge.extensions import failed, place_of
from firmware_bridge.link import LinkError

T = TypeVar("T")
BUG: Final = "driver.bug"
UNREAD: Final = "device.unread"  # something that the device sent is lost


def bug(error: BaseException) -> LinkError:
    """Returns the cause of an error with its kind and place, and whose code it was; never with its text.

    The text may quote a card.
    """
    theirs = failed(error)
    if theirs is not None:
        return LinkError(theirs.code, theirs.cause)
    return LinkError(BUG, f"{type(error).__name__} at {place_of(error)}")


def unread(error: BaseException) -> LinkError:
    """Returns the cause of an error at which bytes from a device were lost."""
    return LinkError(UNREAD, f"what it sent could not be read: {bug(error).cause}")


async def guarded(work: Awaitable[T]) -> T:
    """Returns what a driver's work returns; an error without a code of its own becomes a LinkError.

    So does a cancellation that nobody asked for.
    """
    try:
        return await work
    except Coded:
        raise
    except (Exception, SystemExit) as error:
        raise bug(error) from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise bug(error) from error
