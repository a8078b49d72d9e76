"""PAM, the real library in a program of its own: right, wrong, barred, away, and a directory that hangs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.people import pam
from controller.people.pam import PamChecks
from controller.people.pin_result import PinResult
from tests.people.pam_stack import PASSWORD, PamStack


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PamStack:
    return PamStack(tmp_path, monkeypatch)


async def test_a_password_is_the_accounts_or_not(stack: PamStack) -> None:
    checks = PamChecks()
    assert await checks.check("floor8", PASSWORD) is PinResult.RIGHT
    for account, password in (("floor8", PASSWORD + "x"), ("floor8", ""), ("nobody", PASSWORD), ("floor8", "a\0b")):
        assert await checks.check(account, password) is PinResult.WRONG


async def test_a_right_password_of_an_account_that_may_not_be_used(stack: PamStack) -> None:
    stack.serve(account="pam_deny.so")
    assert await PamChecks().check("floor8", PASSWORD) is PinResult.BARRED
    assert await PamChecks().check("floor8", "x") is PinResult.WRONG  # who does not know it is told nothing


async def test_what_cannot_be_checked_is_never_right(stack: PamStack, capsys: pytest.CaptureFixture[str]) -> None:
    checks = PamChecks()
    stack.serve(auth="no_such_module.so")
    assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
    stack.serve()
    stack.forget()
    assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
    pam.SERVICE_FILE.unlink()
    assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
    said = capsys.readouterr().out
    assert "the directory cannot be reached" in said and "there is no" in said and PASSWORD not in said


async def test_a_cause_is_said_now_and_then_with_how_often_it_came(stack: PamStack) -> None:
    now = 0.0
    checks = PamChecks(now=lambda: now)
    pam.SERVICE_FILE.unlink()
    with capture_logs() as said:
        for _ in range(50):
            assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
        now = pam.SAY_EVERY
        assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
    assert [line["times"] for line in said] == [1, 50]


async def test_a_directory_that_hangs_is_asked_again_after_a_while(stack: PamStack) -> None:
    now = 0.0
    checks = PamChecks(patience=0.5, now=lambda: now)
    stack.serve(auth="pam_exec.so quiet /bin/sleep 60")
    began = time.monotonic()
    assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD
    assert time.monotonic() - began < 5
    stack.serve()
    assert await checks.check("floor8", PASSWORD) is PinResult.UNTOLD  # nobody is asked yet
    now, checks._patience = pam.PAUSE + 1, pam.PATIENCE
    assert await checks.check("floor8", PASSWORD) is PinResult.RIGHT


async def test_without_a_program_nobody_can_tell(stack: PamStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    assert await PamChecks().check("floor8", PASSWORD) is PinResult.UNTOLD
