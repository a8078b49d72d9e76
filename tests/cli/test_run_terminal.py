"""felt run in a terminal: progress that comes and goes, Ctrl-C that tells what was played, scripts that are watched."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import felt
from tests.forking import Process

GOOD = "table casino-war\nplay 5 1-5\n"
PATIENCE = 50.0


class Terminal:
    """felt in a pseudo-terminal; its standard output may go elsewhere."""

    def __init__(self, *words: str, stdout: int | None = None) -> None:
        self._ours, theirs = pty.openpty()
        to = theirs if stdout is None else stdout
        self.process = Process("felt", *words, stdin=theirs, stdout=to, stderr=theirs, env=os.environ, session=True)
        os.close(theirs)
        self.seen = ""

    def until(self, there: Callable[[str], object]) -> str:
        """Reads until what is seen has this, or the command has ended."""
        ends = time.monotonic() + PATIENCE
        while not there(self.seen):
            assert time.monotonic() < ends, self.seen
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self._ours, 65536).decode()
                except OSError:  # it has ended
                    break
        return self.seen

    def stop(self) -> tuple[int, str]:
        """Presses Ctrl-C, which reaches the whole group, and returns how it ended and all that was seen."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.until(lambda _: False)
        return self.process.wait(PATIENCE), self.seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._ours)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def begin(*words: str, stdout: int | None = None) -> Terminal:
        opened.append(Terminal(*words, stdout=stdout))
        return opened[-1]

    yield begin
    for each in opened:
        each.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"{number:02}.felt").write_text(GOOD)
    return tmp_path


def test_progress_is_shown_and_taken_away(folder: Path, terminal: Callable[..., Terminal]) -> None:
    run = terminal("run", "-q", str(folder))
    seen = run.until(lambda _: False)
    assert re.search(r"\[#+\.+\] \d+ of 40 scripts", seen)
    assert seen.endswith("\r\x1b[K40 of 40 runs hold\r\n")
    assert run.process.wait(PATIENCE) == 0


def test_where_nobody_looks_there_is_no_progress(folder: Path) -> None:
    done = felt("run", "-q", str(folder))
    assert (done.returncode, done.stdout, done.stderr) == (0, "40 of 40 runs hold\n", "")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_tells_what_was_played(folder: Path, terminal: Callable[..., Terminal], jobs: str) -> None:
    for number in range(40, 400):
        (folder / f"{number}.felt").write_text(GOOD)
    run = terminal("run", str(folder), "-j", jobs, "--junit", str(folder / "x.xml"))
    run.until(lambda seen: seen.count("ok   ") > 3)
    status, seen = run.stop()
    assert status == 130
    played = re.search(r"(\d+) of (\d+) runs hold", seen)
    stopped = re.search(r"stopped: (\d+) of 400 scripts were played to their end", seen)
    assert played is not None and stopped is not None
    assert played[1] == played[2] == str(seen.count("ok   "))
    assert int(played[1]) - int(stopped[1]) in (0, 1)
    assert "Traceback" not in seen
    assert (folder / "x.xml").read_text().count("<testcase") == int(played[1])


@pytest.mark.parametrize("loaded", ["click", "controller.cli.run", "controller.cli.runner.one"])
def test_ctrl_c_while_it_loads_is_no_failure(folder: Path, loaded: str) -> None:
    code = f"""
import os, signal, sys
class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == "{loaded}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, CtrlC())
from controller.cli.main import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(folder)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_while_scripts_are_sought_leaves_whole_xml(tmp_path: Path, terminal: Callable[..., Terminal]) -> None:
    xml = tmp_path / "x.xml"
    run = terminal("run", "-", "--junit", str(xml))
    ends = time.monotonic() + PATIENCE
    while not xml.exists() and time.monotonic() < ends:
        time.sleep(0.02)
    time.sleep(0.5)  # it reads standard input, which has no end
    status, seen = run.stop()
    assert status == 130
    assert "stopped: no script was played yet" in seen and "Traceback" not in seen
    assert xml.read_text().startswith("<?xml")


def test_ctrl_c_leaves_whole_lines_of_json(folder: Path, tmp_path: Path, terminal: Callable[..., Terminal]) -> None:
    for number in range(40, 400):
        (folder / f"{number}.felt").write_text(GOOD)
    out = tmp_path / "out.jsonl"
    with out.open("wb") as file:
        run = terminal("run", "--json", "-j", "2", str(folder), stdout=file.fileno())
        ends = time.monotonic() + PATIENCE
        while out.read_bytes().count(b"\n") < 3 and time.monotonic() < ends:
            time.sleep(0.05)
        status, _ = run.stop()
    assert status == 130
    assert all(line.startswith("{") and line.endswith("}") for line in out.read_text().splitlines())


def test_watched_scripts_are_played_again_when_they_change(tmp_path: Path, terminal: Callable[..., Terminal]) -> None:
    (tmp_path / "a.felt").write_text("table casino-war\n")
    (tmp_path / "b.felt").write_text("table casino-war\n")
    run = terminal("run", "-q", "--watch", str(tmp_path))
    run.until(lambda seen: seen.count("watching 2 scripts") == 1)
    assert "2 of 2 runs hold" in run.seen
    (tmp_path / "b.felt").write_text("table casino-war\nexpect table closed\n")
    run.until(lambda seen: seen.count("watching 2 scripts") == 2)
    assert "b.felt" in run.seen and "0 of 1 runs hold" in run.seen
    (tmp_path / "c.felt").write_text("table casino-war\n")
    run.until(lambda seen: seen.count("watching 3 scripts") == 1)
    assert "1 of 1 runs hold" in run.seen
    status, seen = run.stop()
    assert status == 1  # b does not hold
    assert "Traceback" not in seen


def test_standard_input_cannot_be_watched(terminal: Callable[..., Terminal]) -> None:
    run = terminal("run", "--watch", "-")
    assert "standard input cannot be watched" in run.until(lambda _: False)
    assert run.process.wait(PATIENCE) == 2
