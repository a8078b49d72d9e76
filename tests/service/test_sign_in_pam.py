"""Signing in by PAM at a whole daemon: as by a PIN, and a directory that hangs stops no table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.errors import FeltError
from controller.people import pam
from controller.people.checks import ThreadedChecks
from controller.people.pam import PamAccount
from controller.people.roster import Employee, Roster
from controller.table.facts import SignedIn, SignInFailed
from tests.daemon.house import table_toml
from tests.people.everybody import write_people
from tests.people.pam_stack import PASSWORD, PamStack
from tests.service.clocks import Table, table, until
from tests.service.test_sign_in import BEN, shown

EIGHT = Employee("Floor Eight", "0419", ("supervisor",), PamAccount("floor8"))


def hurry(t: Table, patience: float) -> None:
    checks = t.daemon.service.sign_in.people.checks
    assert isinstance(checks, ThreadedChecks)
    checks._pam._patience, checks._pam._pause = patience, 0.0


async def elsewhere(t: Table, badge: str, pin: str) -> str:
    """The code of what came of it, over the socket."""
    try:
        await t.daemon.service.doorkeeper.sign_in(badge, pin, "", "socket", 1000)
    except FeltError as error:
        return error.code
    return "signed in"


async def test_signing_in_by_pam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stack = PamStack(tmp_path, monkeypatch)
    config = load_config(table_toml(tmp_path))
    write_people(tmp_path, Roster((EIGHT, BEN)))
    async with table(config) as t:
        await t.do("console", "badge", "0419")
        await t.do("console", "pin", "x" + PASSWORD)
        assert shown(t)[0] == "wrong PIN, 4 attempts left; PIN of Floor Eight"
        await t.do("console", "pin", PASSWORD)
        assert t.facts(SignedIn) == [SignedIn("Floor Eight", "0419", "supervisor", "console", -1, 600_000_000)]
        await t.do("console", "badge", "0419")

        stack.serve(account="pam_deny.so")
        await t.do("console", "badge", "0419")
        await t.do("console", "pin", PASSWORD)
        assert shown(t)[0].startswith("the account of Floor Eight is locked, expired")
        assert await elsewhere(t, "0419", PASSWORD) == "sign-in.account"

        stack.serve(auth="pam_exec.so quiet /bin/sleep 60")
        hurry(t, 30.0)
        t.sim.device("console").do("pin", PASSWORD)
        other = asyncio.ensure_future(elsewhere(t, "0419", PASSWORD))
        await until(lambda: t.daemon.service.fleet.checking)
        t.sim.device("sensor.1").do("bet", {"war": 1000})
        await until(lambda: t.engine.table.round is not None)  # the table goes on
        assert await elsewhere(t, "0418", "1379") == "signed in"  # and so do people with PINs
        assert t.daemon.service.fleet.checking and not other.done()
        other.cancel()
        await asyncio.wait([other])
        hurry(t, 0.1)
        assert await elsewhere(t, "0419", PASSWORD) == "sign-in.unchecked"
        assert [fact.why for fact in t.facts(SignInFailed)] == ["wrong", "barred", "barred", "unchecked"]
        assert not t.engine.table.attempts  # what nobody could check is nobody's mistake
    for path in (path for path in tmp_path.rglob("*") if path.is_file() and path.name != "passwords"):
        assert PASSWORD.encode() not in path.read_bytes(), path


async def test_attempts_that_nobody_can_check_fill_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PamStack(tmp_path, monkeypatch)
    config = load_config(table_toml(tmp_path))
    write_people(tmp_path, Roster((EIGHT,)))
    service = pam.SERVICE_FILE.read_text()
    async with table(config) as t:
        for _ in range(2):
            pam.SERVICE_FILE.unlink()
            for _ in range(20):
                assert await elsewhere(t, "0419", PASSWORD) == "sign-in.unchecked"
            pam.SERVICE_FILE.write_text(service)
            assert await elsewhere(t, "0419", PASSWORD) == "signed in"
        assert [fact.why for fact in t.facts(SignInFailed)] == ["unchecked"] * 2  # once each time


async def test_wrong_passwords_wait_as_wrong_pins_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PamStack(tmp_path, monkeypatch)
    config = load_config(table_toml(tmp_path))
    write_people(tmp_path, Roster((EIGHT,)))
    async with table(config) as t:
        answers = await asyncio.gather(*(elsewhere(t, "0419", "x") for _ in range(7)))
        assert sorted(answers) == ["sign-in.locked"] * 2 + ["sign-in.wrong"] * 5
        assert await elsewhere(t, "0419", PASSWORD) == "sign-in.locked"
