"""Tests that failed are tried once more, alone, where that is asked for; what always fails, fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tools.again import MOST

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 150.0
ONCE: Final = """
from pathlib import Path

def test_upset():
    mark = Path(__file__).with_suffix(".mark")
    if not mark.exists():
        mark.touch()
        assert False, "the machine was busy"
"""
ALWAYS: Final = "def test_defect(): assert False, 'the code is wrong'\n"
SOUND: Final = "def test_sound(): pass\n"
ALONE: Final = """
import os

def test_upset():
    assert "PYTEST_XDIST_WORKER" not in os.environ, "others run beside it"
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of two stages, with our own Makefile, without anything to install."""
    tests = tmp_path / "tests" / "system"
    tests.mkdir(parents=True)
    (tests.parent / "test_sound.py").write_text(SOUND)
    (tests / "test_whole.py").write_text(SOUND)
    makefile = (ROOT / "Makefile").read_text()
    rule = next(part for part in makefile.split("\n\n") if part.startswith("test:"))
    choice = next(line for line in makefile.splitlines() if line.startswith("PYTEST "))
    lines = ["SHELL := /bin/bash", "WORKERS := 1", f"BIN := {Path(sys.executable).parent}", "say = @echo '==> $(1)'"]
    (tmp_path / "Makefile").write_text("\n".join([*lines, choice, "install debian:", rule, ""]))
    (tmp_path / "tools").mkdir()
    for name in ("__init__.py", "again.py"):
        shutil.copy(ROOT / "tools" / name, tmp_path / "tools" / name)
    options = 'addopts = ["--import-mode=importlib", "-p", "xdist"]'
    (tmp_path / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{options}\n")
    return tmp_path


def made(suite: Path, *words: str) -> tuple[int, str]:
    command = ["make", "test", *words]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # it starts sooner
    for ours in ("PYTEST_XDIST_WORKER", "MAKEFLAGS", "MAKEOVERRIDES", "AGAIN"):  # of the run that we are part of
        env.pop(ours, None)
    done = subprocess.run(command, cwd=suite, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_test_that_failed_once_passes_alone_and_is_named(suite: Path) -> None:
    (suite / "tests" / "test_once.py").write_text(ONCE)
    (suite / "tests" / "test_alone.py").write_text(ALONE)
    (suite / "tests" / "system" / "test_later.py").write_text(ONCE)
    code, output = made(suite, "AGAIN=1")
    assert code == 0, output
    for test in ("tests/test_alone.py::test_upset", "tests/test_once.py::test_upset"):
        assert f"==> failed at first, tried again alone: {test}" in output
        assert f"==> failed at first, passed alone: {test}" in output
    assert "failed twice" not in output
    second = output.partition("The whole daemon")[2]  # and so is one of the second stage
    assert "==> failed at first, passed alone: tests/system/test_later.py::test_upset" in second


def test_a_test_that_always_fails_fails(suite: Path) -> None:
    (suite / "tests" / "test_once.py").write_text(ONCE)
    (suite / "tests" / "test_defect.py").write_text(ALWAYS)
    code, output = made(suite, "AGAIN=1")
    assert code != 0
    assert "==> failed twice: tests/test_defect.py::test_defect" in output
    assert "The whole daemon" not in output


def test_without_the_word_nothing_is_tried_again(suite: Path) -> None:
    (suite / "tests" / "test_once.py").write_text(ONCE)
    code, output = made(suite)
    assert code != 0 and "1 failed" in output and "failed at first" not in output


def test_many_failures_are_no_accident(suite: Path) -> None:
    many = "".join(f"def test_{n}(): assert False\n" for n in range(MOST + 1))
    (suite / "tests" / "test_many.py").write_text(many)
    code, output = made(suite, "AGAIN=1")
    assert code != 0 and f"==> {MOST + 1} tests failed, more than {MOST}: none is tried again" in output
    assert "failed at first" not in output


def test_what_cannot_be_collected_fails_at_once(suite: Path) -> None:
    (suite / "tests" / "test_broken.py").write_text("import nothing_of_this_name\n")
    code, output = made(suite, "AGAIN=1")
    assert code != 0 and "passed alone" not in output


def test_continuous_integration_asks_for_it() -> None:
    assert "make test AGAIN=1" in (ROOT / ".ci" / "run").read_text()
