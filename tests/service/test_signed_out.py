"""Whoever was signed in is signed out on record, with the reason: whatever ended it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.journal.records import Duplicate, Entry, Record
from controller.service import console_watch
from controller.service.doorkeeper import Doorkeeper
from controller.table.facts import SignedIn, SignedOut
from tests.service.clocks import PATIENCE, Table, until
from tests.service.test_sign_in import PIN, house, shown


async def at_socket(t: Table, badge: str, pin: str) -> None:
    await t.daemon.service.doorkeeper.sign_in(badge, pin, "", "socket", 1000)


async def test_the_daemon_stops(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await at_socket(t, "0418", "1379")
        await at_socket(t, "0418", "1379")
        await t.do("console", "badge", "0417")
        await t.do("console", "pin", PIN)
    async with house(tmp_path) as t:
        over = SignedOut("Pit Two", "socket", "stopped", 1000)
        assert t.facts(SignedOut) == [over, over] and t.engine.table.elsewhere == ()
        assert t.engine.table.name == "Pit One"  # keys that her console still has are hers
        await until(lambda: shown(t)[-1:] == ["signed in: supervisor Pit One"])


async def test_the_daemon_stops_while_somebody_is_signing_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(tmp_path) as t:
        durable, append = threading.Event(), t.daemon.journal.append

        def slowly(entries: Sequence[Entry]) -> list[Record | Duplicate]:
            durable.wait(PATIENCE)
            return append(entries)

        monkeypatch.setattr(t.daemon.journal, "append", slowly)
        attempt = asyncio.create_task(at_socket(t, "0418", "1379"))
        await until(lambda: t.engine.pending == 1)
        attempt.cancel()  # as the doors do when they close and an answer is still under way
        await asyncio.wait([attempt])
        durable.set()
        await until(lambda: not t.engine.pending)
        assert t.facts((SignedIn, SignedOut)) == [
            SignedIn("Pit Two", "0418", "dealer", "socket", 1000),
            SignedOut("Pit Two", "socket", "stopped", 1000),
        ]


async def test_the_daemon_was_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(Doorkeeper, "stop", lambda keeper: None)
        async with house(tmp_path) as t:
            await at_socket(t, "0418", "1379")
            await t.daemon.service.doorkeeper.sign_in("0417", PIN, "", "page 10.0.0.1", -1)
    expected = [SignedOut("Pit Two", "socket", "cut-off", 1000), SignedOut("Pit One", "page 10.0.0.1", "cut-off")]
    for _ in range(2):  # and once only
        async with house(tmp_path) as t:
            await until(lambda t=t: t.engine.table.elsewhere == ())  # type: ignore[misc]
            assert t.facts(SignedOut) == expected


async def test_somebody_else_takes_the_console_over(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        for badge, pin in (("0417", PIN), ("0418", "0000"), ("0418", "1379")):
            await t.do("console", "badge", badge)
            await t.do("console", "pin", pin)
        assert t.facts((SignedIn, SignedOut))[1:] == [
            SignedOut("Pit One", "console", "replaced"),
            SignedIn("Pit Two", "0418", "dealer", "console", -1, 600_000_000),
        ]


async def test_the_console_is_unplugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "badge", "0418")
        await t.do("console", "pin", "1379")
        console = t.sim.device("console")
        console.fault("unplug")
        await until(lambda: "console" in t.engine.table.faults)
        console.clear()
        await until(lambda: "console" not in t.engine.table.faults)
        assert t.engine.table.name == "Pit Two"  # the cable was loose
        monkeypatch.setattr(console_watch, "PATIENCE", 0.05)
        console.fault("unplug")
        await until(lambda: t.facts(SignedOut) == [SignedOut("Pit Two", "console", "unplugged")])
        await until(lambda: t.engine.table.name == "")


async def test_a_badge_that_was_shown_waits_for_its_pin_while_another_person_is_signed_out(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "badge", "0417")
        await t.do("console", "pin", PIN)
        await t.do("console", "badge", "0418")
        await asyncio.wait_for(t.engine.submit(SignedOut("Pit One", "console", "idle")), 5)
        await t.do("console", "pin", "1379")
        assert t.engine.table.name == "Pit Two"
