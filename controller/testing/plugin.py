"""What pytest gets with `--felt`: a test for each run of a `.felt` file, and the fixtures floor, table and devices."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog

from controller.script.files import Complaint, read_script
from controller.script.model import Run
from controller.script.play import NOBODY, Played, Spectator, play
from controller.script.report import to_text
from controller.script.strict import unexpected_refusals
from controller.testing.table import ScriptedDevices, ScriptedFloor, ScriptedTable

SUFFIX = ".felt"
MARKER = "table(game, **options): which game the fixture `table` plays, as in @pytest.mark.table('casino-war', min=10)"


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line("markers", MARKER)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScriptFile | None:
    """Takes `.felt` files for scripts."""
    if file_path.suffix != SUFFIX:
        return None
    file: ScriptFile = ScriptFile.from_parent(parent, path=file_path)
    return file


def pytest_collection_finish() -> None:
    """Keeps what was collected out of the garbage collector's way: tables are made and thrown away by the thousand."""
    gc.collect()
    gc.freeze()


class ScriptFailed(Exception):
    """A run did not go as its script expects; its text says where, and what was there instead."""


class ScriptFile(pytest.File):
    """A script: a test for each of its runs, or one that fails when it is malformed."""

    def collect(self) -> Iterator[pytest.Item]:
        name = self.nodeid
        script = read_script(name, self.path.read_bytes())
        if isinstance(script, Complaint):
            yield MalformedItem.from_parent(self, name="malformed", wrong=script)
            return
        for run in script.runs:
            yield ScriptItem.from_parent(self, name=run.case or self.path.stem, script=name, run=run)


class ScriptItem(pytest.Item):
    """One run of a script."""

    def __init__(self, *, script: str, run: Run, **rest: Any) -> None:
        super().__init__(**rest)
        self._script = script
        self._run = run
        self.spectator: Spectator = NOBODY  # a suite may set another one
        self.played: Played | None = None  # once it was run, for the hooks of a suite

    def runtest(self) -> None:
        """Plays the run."""
        with quiet_log():
            played = self.played = play(self._script, self._run, self.spectator)
        if self.config.getoption("felt_strict") or self.config.getini("felt_strict"):
            played.failed = sorted([*played.failed, *unexpected_refusals(played)], key=lambda failure: failure.line)
        if played.failed:
            raise ScriptFailed(failure_text(played))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Returns where its case begins."""
        return self.path, self._run.line - 1, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Tells a failure without the Python behind it."""
        if isinstance(excinfo.value, ScriptFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest)


class MalformedItem(pytest.Item):
    """A script that cannot be played."""

    def __init__(self, *, wrong: Complaint, **rest: Any) -> None:
        super().__init__(**rest)
        self._wrong = wrong

    def runtest(self) -> None:
        """Fails with every mistake of the script."""
        raise ScriptFailed("\n".join(self._wrong.with_places()))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Returns where the first mistake is."""
        return self.path, max(self._wrong.line - 1, 0), self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Tells the mistakes without the Python behind them."""
        if isinstance(excinfo.value, ScriptFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest)


def failure_text(played: Played) -> str:
    """Returns where a run failed, what was expected and what was there, then the whole story."""
    lines: list[str] = []
    for failure in played.failed:
        lines += [f"{played.script}:{failure.line}: {failure.what}", f"  NOT SO: {failure.instead}"]
    return "\n".join([*lines, "", *to_text(played)])


@contextmanager
def quiet_log() -> Iterator[None]:
    """Leaves out what the daemon would log: the story of a run is its report."""
    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    try:
        yield
    finally:
        structlog.configure(**before)


@pytest.fixture
def floor(request: pytest.FixtureRequest) -> Iterator[ScriptedFloor]:
    """Yields a floor of simulated tables; `floor.table("casino-war", "T1", min=10)` starts one."""
    with quiet_log():
        floor = ScriptedFloor(request.node.name)
        yield floor
        floor.close()


@pytest.fixture
def table(request: pytest.FixtureRequest, floor: ScriptedFloor) -> ScriptedTable:
    """Returns a simulated table; which game it is, the marker `table` says, or the parameter of an indirect one."""
    if hasattr(request, "param"):
        game, *options = str(request.param).split()
        return floor.table(game, **dict(option.split("=", 1) for option in options))
    marker = request.node.get_closest_marker("table")
    if marker is None or not marker.args:
        pytest.fail('say which game: @pytest.mark.table("casino-war")', pytrace=False)
    return floor.table(*marker.args, **marker.kwargs)


@pytest.fixture
def devices(table: ScriptedTable) -> ScriptedDevices:
    """Returns the devices of the table by name."""
    return table.devices
