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
from tests.vm import bounded, checks, depends, install, results
from tests.vm.channel import GuestError
from tests.vm.checks import CannotRun, Check
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


def unable(_: object) -> None:
    raise CannotRun("no such library")


def test_a_check_passes_fails_or_cannot_be_run() -> None:
    assert result_of(lambda _: "4 s") == (PASSED, "4 s")
    assert result_of(failing) == (FAILED, "three of four")
    assert result_of(unable) == (NOT_RUN, "no such library")


def test_a_check_that_takes_too_long_has_failed_and_one_that_the_run_cuts_off_has_not() -> None:
    assert result_of(until_off, bound=0.01) == (FAILED, "not done in 0 s")
    assert result_of(until_off, left=0.01) == (NOT_RUN, "the time was over")


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What comes of each check the second time, by its name."""
    tried: dict[str, str] = {}

    def all_of(self: Run, made: Image, package: Path, chosen: list[Check]) -> list[Result]:
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
    results.keep(12, "6.1", depends.tried(), "2026-01-31", [Result("boot", 12, "6.1", PASSED, 9)])
    assert vm_test.main(["--changed"]) == 0
    assert capsys.readouterr().out == "vm-test: not run: nothing that it depends on has changed since 2026-01-31\n"


def test_a_machine_that_cannot_says_why(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert vm_test.main(["--changed"]) == vm_test.CANNOT
    assert capsys.readouterr().out == "vm-test: not run: only root can make a disk with Debian on it\n"


def test_a_table_of_results_has_a_row_for_each_check_and_a_column_for_each_kernel(kept: Path) -> None:
    first = Result("boot", 12, "6.1", PASSED, 9, "17 s")
    results.keep(12, "6.1", "a", "2026-01-31", [first, replace(first, name="pins")])
    results.keep(13, "6.12", "b", "2026-01-30", [replace(first, release=13, result=NOT_RUN, said="no wheel")])
    runs = [run for number in (13, 12) if (run := results.kept_run(number))]
    assert results.page_rows(runs)[2:] == [
        "| boot | passed, 9 s | not run: no wheel |",
        "| pins | passed, 9 s | not tried |",
    ]
