"""Each recipe of docs/recipes.md, as a patch: it applies, touches as many places as the page says, and can be played.

All of them are applied to one copy of the source, so that they are also seen to live together.  A patch that no longer
applies is made anew: carry out its recipe by hand, then `git diff -U1`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.house import table_toml
from tests.examples.installing import FELT

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
RECIPES = sorted(path.stem for path in HERE.glob("*.patch"))
SOURCE = ("controller", "drivers", "firmware_bridge", "hw_sim", "tools", "docs")
GUARDS = ("conftest.py", "fair.py", "script/test_reference.py", "test_options_page.py", "test_keys_page.py")
GOALS = {"game": 3, "pay_table": 1, "option": 1, "key": 1, "family": 6, "vendor": 4}  # places, at most
SEVERAL = """
import json, sys
from click.testing import CliRunner
from controller.cli.group import cli
print(json.dumps([CliRunner().invoke(cli, asked).output for asked in json.loads(sys.argv[1])]))
"""
_ROW = re.compile(r"^\| \[([a-z ]+)\]\(#[a-z-]+\) \| (\d+\+?) \| (\d+) \|", re.MULTILINE)


def touched(recipe: str) -> list[str]:
    """Returns the files that a recipe changes or adds."""
    return re.findall(r"^\+\+\+ b/(\S+)$", (HERE / f"{recipe}.patch").read_text(), re.MULTILINE)


class Tree:
    """A copy of the source with every recipe carried out."""

    def __init__(self, top: Path) -> None:
        self.top = top
        for folder in SOURCE:
            shutil.copytree(ROOT / folder, top / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", top)
        self.failed = {recipe: why for recipe in RECIPES if (why := self._apply(recipe))}

    def _apply(self, recipe: str) -> str:
        """Returns why a patch does not apply; "" when it does."""
        command = ["git", "apply", "--unidiff-zero", str(HERE / f"{recipe}.patch")]
        return subprocess.run(command, cwd=self.top, capture_output=True, text=True, check=False).stderr

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs Python with the packages of this copy."""
        command = [sys.executable, *arguments]
        return subprocess.run(
            command,
            cwd=self.top,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(self.top), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=55,
            check=False,
        )

    def felt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the command `felt` of this copy."""
        return self.python("-c", FELT, *arguments)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("recipes"))


@pytest.fixture(scope="module")
def runs(tree: Tree) -> dict[str, list[dict[str, Any]]]:
    """Returns the runs of every recipe's script, played once, all together."""
    played = tree.felt("run", "--json", *map(str, sorted(HERE.glob("*.felt"))))
    runs: dict[str, list[dict[str, Any]]] = {}
    for line in played.stdout.splitlines():
        run = json.loads(line)
        runs.setdefault(Path(run["script"]).stem, []).append(run)
    return runs


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_patch_applies(tree: Tree, recipe: str) -> None:
    assert tree.failed.get(recipe, "") == ""


@pytest.mark.parametrize("recipe", RECIPES)
def test_it_touches_as_many_places_as_the_page_says(recipe: str) -> None:
    page = (ROOT / "docs" / "recipes.md").read_text()
    places = {name.replace(" ", "_"): int(now) for name, _, now in _ROW.findall(page)}
    assert set(places) == set(RECIPES)
    assert len(touched(recipe)) == places[recipe]
    assert places[recipe] <= GOALS.get(recipe, places[recipe])


def test_the_map_of_the_house_shows_the_same_numbers() -> None:
    page, house = ((ROOT / "docs" / name).read_text() for name in ("recipes.md", "architecture.md"))
    assert ", ".join(f"{name} {before} → {now}" for name, before, now in _ROW.findall(page)) in house


@pytest.mark.parametrize("recipe", sorted(path.stem for path in HERE.glob("*.felt")))
def test_its_script_holds(runs: dict[str, list[dict[str, Any]]], recipe: str) -> None:
    assert runs[recipe]
    assert [run.get("failed") or run.get("error") for run in runs[recipe] if not run["ok"]] == []


def test_devices_and_commands_can_be_used(tree: Tree, tmp_path: Path) -> None:
    table = table_toml(tmp_path, options="tie-pays = 11")
    plain = table.read_text()
    text = plain.replace('family = "shoe"\n', 'family = "shoe"\nprotocol = "line-shoe"\n', 1)
    table.write_text(text + '[device.drop-box]\nfamily = "drop-box"\naddress = "sim://drop-box"\n')
    dealt = tree.felt("sim", "--config", str(table), "--rounds", "2")
    assert dealt.returncode == 0, dealt.stdout + dealt.stderr
    assert "round 2: settled" in dealt.stdout
    table.write_text(plain.replace("sim://shoe", "port://ttyUSB0"))
    asked = [["config", "check", str(table)], ["games"], ["explain", "drop-box.full"]]
    done = tree.python("-c", SEVERAL, json.dumps(asked))
    checked, games, explained = json.loads(done.stdout)
    assert "port://" not in checked
    assert games.split()[:2] == ["casino-war", "straight-war"]
    assert "Let it be exchanged" in explained


def test_the_pages_and_the_testers_reference_follow(tree: Tree) -> None:
    """What guards the documents is content when the pages that are made of declarations are written anew."""
    tests = tree.top / "tests"
    for guard in GUARDS:
        (tests / guard).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests" / guard, tests / guard)
    pages = "from tools import keys_page, options_page; keys_page.main(); options_page.main()"
    assert tree.python("-c", pages).returncode == 0
    guarded = tree.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests")
    assert guarded.returncode == 0, guarded.stdout
    options = (tree.top / "docs" / "options.md").read_text()
    assert "| `straight-war` | Straight War | 005 |" in options
    assert "| `tie-pays` |" in options
