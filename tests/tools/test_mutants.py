"""Planted faults: which there are, that one is planted and found, and how the share is told."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tools.covered import ROOT
from tools.mutants import contexts, reach
from tools.mutants.blocks import HIT, marked
from tools.mutants.map import files
from tools.mutants.operators import Fault, faults, planted
from tools.mutants.plant import VARIABLE
from tools.mutants.reach import diverse, importers
from tools.mutants.results import interval, keep, lines
from tools.mutants.swap import functions, swap
from tools.mutants.trial import Tried

SOURCE = '''
"""A module."""
from typing import Final, TypeAlias, Literal, TYPE_CHECKING
if TYPE_CHECKING:
    import os
Side: TypeAlias = Literal["left", "right"]
LEAST: Final = 5
class Place(object, frozen=True):
    number: int = 1
    def taken(self, by: str = "nobody") -> bool:
        """Tells whether it is taken."""
        assert self.number > 0
        self.seen = by
        if not by:
            raise ValueError(f"nobody {by} at {LEAST + 1}")
        self.count(by)
        unreached = 1 + 1  # pragma: no cover - never
        return self.number > LEAST and by != "a long sentence"
'''


def test_what_can_be_planted() -> None:
    found = {f"{fault.kind}: {fault.was} -> {fault.becomes}" for fault in faults(SOURCE)}
    assert {
        "constant: 5 -> 6",
        "constant: 1 -> 2",
        "constant: 'nobody' -> 'nobodyx'",
        "statement: self.seen = by -> pass",
        "statement: self.count(by) -> pass",
        "not: not by -> by",
        "comparison: self.number > LEAST -> self.number >= LEAST",
    } <= found
    told = " ".join(found)
    for left_alone in ("left", "frozen", "assert", "arithmetic", "unreached", "constant: 'a long", "A module"):
        assert left_alone not in told
    symbols = {fault.symbol for fault in faults(SOURCE)}
    assert symbols == {"", "Place", "Place.taken"}


def test_each_fault_changes_its_module_and_nothing_else() -> None:
    plain = ast.unparse(ast.parse(SOURCE)).splitlines()
    for fault in faults(SOURCE):
        changed = ast.unparse(planted(SOURCE, fault.number)).splitlines()
        assert changed != plain
        assert len(set(changed) - set(plain)) <= 2
    with pytest.raises(IndexError):
        planted(SOURCE, 10_000)


def test_every_pure_module_can_be_compiled_with_its_first_and_last_fault() -> None:
    for path in files()[::25]:
        source = (ROOT / path).read_text(encoding="utf-8")
        there = faults(source)
        for fault in there[:1] + there[-1:]:
            compile(planted(source, fault.number), path, "exec")


@pytest.mark.parametrize("fault", ["", "controller/money.py"])
def test_a_planted_fault_fails_the_test_that_comes_by_it(fault: str, tmp_path: Path) -> None:
    (tmp_path / "test_cents.py").write_text(
        "from controller.money import dollars\ndef test_it():\n    assert dollars(1005) == '10.05'\n", encoding="utf-8"
    )
    source = (ROOT / "controller/money.py").read_text(encoding="utf-8")
    number = next(each.number for each in faults(source) if each.symbol == "dollars" and each.kind == "return")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.mutants.plant", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)} | ({VARIABLE: f"{fault}#{number}"} if fault else {})
    ended = subprocess.run([*command, str(tmp_path)], cwd=tmp_path, env=env, check=False, capture_output=True)
    assert (ended.returncode == 1) is bool(fault), ended.stdout


def test_tests_are_chosen_by_the_blocks_that_they_come_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_cents.py").write_text(
        "from controller.money import cents, dollars\n"
        "def test_dollars():\n    assert dollars(1005) == '10.05'\n"
        "def test_cents():\n    assert cents('10.05') == 1005\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.mutants.contexts", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), contexts.VARIABLE: str(tmp_path)}
    env.pop("PYTEST_XDIST_WORKER", None)
    ended = subprocess.run([*command, "test_cents.py"], cwd=tmp_path, env=env, check=False, capture_output=True)
    assert ended.returncode == 0, ended.stdout
    monkeypatch.setattr(reach, "KEPT", tmp_path)
    source = (ROOT / "controller/money.py").read_text(encoding="utf-8")
    returns = {each.symbol: each for each in faults(source) if each.kind == "return"}
    known = reach.Reach()
    for symbol, test in (("dollars", "test_dollars"), ("cents", "test_cents")):
        assert known.tests("controller/money.py", returns[symbol]) == [f"test_cents.py::{test}"]
    assert known.cost("test_cents.py::test_cents") < 60


BRANCHES = """
def decide(value, *, least=3):
    'Says something.'
    total = (
        value + 1
    )
    match value:
        case int() if value > least:
            return 'large'
        case int() if value < 0:
            raise ValueError
    try:
        found = 10 // value
    except ZeroDivisionError:
        found = 0
    else:
        total += 1
    def inner():
        return found
    for _ in range(total):
        continue
    return inner()
"""


def test_every_block_says_that_it_was_come_by() -> None:
    found = marked(BRANCHES)
    hits: set[int] = set()
    names: dict[str, Any] = {HIT: hits.add}
    exec(compile(found.tree, "decide.py", "exec"), names)
    assert names["decide"].__doc__ == "Says something."

    def lines_of(value: int) -> set[int]:
        hits.clear()
        with suppress(ValueError):
            names["decide"](value)
        return {line for line, block in found.blocks.items() if block in hits}

    always = {4, 5, 6, 7, 8, 10}
    assert lines_of(9) == always | {9}
    assert lines_of(-1) == always | {11}
    behind = {12, 14, 16, 18, 20, 22}
    assert lines_of(0) == always | behind | {13, 15, 19, 21}
    assert lines_of(1) == always | behind | {13, 17, 19, 21}
    assert found.size == len(set(found.blocks.values())) == max(found.blocks.values()) + 1


def test_the_tests_that_are_tried_first() -> None:
    tests = [f"t{n}" for n in range(100)]
    reached = {test: 0b11 if number % 2 else 0b110 for number, test in enumerate(tests)}
    reached["t50"] = 1 << 40
    chosen = diverse(tests, reached, 100)
    assert set(chosen[:3]) == {"t0", "t1", "t50"}  # together they reach everything
    assert len(set(chosen)) == 100
    assert len(diverse(tests, reached, 60)) == 60
    assert diverse([], {}) == []
    assert "controller/money.py" not in importers(["controller/table/sign.py"])
    assert importers(["controller/table/sign.py"])["controller.table.deck"] == ["controller/table/sign.py"]


def test_the_report_counts_rooms_and_names_survivors(tmp_path: Path) -> None:
    fault = Fault(3, 12, "dollars", True, "comparison", "a < b", "a <= b")
    tried = [Tried("controller/money.py", fault, "found", 3), Tried("controller/table/sign.py", fault, "survived", 9)]
    told = list(lines(tried))
    assert told[0].split() == ["controller/money.py", "1", "of", "1", "found", "100.0", "%"]
    assert "50.0 %" in told[2]
    assert told[3] == "controller/table/sign.py:12: survived: comparison: a < b -> a <= b"
    keep(tried, 1, tmp_path / "kept.json")
    assert (tmp_path / "kept.json").read_text(encoding="utf-8").count("a <= b") == 2
    keep(tried[1:], 2, tmp_path / "kept.json", "each rule")
    keep(tried[:1], 3, tmp_path / "kept.json")
    kept = json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))
    assert (kept["seed"], len(kept["faults"])) == (3, 1) and kept["date"] and kept["commit"]
    assert (kept["each rule"]["seed"], kept["each rule"]["faults"][0][-1]) == (2, "survived")
    assert interval(0, 0) == (0.0, 1.0)


def test_a_fault_is_swapped_into_functions_that_are_imported(tmp_path: Path) -> None:
    path = tmp_path / "swapped.py"
    path.write_text("def least(a, b, *, c=5):\n    return [x for x in (a, b, c) if x < 3]\n", encoding="utf-8")
    names: dict[str, FunctionType] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), names)
    least = names["least"]
    by_kind = {fault.was: fault.number for fault in faults(path.read_text(encoding="utf-8"))}
    known = functions(tmp_path)
    assert not swap(path, by_kind["5"], known)  # a default was computed when the module was imported
    assert least(1, 3) == [1]
    assert swap(path, by_kind["x < 3"], known)
    assert least(1, 3) == [1, 3]
