"""What the service manager hears, over a socket of the test's own."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.daemon.notify import Notifier, heartbeat
from controller.journal import Duplicate, Entry, Journal, Record, Writer
from tests.daemon.house import Manager


@pytest.fixture
def manager(tmp_path: Path) -> Manager:
    return Manager(tmp_path / "notify.sock")


def environment(manager: Manager, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(manager.path), **more}


def test_what_is_said(manager: Manager) -> None:
    notifier = Notifier(environment(manager))
    notifier.ready("round 0")
    notifier.status("round 0")  # nothing new
    notifier.status("round 1")
    notifier.alive()
    notifier.stopping()
    heard = [manager.next() for _ in range(4)]
    assert heard == ["READY=1\nSTATUS=round 0", "STATUS=round 1", "WATCHDOG=1", "STOPPING=1\nSTATUS=stopping"]
    manager.close()


def test_an_abstract_socket() -> None:
    name = f"feltd-test-{os.getpid()}-{threading.get_ident()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind("\0" + name)
        Notifier({"NOTIFY_SOCKET": "@" + name}).alive()
        assert heard.recv(100) == b"WATCHDOG=1"


def test_without_a_manager_or_with_one_that_is_gone_nothing_happens(tmp_path: Path) -> None:
    Notifier({}).ready("all is well")
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone.sock")}).ready("all is well")


def test_the_watchdogs_time() -> None:
    assert Notifier({}).watchdog is None
    assert Notifier({"WATCHDOG_USEC": "3000000"}).watchdog == 3.0
    assert Notifier({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}).watchdog == 3.0
    assert Notifier({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}).watchdog is None
    assert Notifier({"WATCHDOG_USEC": "soon"}).watchdog is None


class Stuck(Journal):
    """A disk that does not answer until it is let go."""

    let_go: threading.Event

    def append(self, batch: Sequence[Entry]) -> list[Record | Duplicate]:
        self.let_go.wait()
        return super().append(batch)


async def test_no_sign_of_life_while_the_journal_is_stuck(manager: Manager) -> None:
    journal = Stuck.open(None, table="T1")
    assert isinstance(journal, Stuck)
    journal.let_go = threading.Event()
    now = 0.0
    writer = Writer(journal, clock=lambda: now)
    alive = [True]
    looked = asyncio.Event()

    def healthy() -> bool:
        alive.append(writer.alive(now))
        looked.set()
        return alive[-1]

    async def next_look() -> bool:
        looked.clear()
        await looked.wait()
        return alive[-1]

    notifier = Notifier(environment(manager, WATCHDOG_USEC="2000"))
    beating = asyncio.create_task(heartbeat(notifier, healthy, lambda: ""))
    try:
        assert await next_look()
        stored = asyncio.Event()
        writer.submit(Entry(1, b"a fact"), lambda _: stored.set())
        assert await next_look()  # it may take its time
        now = 8.0
        assert await next_look()  # a worn memory card is no reason to be killed
        now = 31.0
        assert not await next_look() and not await next_look()
        heard = len(alive) - 1 - alive.count(False)
        while heard > 0:  # what was said before the disk hung
            assert await asyncio.to_thread(manager.next) == "WATCHDOG=1"
            heard -= 1
        await next_look()
        with pytest.raises(TimeoutError):
            manager.next(0.001)
        journal.let_go.set()
        await stored.wait()
        while not await next_look():
            pass
        assert await asyncio.to_thread(manager.next) == "WATCHDOG=1"
    finally:
        journal.let_go.set()
        beating.cancel()
        await writer.close()
        journal.close()
        manager.close()
