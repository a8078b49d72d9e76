"""Logs for machines and people, and a clock that never goes back."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
import structlog

from controller.daemon import logs


@pytest.fixture(autouse=True)
def back_to_normal() -> Iterator[None]:
    structlog.reset_defaults()  # whatever ran before
    yield
    structlog.reset_defaults()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class FullDisk(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_json_with_a_priority_for_the_system_log() -> None:
    out = io.StringIO()
    logs.configure(out)
    structlog.get_logger().warning("device.lost", device="shoe")
    structlog.get_logger().info("device.ready")
    first, second = out.getvalue().splitlines()
    assert first.startswith("<4>{") and second.startswith("<6>{")
    line = json.loads(first[3:])
    assert (line["event"], line["device"], line["level"]) == ("device.lost", "shoe", "warning")


def test_plain_text_on_a_terminal() -> None:
    out = Terminal()
    logs.configure(out)
    structlog.get_logger().error("journal.failed", code="journal.full")
    assert not out.getvalue().startswith("<") and "journal.full" in out.getvalue()


def test_a_line_that_is_told_again_and_again_is_left_out() -> None:
    now = 0.0
    repeats = logs.RepeatFilter(lambda: now)

    def told(device: str) -> dict[str, object] | None:
        try:
            return dict(repeats(None, "", {"event": "device.lost", "level": "warning", "device": device}))
        except structlog.DropEvent:
            return None

    lines = [told("shoe") for _ in range(1000)]
    assert [line is not None for line in lines] == [True] * logs.OFTEN + [False] * (1000 - logs.OFTEN)
    assert told("sensor.1") is not None
    now = logs.WINDOW
    again = told("shoe")
    assert again is not None and again["left_out"] == 1000 - logs.OFTEN
    for n in range(2 * logs.KINDS):
        told(f"sensor.{n}")
    assert len(repeats._kinds) <= logs.KINDS


def test_what_a_library_complains_of_is_not_quoted() -> None:
    out = io.StringIO()
    logs.configure(out)
    try:
        raise ValueError("Kh")
    except ValueError:
        logging.getLogger("aiohttp.server").exception("the king of hearts")
    assert "ValueError at test_logs.py:" in out.getvalue()
    assert "Kh" not in out.getvalue() and "king" not in out.getvalue()


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    logs.configure(FullDisk())
    structlog.get_logger().error("journal.failed")


async def test_an_unexpected_error_is_placed_but_not_quoted() -> None:
    out = io.StringIO()
    logs.configure(out)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.log_loop_exception)
    loop.call_soon(lambda: dict[str, str]()["Kh"])
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "KeyError at test_logs.py:" in out.getvalue()
    assert "Kh" not in out.getvalue()


def test_the_daemon_does_not_load_what_draws_tracebacks() -> None:
    """In an interpreter of its own; whoever wants rich afterwards gets it."""
    words = "import sys, controller.daemon.main, structlog; print('rich' in sys.modules); import rich.text; print(rich)"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=60, check=True).stdout
    assert said.startswith("False\n<module 'rich'")
