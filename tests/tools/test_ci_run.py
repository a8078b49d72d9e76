"""What continuous integration runs fails when lint or a test fails, says which, and leaves nothing running."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / ".ci" / "run"
MAKEFILE = """\
install debian:
lint:
\t@echo words of lint; $(LINT)
test:
\t@echo words of the tests; $(TEST)
"""
PATIENCE = 60.0


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository whose lint and tests do what the environment says."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(RUN, tmp_path / ".ci" / "run")
    (tmp_path / "Makefile").write_text(MAKEFILE)
    python = tmp_path / ".venv" / "bin" / "python"  # what counts instructions and tries real kernels
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return tmp_path / ".ci" / "run"


@pytest.mark.parametrize(("lint", "test"), [("true", "true"), ("false", "true"), ("true", "false"), ("false", "false")])
def test_it_fails_when_either_fails(checkout: Path, lint: str, test: str) -> None:
    env = {**os.environ, "LINT": lint, "TEST": test}
    done = subprocess.run([checkout], env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == (0 if lint == test == "true" else 1)
    assert "words of lint" in done.stdout and "words of the tests" in done.stdout
    result = {"true": "passed", "false": "FAILED"}
    assert done.stdout.splitlines()[-2].startswith(f"==> make test: {result[test]}, make lint: {result[lint]}, ")


def test_ctrl_c_ends_both(checkout: Path, tmp_path: Path) -> None:
    """Even where a shell has told us to ignore it."""
    begun = {"LINT": tmp_path / "linting", "TEST": tmp_path / "testing"}
    env = os.environ | {name: f": > {path}; sleep 100" for name, path in begun.items()}
    default = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    until_all_ended, inherited = os.pipe()
    with subprocess.Popen([checkout], env=env, start_new_session=True, preexec_fn=default, pass_fds=[inherited]) as run:
        os.close(inherited)
        deadline = time.monotonic() + PATIENCE
        while not all(path.exists() for path in begun.values()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        while run.poll() is None:
            assert time.monotonic() < deadline
            os.killpg(run.pid, signal.SIGINT)  # again and again: a shell does not hear it between two commands
            time.sleep(0.1)
        assert run.returncode == 130
    assert select.select([until_all_ended], [], [], PATIENCE)[0]
    os.close(until_all_ended)
