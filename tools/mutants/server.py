"""A plugin of pytest that collects all tests once and then tries faults, each in a process of its own that is forked.

FELT_TRIALS is the number of the socket over which trials come and verdicts go: one line of JSON each.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
from collections.abc import Sequence
from typing import Any, Final

import pytest

from tools.covered import ROOT
from tools.mutants import swap

VARIABLE: Final = "FELT_TRIALS"
SURVIVED, NOTICED, ELSEWHERE = range(3)  # how a child ends; elsewhere: it must be tried in a new process


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Tries faults until nobody asks for more."""
    items = {item.nodeid: item for item in session.items}
    known = swap.functions(ROOT / "controller")
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(os.environ[VARIABLE])) as asked, asked.makefile("rw", encoding="utf-8") as lines:
        print(json.dumps(len(items)), file=lines, flush=True)
        for line in lines:
            job = json.loads(line)
            wanted = [items[test] for test in job["tests"] if test in items]
            print(json.dumps(_tried(job, wanted, known)), file=lines, flush=True)
    return True


def _tried(job: dict[str, Any], items: Sequence[pytest.Item], known: dict[swap.Place, Any]) -> str:
    """Returns what becomes of a fault: survived, found, hangs, elsewhere."""
    child = os.fork()
    if not child:
        _child(job, items, known)
    descriptor = os.pidfd_open(child)
    try:
        ended, _, _ = select.select([descriptor], [], [], job["patience"])
        if not ended:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(descriptor)
    _, status = os.waitpid(child, 0)
    if not ended:
        return "hangs"
    return {SURVIVED: "survived", ELSEWHERE: "elsewhere"}.get(os.waitstatus_to_exitcode(status), "found")


def _child(job: dict[str, Any], items: Sequence[pytest.Item], known: dict[swap.Place, Any]) -> None:
    """Plants the fault and runs the tests; never returns."""
    code = NOTICED
    try:
        if not swap.swap(ROOT / job["file"], job["number"], known):
            code = ELSEWHERE
        else:
            for at, item in enumerate(items):
                following = items[at + 1] if at + 1 < len(items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            code = SURVIVED
    finally:
        os._exit(code)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Ends the child with the first test that fails."""
    if report.failed:
        os._exit(NOTICED)
