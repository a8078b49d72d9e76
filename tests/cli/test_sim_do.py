"""felt sim do: one deed at a table that runs in another terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import felt

PATIENCE = 40.0
MAIN = "from controller.cli.main import main; main()"


class RunningTable:
    """A simulated table that deals nothing by itself."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._out = directory / "out.txt"
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", MAIN, "sim", "--rounds", "0", "--serve"],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "XDG_RUNTIME_DIR": str(directory), "TMPDIR": str(directory)},
            )
        self.until("goes on serving")

    def until(self, words: str) -> str:
        """Returns what it has said, once these words are there."""
        ends = time.monotonic() + PATIENCE
        while words not in (said := self._out.read_text()):
            assert time.monotonic() < ends and self.process.poll() is None, said
            time.sleep(0.05)
        return said

    @property
    def control(self) -> str:
        line = next(line for line in self._out.read_text().splitlines() if line.startswith("devices can be played at"))
        return line.split()[-1]

    def do(self, *words: str) -> subprocess.CompletedProcess[str]:
        return felt("sim", "do", *words, XDG_RUNTIME_DIR=str(self.directory), TMPDIR=str(self.directory))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    table = RunningTable(tmp_path_factory.mktemp("run"))
    yield table
    table.close()


def test_a_whole_round_is_played_by_hand(running: RunningTable) -> None:
    for words, says in (
        ("sensor.1 bet war=10 tie=5", "sensor.1 bet: done\n"),
        ("console press no-more-bets", "console press: done\n"),
        ("shoe draw Kh 2c", "shoe draw: done\n"),
        ("console press settle", "console press: done\n"),
    ):
        done = running.do(*words.split())
        assert (done.stdout, done.stderr, done.returncode) == (says, "", 0)
        time.sleep(0.3)  # as a person does one thing after the other
    said = running.until("round 1: settled")
    assert "war 10 win +10" in said and "tie 5 lose -5" in said


def test_a_device_fails_and_is_mended(running: RunningTable) -> None:
    assert running.do("shoe", "fault", "jam").returncode == 0
    running.until("shoe.jam")
    done = running.do("--json", "shoe", "clear")
    assert json.loads(done.stdout) == {"control": running.control, "device": "shoe", "deed": "clear", "done": True}


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("sho draw Kh", "no device 'sho'; there are: shoe"),
        ("shoe drow Kh", "no deed of a shoe 'drow'; there are: draw"),
        ("shoe draw 10h", "no card '10h'"),
        ("shoe draw", "draw: the card is missing, as in `draw Kh`"),
        ("console press", "press: the key is missing, as in `press no-more-bets`"),
        ("shoe fault misread", "misread: the card is missing, as in `misread Kh`"),
        ("shoe fault jam now", "jam takes no words behind it, not 1"),
        ("shoe fault", "fault: say which"),
        ("shoe fault jem", "no fault of shoe 'jem'"),
        ("sensor.1 bet", "say what lies where"),
        ("sensor.1 bet war", "'war' is not SPOT=AMOUNT"),
        ("sensor.1 bet war=ten", "'ten' is not an amount in dollars"),
        ("sensor.1 bet war=-5", "'-5' is not an amount in dollars"),
        ("sensor.1 bet war=10 ante=10", "no spot of this table 'ante'; there are: war, tie, go-to-war"),
        ("sensor.1 bet ante.2=10", "no spot of this table 'ante'"),
        ("sensor.1 lift wr", "no spot of this table 'wr'"),
        ("sensor.1 fault unknown-chip ante", "no spot of this table 'ante'"),
        ("console press no-more-bet", "no key of this table 'no-more-bet'; there are: "),
        ("console fault stuck-key setle", "no key of this table 'setle'"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(running: RunningTable, words: str, cause: str) -> None:
    done = running.do(*words.split())
    assert done.returncode == 1 and done.stdout == ""
    first, step = done.stderr.splitlines()
    assert first.startswith("simulator.refused: ") and cause in first
    assert step.startswith("  -> ")


def test_the_table_may_be_named(running: RunningTable, tmp_path: Path) -> None:
    elsewhere = {"XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    assert felt("sim", "do", "--control", running.control, "shoe", "clear", **elsewhere).returncode == 0
    done = felt("sim", "do", "shoe", "clear", **elsewhere)
    assert done.returncode == 1 and done.stderr.startswith("sim.nobody: no simulated table runs here")
    done = felt("sim", "do", "--json", "--control", str(tmp_path / "x"), "shoe", "clear", **elsewhere)
    assert json.loads(done.stdout)["error"]["code"] == "sim.nobody"


def test_the_socket_of_the_api_is_no_control_channel(running: RunningTable) -> None:
    line = next(line for line in running.until("feltd.sock").splitlines() if "feltd.sock" in line)
    socket = next(word for word in line.replace("=", " ").split() if word.endswith("feltd.sock"))
    done = running.do("--control", socket, "shoe", "draw", "Kh")
    first, step = done.stderr.splitlines()
    assert done.returncode == 1 and first.startswith(f"simulator.no-table: {socket}: ")
    assert "devices can be played at" in step


def test_of_several_tables_one_has_to_be_named(running: RunningTable, tmp_path: Path) -> None:
    for name in ("feltd-simulated-a", "feltd-simulated-b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "control.sock").symlink_to(running.control)
    (tmp_path / "feltd-simulated-c").mkdir()  # of a table that was killed
    (tmp_path / "feltd-simulated-c" / "control.sock").touch()
    done = felt("sim", "do", "shoe", "clear", XDG_RUNTIME_DIR=str(tmp_path), TMPDIR=str(tmp_path))
    assert done.returncode == 1 and done.stderr.startswith("sim.several: ")
    assert "feltd-simulated-a" in done.stderr and "feltd-simulated-c" not in done.stderr
    api = (Path(running.control).parent / "api.sock").readlink()
    running.until(str(api))  # as the terminal of the table names it
    (tmp_path / "feltd-simulated-b" / "api.sock").symlink_to(api)
    here = {"XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    done = felt("sim", "do", "--json", "shoe", "clear", **here, FELT_SOCKET=str(api))
    assert json.loads(done.stdout)["control"] == str(tmp_path / "feltd-simulated-b" / "control.sock")
    done = felt("sim", "do", "shoe", "clear", **here, FELT_SOCKET="/another.sock")
    assert done.stderr.startswith("sim.several: ") and f"(its daemon: {api})" in done.stderr


def test_what_stands_in_front_of_the_next_word_is_not_passed_over() -> None:
    for words in (("--seed", "7", "soak", "--rounds", "1"), ("--json", "do", "shoe", "draw", "Kh")):
        said = felt("sim", *words)
        assert said.returncode == 2 and f"{words[0]} in front of" in said.stdout + said.stderr
