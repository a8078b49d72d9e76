"""Whatever becomes of a test that starts daemons, none of them is left behind."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.system.test_kill import Victim, configuration, process, wait_until


def forget(spawner: subprocess.Popen[str]) -> None:
    """Ends as a test does that kills nobody, while the spawner waits for the old daemon and shall start a new one."""
    assert spawner.stdin is not None and spawner.stdout is not None
    spawner.stdin.write("start\n")
    spawner.stdin.close()
    assert int(spawner.stdout.read())  # all that it says before it ends: the new one


def runs(pid: int) -> bool:
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())  # of one that only waits to be reaped it is empty
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("end", [forget, subprocess.Popen.kill])
def test_a_daemon_ends_with_its_spawner(tmp_path: Path, end: Callable[[subprocess.Popen[str]], None]) -> None:
    spawner_file = str(Path(__file__).with_name("spawner.py"))
    with process(spawner_file, str(configuration(tmp_path)), str(tmp_path / "log")) as spawner:
        assert spawner.stdout is not None and spawner.stdout.readline() == "ready\n"
        victim = Victim(spawner)
        victim.start()
        assert runs(victim.pid)
        end(spawner)
        wait_until(lambda: not runs(victim.pid))
    assert spawner.returncode == (0 if end is forget else -9)
