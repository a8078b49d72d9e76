"""A command whose output has nowhere to go ends with a status of its own, without a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.output import written
from controller.table.facts import Badge
from controller.views.fact_text import tell
from tests.forking import run

MAIN = "from controller.cli.main import main; main()"
SCRIPT = """table casino-war
bet 1 war=10
key no-more-bets
draw Kh 9s
key settle
"""


def felt(*arguments: str, stdout: int) -> tuple[int, str]:
    """Runs the command with this output; returns its status and what it says beside it."""
    done = run("felt", *arguments, stdout=stdout, timeout=50, env=os.environ)
    return done.returncode, done.stderr


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "war.felt"
    path.write_text(SCRIPT)
    return str(path)


@pytest.mark.parametrize("command", ["--help", "run"])
def test_a_reader_who_has_gone_ends_a_command_quietly(command: str, script: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        assert felt(*([command, script] if command == "run" else [command]), stdout=write) == (141, "")
    finally:
        os.close(write)


@pytest.mark.parametrize("command", ["--help", "run"])
def test_a_closed_output_is_no_defect(command: str, script: str) -> None:
    words = [command, script] if command == "run" else [command]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", MAIN, *words],
        stderr=subprocess.PIPE,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["--help", "run"])
def test_output_that_cannot_be_written_is_named(command: str, script: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        status, complaint = felt(*([command, script] if command == "run" else [command]), stdout=full)
    finally:
        os.close(full)
    assert status == 74
    assert complaint == "felt: the output cannot be written: No space left on device\n"


def test_words_of_others_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with written():
        print("area 1\x1b[2J\tA\nB\x07\u202e")
    assert capsys.readouterr().out == "area 1\\x1b[2J\tA\nB\\x07\\u202e\n"


def test_a_fact_is_one_line_whoever_signed_in() -> None:
    assert tell(Badge("supervisor", "A\nround 9 is void")) == "signed in: supervisor A\\x0around 9 is void"
