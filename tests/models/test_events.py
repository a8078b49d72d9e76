"""Spin tries every order of events, losses, refused commits, power cuts and old copies in the model of docs/models."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).parents[2] / "docs" / "models" / "events.pml"
COMPILER = shutil.which("cc") or shutil.which("gcc")
DEPTH = "1000000"

pytestmark = pytest.mark.skipif(
    shutil.which("spin") is None or COMPILER is None,
    reason="this machine has no spin, or no C compiler (install the packages spin and gcc)",
)


def errors(folder: Path, claim: str, *switches: str) -> int:
    """Returns how many ways spin finds in which the claim does not hold: it stops at the first."""
    assert COMPILER is not None
    lives = claim == "all_arrive"
    defined = [f"-D{switch}" for switch in (*switches, *(["LIVE"] if lives else []))]
    _run(folder, "spin", *defined, "-a", str(MODEL))
    _run(folder, COMPILER, "-O2", *([] if lives else ["-DSAFETY"]), "-o", "pan", "pan.c")
    told = _run(folder, "./pan", *(["-a", "-f"] if lives else []), f"-m{DEPTH}", "-N", claim)
    assert "max search depth too small" not in told
    assert "out of memory" not in told
    counted = re.search(r"errors: (\d+)", told)
    assert counted is not None, told
    return int(counted[1])


def _run(folder: Path, *command: str) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_nothing_that_a_device_lets_go_of_is_lost_unseen(tmp_path: Path) -> None:
    assert errors(tmp_path, "never_lost") == 0


def test_all_arrives_when_the_faults_are_over(tmp_path: Path) -> None:
    assert errors(tmp_path, "all_arrive") == 0


@pytest.mark.parametrize("wrong", ["CUMULATIVE", "BLIND"])
def test_a_protocol_that_loses_events_is_found(wrong: str, tmp_path: Path) -> None:
    assert errors(tmp_path, "never_lost", wrong) == 1
