"""A plugin of pytest that tells coverage.py which test is running, and keeps how long each took."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import coverage
import pytest

VARIABLE: Final = "FELT_TEST_TIMES"  # the file into which the durations are written
_took: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Names the test to coverage.py while it runs."""
    measuring = coverage.Coverage.current()
    if measuring is not None:
        measuring.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up how long a test took; one that did not pass is left out."""
    if report.when == "call" and report.passed:
        _took[report.nodeid] = report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the durations, where the tests were given out."""
    if not hasattr(session.config, "workerinput") and VARIABLE in os.environ:
        Path(os.environ[VARIABLE]).write_text(json.dumps(_took), encoding="utf-8")
