"""A crash in one script ends that run; every other script is still played and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from controller.cli.group import cli
from controller.cli.runner import one
from controller.house.keys import HANDLERS
from controller.script import files, model, parse
from controller.script.play import Played
from controller.script.play import play as play_script
from controller.script.report import to_json

GOOD = "table casino-war\nseat 1\n"


def breaks(*args: object, **options: object) -> None:
    raise ZeroDivisionError("broken")


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """The command turns the log of its process off; this process goes on."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
def scripts(tmp_path: Path) -> list[str]:
    names = []
    for name in ("first", "second", "third"):
        path = tmp_path / f"{name}.felt"
        path.write_text(GOOD)
        names.append(str(path))
    return names


def run_all(scripts: list[str]) -> tuple[int, list[dict[str, object]]]:
    result = CliRunner().invoke(cli, ["run", "--json", *scripts])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def second_fails(told: list[dict[str, object]], says: str) -> None:
    assert [run["ok"] for run in told] == [True, False, True]
    error = told[1]["error"]
    assert isinstance(error, dict) and says in str(error["message"])


def test_a_run_that_crashes(scripts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:

    def play(name: str, lines: model.Run) -> Played:
        return play_script(name, lines) if "second" not in name else breaks()  # type: ignore[func-returns-value,return-value]

    monkeypatch.setattr(files, "play", play)
    status, told = run_all(scripts)
    assert status == 1
    second_fails(told, "a defect of the simulator: ZeroDivisionError")


def test_a_parser_that_crashes(scripts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "parse", lambda text, name: parse(text, name) if "second" not in name else breaks())
    status, told = run_all(scripts)
    assert status == 1
    second_fails(told, "a defect of the parser: ZeroDivisionError")


def test_a_report_that_crashes(scripts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one, "to_json", lambda played: to_json(played) if "second" not in played.script else breaks())
    status, told = run_all(scripts)
    assert status == 1
    second_fails(told, "a defect of the report: ZeroDivisionError")


def test_a_table_that_cannot_follow_a_line_fails_that_run(scripts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path(scripts[1]).write_text(GOOD + "key owner 2 1\n")
    monkeypatch.setitem(HANDLERS, "owner", breaks)
    status, told = run_all(scripts)
    assert status == 1
    assert [each["ok"] for each in told] == [True, False, True]
    assert "table.defect" in json.dumps(told[1]["failed"])


@pytest.mark.parametrize(
    ("text", "code"), [(b"tabel casino-war\n", "script.malformed"), (b"\xff", "script.unreadable")]
)
def test_a_bad_script_is_told_with_its_code_to_people_and_without_to_programs(
    text: bytes, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.felt"
    path.write_bytes(text)
    result = CliRunner().invoke(cli, ["run", str(path)])
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{path}:1: ") and "; expected " in first
    assert second.startswith(f"  -> {code}: ") and second.endswith(".")
    [error] = run_all([str(path)])[1]
    assert error.keys() == {"script", "ok", "error"}
    assert isinstance(error["error"], dict) and error["error"].keys() == {"line", "message"}
