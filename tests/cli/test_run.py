"""felt run as a person calls it: folders, patterns, several processes, selections, XML, times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from controller.cli.runner.select import BadExpression, selection
from tests.cli.conftest import felt

GOOD = "table casino-war\nbet 1 war=10\nkey no-more-bets\ndraw Kh 2c\nkey settle\nexpect 1 war win 10\n"
WRONG = GOOD.replace("win 10", "lose -10")
CASES = """\
table casino-war
bet 1 war=10
key no-more-bets
case the player wins
draw Kh 2c
key settle
expect 1 war win 10
case the dealer wins
draw 2c Kh
key settle
expect 1 war lose -10
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with scripts, beside files that are none."""
    for name, text in {
        "b/second.felt": CASES,
        "a.felt": GOOD,
        "c.felt": WRONG,
        "b/first.felt": GOOD,
        ".hidden/not.felt": "foo",
        "notes.txt": "foo",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def told(*words: str) -> list[tuple[str, str | None, bool]]:
    """Returns script, case and verdict of each run."""
    lines = [json.loads(line) for line in felt("run", "--json", *words).stdout.splitlines()]
    return [(Path(run["script"]).name, run.get("case"), run["ok"]) for run in lines]


ALL = [
    ("a.felt", None, True),
    ("first.felt", None, True),
    ("second.felt", "the player wins", True),
    ("second.felt", "the dealer wins", True),
    ("c.felt", None, False),
]


def test_a_folder_is_every_script_below_it_in_order(folder: Path) -> None:
    assert told(str(folder)) == ALL
    assert felt("run", str(folder)).returncode == 1


def test_a_pattern_that_no_shell_expanded(folder: Path) -> None:
    assert told(f"{folder}/**/*t.felt") == ALL[1:2]
    assert told(f"{folder}/**") == ALL
    assert told(f"{folder}/?.felt") == [ALL[0], ALL[4]]


def test_what_is_not_there_is_malformed_and_the_rest_is_played(folder: Path) -> None:
    (folder / "empty").mkdir()
    done = felt("run", f"{folder}/x*.felt", f"{folder}/empty", f"{folder}/none.felt", f"{folder}/a.felt")
    assert done.returncode == 2
    assert "no file fits this pattern" in done.stderr
    assert "there is no .felt file in this folder" in done.stderr
    assert f"{folder}/none.felt: cannot be read: No such file or directory" in done.stderr
    assert ":0:" not in done.stderr and ":1:" not in done.stderr
    assert done.stdout.startswith("ok ")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_standard_input(jobs: str) -> None:
    done = piped(CASES.encode(), "-j", jobs, "--json")
    assert [(json.loads(line)["script"], json.loads(line)["ok"]) for line in done.splitlines()] == [("-", True)] * 2


def piped(text: bytes, *options: str) -> str:
    command = [sys.executable, "-c", "from controller.cli.main import main; main()", "run", *options, "-"]
    return subprocess.run(command, input=text, capture_output=True, timeout=60, check=False).stdout.decode()


@pytest.mark.parametrize("options", [["--json"], [], ["-q"]])
def test_several_processes_tell_the_same_in_the_same_order(folder: Path, options: list[str]) -> None:
    (folder / "bad.felt").write_text("foo\n")
    alone, together = felt("run", str(folder), *options), felt("run", str(folder), *options, "-j", "3")
    assert together.stdout == alone.stdout and together.stderr == alone.stderr
    assert together.returncode == alone.returncode == 2


def test_as_many_processes_as_there_are_cores(folder: Path) -> None:
    assert told(str(folder), "-j", "auto") == ALL
    assert "not a number of processes" in felt("run", str(folder), "-j", "many").stderr
    assert felt("run", str(folder), "-j", "0").returncode == 2


DYING = """
import os, sys
from controller.script import files
play = files.play
files.play = lambda name, run: os.kill(os.getpid(), 9) if run.case == "the player wins" else play(name, run)
from controller.cli.main import main
sys.argv[0] = "felt"
main()
"""


def test_a_process_that_dies_ends_one_run(folder: Path) -> None:
    command = [sys.executable, "-c", DYING, "run", "-j", "2", str(folder)]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=60, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [run["ok"] for run in lines] == [True, True, False, True, False]
    assert lines[2]["error"] == {"line": 0, "message": "the process that played it ended: SIGKILL"}
    assert done.returncode == 1
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "second.felt: case the player wins: the process that played it ended: SIGKILL" in done.stderr
    assert "3 of 4 runs hold, 1 not played" in done.stdout


def test_every_mistake_of_a_script_is_told_to_people(tmp_path: Path) -> None:
    path = tmp_path / "bad.felt"
    path.write_text("table casino-war\nbett 1\nseat 1\ndraw 10h\n")
    done = felt("run", str(path))
    first, second, step = done.stderr.splitlines()
    assert first.startswith(f'{path}:2: unknown verb "bett"') and second.startswith(f'{path}:4: "10h" is not a card')
    assert step.startswith("  -> script.malformed: ")
    (line,) = felt("run", "--json", str(path)).stdout.splitlines()
    assert json.loads(line)["error"].keys() == {"line", "message"} and json.loads(line)["error"]["line"] == 2


def test_only_the_runs_with_these_words_in_their_names(folder: Path) -> None:
    assert told(str(folder), "-k", "PLAYER or a.felt") == [ALL[0], ALL[2]]
    assert told(str(folder), "-k", "'wins' and not \"the dealer\"") == [ALL[2]]
    assert "1 of 1 runs hold, 4 left out" in felt("run", "-q", str(folder), "-k", "player").stdout
    done = felt("run", str(folder), "-k", "nobody")
    assert (done.returncode, done.stderr) == (2, "-k nobody: no run has such a name\n")
    done = felt("run", str(folder), "-k", "the dealer")
    assert done.returncode == 2 and '"dealer" needs "and" or "or" before it' in done.stderr


@pytest.mark.parametrize(
    ("text", "fits", "says"),
    [
        ("a or b and c", ["a", "bc"], ""),
        ("(a or b) and c", ["ac", "bc"], ""),
        ("not a and b", ["b"], ""),
        ("not (a or b)", ["c", "cd"], ""),
        ("'and' or a", ["and", "a"], ""),
        ("a and", [], "missing at the end"),
        ("and a", [], 'missing before "and"'),
        ("(a", [], '")" is missing'),
        ("a)", [], '")" needs'),
        ("'a", [], "not closed"),
    ],
)
def test_expressions_of_names(text: str, fits: list[str], says: str) -> None:
    if says:
        with pytest.raises(BadExpression) as caught:
            selection(text)
        assert says in str(caught.value)
    else:
        takes = selection(text)
        assert all(takes(name) for name in fits)
        assert not takes("x" if "not" not in text else "a")


def test_a_refusal_that_no_line_expects_fails_a_strict_run(tmp_path: Path) -> None:
    path = tmp_path / "a.felt"
    path.write_text("table casino-war\nkey settle\n")
    assert felt("run", str(path)).returncode == 0
    done = felt("run", "--strict", str(path))
    assert done.returncode == 1
    assert "NOT SO: refused" in done.stdout and "; no line expects that" in done.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_two_cases_of_one_title_are_played_and_told_of(tmp_path: Path, jobs: str) -> None:
    path, other = tmp_path / "twice.felt", tmp_path / "other.felt"
    path.write_text("table casino-war\ncase one\nseat 1\ncase two\nseat 1\ncase  one # again\nseat 2\n")
    other.write_text("table casino-war\ncase one\nseat 1\n")
    done = felt("run", "-j", jobs, "--json", str(path), str(other))
    assert done.stderr == f"{path}:6: this case is called as that of line 2\n"
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 4


def test_where_a_file_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "latin.felt"
    path.write_bytes("table casino-war\n# f\xfcr area 1\n".encode("latin-1"))
    assert f"{path}:2: this is not UTF-8 text" in felt("run", str(path)).stderr


def test_what_cannot_be_read_has_no_line_for_a_build_server(tmp_path: Path) -> None:
    xml = tmp_path / "results.xml"
    felt("run", "-q", str(tmp_path / "none.felt"), "--junit", str(xml))
    [case] = Xml.parse(xml).getroot().iter("testcase")
    error = case.find("error")
    assert error is not None and error.get("message", "").startswith("malformed: cannot be read: ")
    assert case.get("line") is None and (error.text or "").startswith(f"{tmp_path}/none.felt: cannot be read")


def test_results_for_a_build_server(folder: Path) -> None:
    (folder / "bad.felt").write_text("foo\nbar\n")
    (folder / "odd.felt").write_text("table casino-war\ncase \x01 bell\nexpect 1 war win 1\n")
    xml = folder / "made" / "results.xml"
    felt("run", "-q", "-j", "2", str(folder), "--junit", str(xml))
    root = Xml.parse(xml).getroot()
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "7",
        "failures": "2",
        "errors": "1",
    }
    assert [Path(suite.get("name", "")).name for suite in root] == [
        "a.felt",
        "first.felt",
        "second.felt",
        "bad.felt",
        "c.felt",
        "odd.felt",
    ]
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert float(cases["the player wins"].get("time", "0")) > 0
    failure = cases["c"].find("failure")
    assert failure is not None and "line 6: expect 1 war lose -10: win by 5.7.1" in failure.get("message", "")
    error = cases["bad"].find("error")
    assert error is not None and error.get("type") == "script.malformed"
    assert "? bell" in cases


def test_xml_that_cannot_be_written_is_said_before_anything_is_played(folder: Path) -> None:
    done = felt("run", str(folder), "--junit", str(folder / "a.felt" / "x.xml"))
    assert done.returncode == 2 and done.stdout == "" and "--junit" in done.stderr


def test_xml_without_a_name_is_refused_before_anything_is_played(folder: Path) -> None:
    done = felt("run", str(folder), "--junit", "")
    assert done.returncode == 2 and done.stdout == "" and "--junit: this names no file" in done.stderr


def test_the_runs_that_took_longest(folder: Path) -> None:
    done = felt("run", "-q", str(folder), "--durations", "2")
    lines = done.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("slowest 2 of 5 runs"))
    times = [float(line.split()[0]) for line in lines[at + 1 :]]
    assert len(times) == 2 and times == sorted(times, reverse=True)
    done = felt("run", "--json", str(folder), "--durations", "2")
    assert "slowest" in done.stderr and len(done.stdout.splitlines()) == 5


def test_what_failed_is_listed_at_the_end_with_file_and_line(folder: Path) -> None:
    last = felt("run", str(folder)).stdout.splitlines()[-3:]
    assert last[0] == "failed:"
    assert last[1].startswith(f"  {folder}/c.felt:6: expect 1 war lose -10: win by 5.7.1")
    assert last[2] == "4 of 5 runs hold"


def test_hands_have_names_once_they_are_shown_and_folded_ones_have_none(tmp_path: Path) -> None:
    path = tmp_path / "holdem.felt"
    path.write_text(
        "table holdem blinds=5,10\nseat 1-3 stack=500\nact 1 post 5\nact 2 post 10\ndraw As Kd 2h Ac Kh 2s\n"
        "act 3 fold\nact 1 call\nact 2 check\nkey burn\ndraw 2c 7d 9h\nact 1 check\nact 2 check\nkey burn\ndraw 3c\n"
        "act 1 check\nact 2 check\nkey burn\ndraw 4d\nact 1 check\nact 2 check\nkey settle\n"
    )
    lines = [line.split() for line in felt("run", str(path)).stdout.splitlines() if line.startswith("    seat ")]
    assert " ".join(lines[0][5:]) == "pair of aces, nine kicker"
    assert lines[1][5:8] == ["pair", "of", "kings,"]
    assert lines[2] == ["seat", "3", "??", "??", "0.00"]


def test_the_table_of_an_unwritable_pipe_ends_quietly(folder: Path) -> None:
    command = f"{sys.executable} -c 'from controller.cli.main import main; main()' run -j 2 {folder} {folder} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "" and done.stdout.startswith("ok ")
    assert os.path.basename(done.stdout.split()[1]) == "a.felt"  # noqa: PTH119
