"""How a run of the machine goes, told without one: what is bounded, tried twice, kept, and when nothing is run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.vm import __main__ as vm_test
from tests.vm import bounded, checks, depends, install, pace, results
from tests.vm.channel import GuestError
from tests.vm.checks import Check
from tests.vm.images import Image
from tests.vm.releases import RELEASES
from tests.vm.results import FAILED, NOT_RUN, PASSED, Result
from tests.vm.run import Run, Wishes

IMAGE = Image(Path("disk"), Path("kernel"), Path("initrd"), "6.1")
HERE = Path("package.deb")


class FakeMachine:
    """A machine that is only on or off."""

    def __init__(self) -> None:
        self.image = IMAGE
        self.off = False

    def cut(self) -> None:
        self.off = True


@dataclass
class FakeBench:
    """What `checks.run` wants of a bench."""

    machine: Any
    release: Any = RELEASES[12]


@pytest.fixture(autouse=True)
def pace_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """This computer is as fast as usual, however much else it does."""
    monkeypatch.setattr(pace, "slowness", lambda: 1.0)


def result_of(act: Callable[[Any], str | None], *, bound: float = 60.0, left: float = 600.0) -> tuple[str, str]:
    bench: Any = FakeBench(FakeMachine())
    result = checks.run(Check("a check", act, bound), bench, left)
    return result.result, result.said


def until_off(bench: Any) -> None:
    while not bench.machine.off:
        time.sleep(0.001)
    raise GuestError("the machine is gone")


def failing(_: object) -> None:
    raise AssertionError("three of four")


def test_a_check_passes_or_fails() -> None:
    assert result_of(lambda _: "4 s") == (PASSED, "4 s")
    assert result_of(failing) == (FAILED, "three of four")


def test_a_check_that_takes_too_long_has_failed_and_one_that_the_run_cuts_off_has_not() -> None:
    assert result_of(until_off, bound=0.01) == (FAILED, "not done in 0 s")
    assert result_of(until_off, left=0.01) == (NOT_RUN, "the time was over")


def unforeseen(_: object) -> None:
    raise KeyError("buses")


def test_what_a_check_did_not_foresee_fails_it_alone() -> None:
    result, said = result_of(unforeseen)
    assert result == FAILED and said.startswith("KeyError: 'buses' (test_run.py:")


def test_nothing_fails_on_a_computer_that_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "slowness", lambda: pace.MOST + 1)
    assert result_of(failing) == (NOT_RUN, "this computer is 6 times slower than usual: three of four")
    assert result_of(lambda _: "4 s") == (PASSED, "4 s")


def test_how_slow_it_is_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(pace, "WORK", "import time; time.sleep(1.2)")
    assert pace.slowness() >= 1.2 / pace.USUAL
    monkeypatch.setattr(pace, "PATIENCE", 0.01)
    monkeypatch.setattr(pace, "WORK", "import time; time.sleep(600)")
    assert pace.slowness() < 600 / pace.USUAL


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What comes of each check the second time, by its name."""
    tried: dict[str, str] = {}

    def all_of(self: Run, made: Image, package: Path, chosen: list[Check], passed: object) -> list[Result]:
        return [Result(one.name, 12, made.version, tried[one.name], 1, "second") for one in chosen]

    monkeypatch.setattr(Run, "all", all_of)
    return tried


@pytest.mark.parametrize(
    ("came", "then", "said"),
    [
        (PASSED, PASSED, "alone; beside the others: first"),
        (FAILED, FAILED, "second"),
        (NOT_RUN, NOT_RUN, "failed (first), and could not be tried again: second"),
    ],
)
def test_what_failed_is_tried_again_alone(second: dict[str, str], came: str, then: str, said: str) -> None:
    def act(_: object) -> None:
        return None

    chosen = [Check("boot", act, 1, needed=True), Check("good", act, 1), Check("bad", act, 1)]
    first = [
        Result("boot", 12, "6.1", PASSED, 9),
        Result("good", 12, "6.1", PASSED, 9),
        Result("bad", 12, "6.1", FAILED, 9, "first"),
    ]
    second.update(boot=PASSED, bad=came)
    outcome = Run(RELEASES[12], Wishes()).again(IMAGE, HERE, chosen, first)
    assert outcome[:2] == first[:2]
    assert (outcome[2].result, outcome[2].said) == (then, said)


def test_nothing_is_tried_again_when_nothing_failed(second: dict[str, str]) -> None:
    first = [Result("boot", 12, "6.1", PASSED, 9), Result("late", 12, "6.1", NOT_RUN, 0, "the time was over")]
    assert Run(RELEASES[12], Wishes()).again(IMAGE, HERE, [], first) == first


def test_a_program_is_ended_with_all_that_it_started_when_the_time_is_over(tmp_path: Path) -> None:
    there = tmp_path / "there"
    script = f"trap 'rm {there}; exit' TERM; touch {there}; sleep 600 & wait"
    with pytest.raises(TimeoutError), bounded.Program(["sh", "-c", script]) as program:
        while not there.exists():
            time.sleep(0.001)
        program.wait(time.monotonic())
    assert not there.exists()


def test_a_program_that_fails_says_why() -> None:
    words = [sys.executable, "-c", "print('no mirror'); raise SystemExit(4)"]
    with pytest.raises(RuntimeError, match=r"ended with 4: no mirror"), bounded.Program(words) as program:
        program.wait(time.monotonic() + 60)


def test_the_chosen_checks_come_with_those_that_they_need() -> None:
    checks.load()
    names = [one.name for one in checks.chosen(["GPIO"], needed=True)]
    assert [name.partition(":")[0] for name in names[:2]] == ["boot", "install"]
    assert all("GPIO" in name for name in names[2:]) and len(names) > 2
    assert all("GPIO" in one.name for one in checks.chosen(["GPIO"], needed=False))


def test_what_tells_most_is_run_first() -> None:
    checks.load()
    ranks = [(not one.needed, not one.early) for one in checks.CHECKS]
    assert ranks == sorted(ranks) and ranks[0] == (False, True)
    assert 5 < sum(one.early for one in checks.CHECKS) < len(checks.CHECKS) / 2


def test_the_commands_of_the_pages_are_found() -> None:
    (command,) = install.of_readme()
    assert command.startswith("apt install ")
    assert len(command.split(" && ")) == 2, "a technician types two commands"
    typed = install.of_the_page()
    assert typed[0] == command
    assert "systemctl enable --now feltd" in typed and not any(line.startswith("mkdir") for line in typed)


def test_what_a_run_depends_on_is_what_is_shipped_and_what_tries_it(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[Path] = []

    def digest(files: list[Path], texts: list[str]) -> str:
        whole.extend(files)
        return ""

    monkeypatch.setattr(results, "digest", digest)
    depends.tried()
    names = {str(path.relative_to(results.ROOT)) for path in whole}
    assert {"controller/daemon/main.py", "systemd/feltd.service", "tests/vm/machine.py", "pyproject.toml"} <= names
    assert not {name for name in names if name.startswith(("docs/", "tests/vm/kept", "tests/web"))}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setattr(results, "KEPT", tmp_path)
    yield tmp_path


def test_nothing_is_run_when_nothing_has_changed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checks.load()
    names = [one.name for one in checks.CHECKS]
    for number, name in enumerate(names, 10):
        results.keep(Result(name, 12, "6.1", PASSED, 9), depends.tried(), f"2026-01-{number}", names)
    assert vm_test.main(["--changed"]) == 0
    assert capsys.readouterr().out == "vm-test: not run: nothing that it depends on has changed since 2026-01-10\n"


def test_one_check_that_was_tried_with_other_files_lets_all_be_tried(kept: Path) -> None:
    first = Result("boot", 12, "6.1", PASSED, 9)
    results.keep(first, "now", "2026-01-30", ["boot", "pins"])
    assert results.kept(12).since(["boot"], "now") == "2026-01-30"
    assert results.kept(12).since(["boot", "pins"], "now") == ""
    results.keep(replace(first, name="pins"), "before", "2026-01-31", ["boot", "pins"])
    assert results.kept(12).since(["boot", "pins"], "now") == ""


def test_a_machine_that_cannot_says_why(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert vm_test.main(["--changed"]) == vm_test.CANNOT
    assert vm_test.main(["--changed", "--only", "GPIO"]) == vm_test.CANNOT
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "vm-test: not run: only root can make a disk with Debian on it"
    assert said[-1].startswith("3 checks: boot: ") and "; GPIO: " in said[-1], "what was not run has a name"


def test_a_table_of_results_has_a_row_for_each_check_and_a_column_for_each_kernel(kept: Path) -> None:
    first = Result("boot", 12, "6.1", PASSED, 9, "17 s")
    results.keep(replace(first, name="pins"), "a", "2026-01-31", ["boot", "pins"])
    results.keep(first, "a", "2026-01-31", ["boot", "pins"])
    results.keep(replace(first, release=13, kernel="6.12"), "b", "2026-01-30", ["boot", "pins"])
    assert results.page_rows([results.kept(13), results.kept(12)]) == [
        "| check | Debian 12, 6.1 | Debian 13, 6.12 |",
        "|---|---|---|",
        "| boot | passed, 9 s | passed, 9 s |",
        "| pins | passed, 9 s | not tried |",
    ]


def test_what_is_not_called_so_any_more_is_forgotten(kept: Path) -> None:
    first = Result("boot", 12, "6.1", PASSED, 9)
    results.keep(first, "a", "2026-01-31", ["boot"])
    results.keep(replace(first, name="start"), "a", "2026-01-31", ["start"])
    assert list(results.kept(12).checks) == ["start"]
