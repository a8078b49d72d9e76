"""A tester's own repository: his pytest plays his scripts with nothing but the command `felt`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, FELT, environment

SUITE = EXAMPLES / "testers_suite"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Returns a copy of the suite, with a `felt` of this checkout on the path."""
    repository = shutil.copytree(SUITE, tmp_path / "ours", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    felt = tmp_path / "bin" / "felt"
    felt.parent.mkdir()
    felt.write_text(f"#!{sys.executable}\n{FELT}\n")
    felt.chmod(0o755)
    return repository


def tried(repository: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(repository.parent / "bin"), os.environ["PATH"]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(repository)]
    return subprocess.run(
        command,
        cwd=repository,
        env={**environment(repository), "PATH": path},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_the_suite_passes_and_fails_as_it_should(repository: Path) -> None:
    script = repository / "casino_war.felt"
    wrong = script.read_text().replace("expect 1 war win 10\n", "expect 1 war win 11\n", 1)
    (repository / "wrong.felt").write_text(wrong.partition("case a war")[0])
    (repository / "unread.felt").write_text("table casino-war\nbett 1\n")
    done = tried(repository)
    assert done.returncode == 1
    assert "test_what_the_script_expects[wrong: a quiet round]" in done.stdout
    assert "test_what_the_script_expects[unread: the whole script]" in done.stdout
    assert "2 failed, 15 passed" in done.stdout
