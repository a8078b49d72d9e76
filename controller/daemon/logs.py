"""What the daemon writes for the technician: JSON lines with a syslog priority, or plain text on a terminal.

No log line carries the text of an unexpected error: it may quote a card that lies face down.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO

import structlog

from controller.service.error_place import error_place

LIBRARIES = ("aiohttp", "asyncio")
OFTEN, WINDOW = 20, 60.0  # so many lines of one kind within so many seconds
KINDS = 256  # of lines that are told apart

PRIORITY = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}


def configure(stream: TextIO | None = None) -> None:
    """Sends everything that is logged to `stream`; standard output when none is given."""
    stream = stream or sys.stdout
    for name in LIBRARIES:
        library = logging.getLogger(name)
        library.handlers, library.propagate = [LibraryMessages(logging.WARNING)], False
    renderer: Any = console_line() if stream.isatty() else journal_line
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            RepeatFilter(),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        logger_factory=lambda *_: LineWriter(stream),
        cache_logger_on_first_use=False,
    )


def console_line() -> structlog.dev.ConsoleRenderer:
    """Returns what writes lines for a person at a terminal; in colours unless NO_COLOR is set.

    Errors are told plainly, whatever other packages are installed that could draw them.
    """
    plain = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=not os.environ.get("NO_COLOR"), exception_formatter=plain)


class RepeatFilter:
    """Leaves out a line that is logged again and again; the next one that is written says how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kinds: dict[tuple[str, ...], list[float]] = {}  # kind of line -> since when, how many, left out

    def __call__(self, _logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        kind = tuple(str(event.get(name, "")) for name in ("event", "level", "device", "code", "listener"))
        now = self._clock()
        known = self._kinds.get(kind)
        if known is None or now - known[0] >= WINDOW:
            if known is not None and known[2]:
                event["left_out"] = int(known[2])
            self._kinds.pop(kind, None)
            self._kinds[kind] = [now, 1, 0]
            if len(self._kinds) > KINDS:
                del self._kinds[next(iter(self._kinds))]
            return event
        if known[1] >= OFTEN:
            known[2] += 1
            raise structlog.DropEvent
        known[1] += 1
        return event


class LibraryMessages(logging.Handler):
    """Logs what the libraries say: that it happened and where, never their text, which may quote what somebody sent."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        what = error_place(error) if error is not None else f"{record.module}:{record.lineno}"
        structlog.get_logger().warning("library.complaint", device=record.name, what=what)


class LineWriter:
    """Writes lines.  A full disk or a closed pipe costs the line, never the table that wanted to log it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        """Writes one line."""
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            return

    debug = info = warning = error = critical = msg


def journal_line(_logger: object, _method: str, event: MutableMapping[str, Any]) -> str:
    """Returns one line of JSON behind a priority that journald understands.

    >>> journal_line(None, "", {"event": "device.lost", "level": "warning"})
    '<4>{"event": "device.lost", "level": "warning"}'
    """
    return f"<{PRIORITY.get(str(event.get('level')), 6)}>{json.dumps(event, default=str)}"


def log_loop_exception(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs what no task has caught; the event loop's exception handler."""
    error = context.get("exception")
    what = error_place(error) if isinstance(error, BaseException) else str(context.get("message"))
    structlog.get_logger().error("loop.exception", what=what)
