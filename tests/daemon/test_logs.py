"""Logs for machines and people, and a clock that never goes back."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator

import pytest
import structlog

from controller.daemon import logs


@pytest.fixture(autouse=True)
def back_to_normal() -> Iterator[None]:
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


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    logs.configure(FullDisk())
    structlog.get_logger().error("journal.failed")


async def test_an_unexpected_error_is_placed_but_not_quoted() -> None:
    out = io.StringIO()
    logs.configure(out)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_complained)
    loop.call_soon(lambda: {}["Kh"])
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "KeyError at test_logs.py:" in out.getvalue()
    assert "Kh" not in out.getvalue()
