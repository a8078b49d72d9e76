"""`felt` as a person types it: a PIN is not shown, Ctrl-C ends a question, a window changes, bash completes."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.sim.people import PIN, badge_of
from tests.cli.conftest import felt
from tests.cli.terminal import Terminal
from tests.daemon.house import PATIENCE, House


@pytest.fixture(scope="module")
def at(house: House, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the table is, and where the sessions of this person are kept."""
    return {"FELT_SOCKET": str(house.socket), "XDG_RUNTIME_DIR": str(tmp_path_factory.mktemp("runtime"))}


def test_somebody_signs_in_and_out(at: dict[str, str]) -> None:
    with Terminal("sign-in", **at) as terminal:
        terminal.until("badge: ")
        terminal.type(f"{badge_of('supervisor')}\n")
        terminal.until("PIN: ")
        terminal.type(f"{PIN}\n")
        assert terminal.end() == 0, terminal.text
        assert "signed in: supervisor simulated supervisor" in terminal.text
        assert PIN not in terminal.raw
    assert felt("key", "no-more-bets", **at).returncode in (0, 1)
    assert felt("sign-out", **at).returncode == 0


def test_a_wrong_pin_is_not_shown_either(at: dict[str, str]) -> None:
    with Terminal("sign-in", "--badge", badge_of("dealer"), **at) as terminal:
        terminal.until("PIN: ")
        terminal.type("90817\n")
        assert terminal.end() == 1
        assert "sign-in.wrong: " in terminal.text and "90817" not in terminal.raw


@pytest.mark.parametrize(
    ("words", "question"), [(("sign-in",), "badge: "), (("config", "init", "new.toml"), "Game [casino-war]: ")]
)
def test_ctrl_c_ends_a_question(words: tuple[str, ...], question: str, at: dict[str, str], tmp_path: Path) -> None:
    with Terminal(*words, **at) as terminal:
        terminal.until(question)
        while terminal.process.poll() is None:  # whoever is not heard presses once more
            terminal.interrupt()
            heard = time.monotonic() + 3
            while terminal.process.poll() is None and time.monotonic() < heard:
                time.sleep(0.02)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.text
    assert not Path("new.toml").exists()


def test_the_monitor_fills_a_window_that_changes(at: dict[str, str]) -> None:
    with Terminal("monitor", **at) as terminal:
        terminal.until("casino-war")
        for rows, columns in ((40, 120), (24, 80)):
            terminal.raw = ""
            terminal.resize(rows, columns)
            terminal.until(f"\x1b[{rows};1H")  # its last line is drawn
        terminal.type("q")
        assert terminal.end() == 0


# ---- bash


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[int]:
    """A bash that somebody types at, with the completion that was installed for them; its terminal."""
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    installed = felt("completion", "install", "bash", HOME=str(tmp_path), XDG_DATA_HOME="")
    assert installed.returncode == 0, installed.stderr
    file = next((tmp_path / ".local").rglob("felt"))
    (tmp_path / ".bashrc").write_text(f"PS1='$ '\nbind 'set bell-style none'\nsource {file}\n")
    ours, theirs = pty.openpty()
    env = {**os.environ, "HOME": str(tmp_path), "TERM": "dumb"}
    env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    process = subprocess.Popen(["bash", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=tmp_path)
    os.close(theirs)
    yield ours
    process.kill()
    process.wait(PATIENCE)
    os.close(ours)


def test_bash_completes_what_is_typed(shell: int) -> None:
    seen = ""

    def until(words: str) -> None:
        nonlocal seen
        deadline = time.monotonic() + PATIENCE
        while words not in seen:
            assert time.monotonic() < deadline, seen
            if select.select([shell], [], [], 0.2)[0]:
                seen += os.read(shell, 65536).decode()

    until("$ ")
    steps = (("felt jour\t", "felt journal "), ("ex\t", "felt journal export "), ("--si\t", "--since "))
    for typed, completed in steps:
        os.write(shell, typed.encode())
        until(completed)
