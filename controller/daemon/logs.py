"""What the daemon writes for the technician: JSON lines with a syslog priority, or plain text on a terminal.

No log line carries the text of an unexpected error: it may quote a card that lies face down.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

PRIORITY = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}


def configure(stream: TextIO | None = None) -> None:
    """From now on everything goes to `stream`, standard output unless said otherwise."""
    stream = stream or sys.stdout
    renderer: Any = structlog.dev.ConsoleRenderer() if stream.isatty() else journal_line
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        logger_factory=lambda *_: Steady(stream),
        cache_logger_on_first_use=False,
    )


class Steady:
    """Writes lines.  A full disk or a closed pipe costs the line, never the table that wanted to tell something."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            return

    debug = info = warning = error = critical = msg


def journal_line(_logger: object, _method: str, event: MutableMapping[str, Any]) -> str:
    """One line of JSON behind a priority that journald understands.

    >>> journal_line(None, "", {"event": "device.lost", "level": "warning"})
    '<4>{"event": "device.lost", "level": "warning"}'
    """
    return f"<{PRIORITY.get(str(event.get('level')), 6)}>{json.dumps(event, default=str)}"


def where(error: BaseException) -> str:
    """Kind and place of an error, never its text.

    >>> where(KeyError("Kh"))
    'KeyError'
    """
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return type(error).__name__ + place


def loop_complained(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's exception handler."""
    error = context.get("exception")
    what = where(error) if isinstance(error, BaseException) else str(context.get("message"))
    structlog.get_logger().error("loop.exception", what=what)
