"""What tests do not reach is counted and named; a pragma says why, or has no effect."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from tools.covered import ROOT, TESTS, Reached, by_room, pure_modules, reached, too_low

SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
EXCLUDES, BRANCHES = (SETTINGS["coverage"]["report"][name] for name in ("exclude_lines", "partial_branches"))


def file(statements: int, lines: list[int], branches: int = 0, missing: list[list[int]] | None = None) -> Any:
    return {
        "summary": {"num_statements": statements, "num_branches": branches},
        "missing_lines": lines,
        "missing_branches": missing or [],
    }


def test_lines_and_branches_are_named_once() -> None:
    report = {"files": {"controller/poker/x.py": file(8, [3], 4, [[3, 5], [7, 9], [8, -1]])}}
    assert reached(report)["controller/poker/x.py"] == Reached(
        12,
        (
            "controller/poker/x.py:3",
            "controller/poker/x.py:7 never goes on to line 9",
            "controller/poker/x.py:8 never goes on to the end",
        ),
    )


def test_rooms_add_up_and_have_to_reach_their_floor() -> None:
    files = {
        "controller/a/b.py": Reached(6, ("x",)),
        "controller/a/c/d.py": Reached(4, ()),
        "controller/e.py": Reached(3, ()),
    }
    rooms = by_room(files)
    assert {room: found.percent for room, found in rooms.items()} == {"controller/a": 90.0, "controller/e.py": 100.0}
    assert too_low(rooms, {}) == ["controller/a"]
    assert too_low(rooms, {"controller/a": 90.0}) == []
    assert Reached(0, ()).percent == 100.0


def test_the_rooms_and_the_tests_are_there() -> None:
    modules = pure_modules((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {"controller.table", "controller.poker", "controller.house"} <= set(modules)
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file()
    assert all((ROOT / path).exists() for path in TESTS)


@pytest.mark.parametrize(
    ("line", "patterns", "excluded"),
    [
        ("    raise X  # pragma: no cover - each kind names itself", EXCLUDES, True),
        ("    raise X  # pragma: no cover", EXCLUDES, False),
        ("    raise X  # pragma: no cover -", EXCLUDES, False),
        ("    if x:  # pragma: no branch - mypy knows every case", BRANCHES, True),
        ("    if x:  # pragma: no branch", BRANCHES, False),
        ("    def a(self) -> int: ...", EXCLUDES, True),
        ("        ...", EXCLUDES, True),
        ('    text = "so..."', EXCLUDES, False),
    ],
)
def test_a_pragma_without_a_reason_has_no_effect(line: str, patterns: list[str], excluded: bool) -> None:
    assert any(re.search(pattern, line) for pattern in patterns) is excluded


def test_no_pragma_is_without_a_reason() -> None:
    packages = ("controller", "drivers", "firmware_bridge", "hw_sim", "tools")
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "pragma: no " in line and not re.search(r"# pragma: no (cover|branch) - \w", line)
    ]
    assert lines == []
