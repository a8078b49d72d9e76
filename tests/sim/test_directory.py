"""The directory of a simulated table: removed at its end, or by the next table when its process was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from controller.sim.directory import PREFIX, own_directory
from tests.firmware_bridge.listener import nothing_leaks

HOLDS_ONE = """
import sys
from controller.sim.directory import own_directory
with own_directory(sys.argv[1]) as path:
    (path / "file").write_text("x")
    print(path, flush=True)
    sys.stdin.read()
"""


def directories(parent: Path) -> list[Path]:
    return sorted(parent.glob(PREFIX + "*"))


def test_it_is_gone_at_the_end(tmp_path: Path) -> None:
    with nothing_leaks(), own_directory(str(tmp_path)) as path:
        assert directories(tmp_path) == [path]
    assert directories(tmp_path) == []


def test_what_a_killed_process_left_is_removed_and_what_a_running_one_has_is_not(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS_ONE, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().strip())
        with own_directory(str(tmp_path)) as path:
            assert directories(tmp_path) == sorted([path, theirs])
        process.kill()
    assert directories(tmp_path) == [theirs]
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path)  # somebody else's: not followed
    with own_directory(str(tmp_path)) as path:
        assert not theirs.exists() and path.exists() and tmp_path.exists()
