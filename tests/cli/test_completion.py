"""felt completion: shells complete what is typed, and the file stands where they look."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.completion import SHELLS
from tests.cli.conftest import felt


@pytest.mark.parametrize("shell", SHELLS)
def test_installed_for_one_person(shell: str, tmp_path: Path) -> None:
    said = felt("completion", "install", "--json", HOME=str(tmp_path), SHELL=f"/usr/bin/{shell}", XDG_DATA_HOME="")
    answer = json.loads(said.stdout)
    file = Path(answer["file"])
    assert answer["shell"] == shell and file.is_relative_to(tmp_path)
    assert file.read_text() == felt("completion", "show", shell).stdout
    assert "_FELT_COMPLETE" in file.read_text() and answer["next_step"]


def test_a_shell_that_nobody_knows() -> None:
    said = felt("completion", "show", SHELL="/bin/csh")
    assert said.returncode == 1 and said.stderr.startswith("completion.shell: csh ")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("felt jour", {"journal"}), ("felt journal ex", {"export"}), ("felt report --si", {"--since"})],
)
def test_bash_completes(typed: str, wanted: set[str], tmp_path: Path) -> None:
    source = tmp_path / "felt.bash"
    source.write_text(felt("completion", "show", "bash").stdout)
    words = typed.split()
    script = (
        f"source {source}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; "
        '_felt_completion felt; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=50, check=False, env=env)
    assert set(done.stdout.split()) == wanted, done.stderr
