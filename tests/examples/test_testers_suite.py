"""A tester's own repository: his pytest plays his scripts and his tables by the plugin that comes with feltd.

So its README.md says.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, environment

SUITE = EXAMPLES / "testers_suite"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Returns a copy of the suite."""
    return shutil.copytree(SUITE, tmp_path / "ours", ignore=shutil.ignore_patterns("__pycache__", ".*"))


def tried(repository: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rf", str(repository)]
    return subprocess.run(
        command, cwd=repository, env=environment(repository), capture_output=True, text=True, timeout=50, check=False
    )


def test_the_suite_passes_and_fails_as_it_should(repository: Path) -> None:
    script = repository / "casino_war.felt"
    wrong = script.read_text().replace("expect 1 war win 10\n", "expect 1 war win 11\n", 1)
    (repository / "wrong.felt").write_text(wrong.partition("case a war")[0])
    (repository / "unread.felt").write_text("table casino-war\nbett 1\n")
    done = tried(repository)
    assert done.returncode == 1
    assert "FAILED wrong.felt::a quiet round" in done.stdout
    assert "FAILED unread.felt::malformed" in done.stdout
    assert "2 failed, 10 passed" in done.stdout
