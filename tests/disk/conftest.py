"""A process whose disk is watched and fails on request, and how much of all that could happen is tried."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.disk import shim

ROOT: Final = Path(__file__).resolve().parents[2]
TIMES: Final = int(os.environ.get("FELT_DISK", "1"))  # FELT_DISK=50: a search fifty times as long


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Prints what a long search has tried."""
    if TIMES > 1:
        with capsys.disabled():
            print(f"\n{text}")


class Ran(NamedTuple):
    """What became of one run."""

    calls: int  # that changed something, or would have
    promised: int
    refused: list[str]  # codes
    crash: str  # what nobody expected


class Runner:
    """Runs the programs of `tests/disk/programs.py` on a watched disk."""

    def __init__(self, library: Path) -> None:
        environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "tests.disk.programs"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )

    def run(
        self,
        program: str,
        folder: Path,
        log: Path | None = None,
        nth: int = 0,
        failure: int = 0,
        *,
        lasts: bool = False,
    ) -> Ran:
        """Runs a program in an empty folder; its `nth` change of the disk fails, or all from it on."""
        folder.mkdir()
        job = {
            "program": program,
            "folder": str(folder),
            "log": "" if log is None else str(log),
            "nth": nth,
            "failure": failure,
            "lasts": lasts,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return Ran(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there can be one: what is tried here needs no disk of its own, and takes many syncs."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="felt-disk-", dir=shared if shared.is_dir() else tmp_path) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled library."""
    if sys.platform != "linux" or shim.compiler() is None:
        pytest.skip("this machine has no C compiler (cc), which makes the disk that fails on request")
    return shim.build(tmp_path_factory.mktemp("shim"))


@pytest.fixture(scope="session")
def runner(library: Path) -> Iterator[Runner]:
    """The process in which programs run."""
    own = Runner(library)
    yield own
    own.close()
