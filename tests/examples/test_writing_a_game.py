"""The game that docs/writing-a-game.md builds is taken from the page, installed and played; its tables are complete."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from controller.house.game import HouseGame
from tests.daemon.house import table_toml
from tests.docs.blocks import blocks
from tests.examples.installing import ROOT, felt, made_up

FILE = ROOT / "docs" / "writing-a-game.md"
PAGE = FILE.read_text()
LEFT = ("pays", "opens", "unequal", "asks_first", "jackpot_cards", "left_out")  # a game may answer these, and need not


def written(kind: str) -> str:
    """Returns what stands in all code blocks of this kind."""
    return "\n\n".join(block.text for block in blocks(FILE) if block.kind == kind)


def listed(heading: str) -> list[str]:
    """Returns the names in the first column of the table below a heading."""
    _, below = PAGE.split(f"### {heading}\n", 1)
    return re.findall(r"^\| `(\w+)` \|", re.split(r"^#", below, maxsplit=1, flags=re.MULTILINE)[0], re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tomllib.loads(written("toml"))["project"]
    [(name, module)] = project["entry-points"]["feltd.games"].items()
    site = tmp_path_factory.mktemp("lucky")
    made_up(site, module, written("python"), f"[feltd.games]\n{name} = {module}\n")
    return site


def test_its_script_holds(site: Path, tmp_path: Path) -> None:
    script = tmp_path / "lucky.felt"
    script.write_text(written("felt"))
    played = felt(site, "run", str(script))
    assert (played.returncode, played.stderr) == (0, ""), played.stdout
    assert "5 of 5 runs hold" in played.stdout


def test_it_is_configured_like_ours(site: Path, tmp_path: Path) -> None:
    table = table_toml(tmp_path, game="lucky-red", options='heart = "B"')
    assert (good := felt(site, "config", "check", str(table))).returncode == 0, good.stdout
    table.write_text(table.read_text().replace('heart = "B"', 'heart = "C"'))
    assert 'options.heart: "C" must be one of A, B' in felt(site, "config", "check", str(table)).stdout


def test_it_deals_itself(site: Path) -> None:
    dealt = felt(site, "sim", "--game", "lucky-red", "--rounds", "1")
    assert (dealt.returncode, "journal verified" in dealt.stdout) == (0, True), dealt.stderr


def test_every_part_of_a_game_is_described() -> None:
    declared = [name for name in HouseGame.__annotations__ if not name.startswith("_")]
    assert sorted(listed("What it declares")) == sorted(declared)
    assert sorted(listed("What it must answer")) == sorted(HouseGame.__abstractmethods__)
    assert listed("What most games leave as it is") == list(LEFT)
    assert all(hasattr(HouseGame, name) for name in LEFT)


def test_what_must_be_given_has_no_default() -> None:
    given = set(re.findall(r"^\| `(\w+)` \| yes \|", PAGE, re.MULTILINE))
    assert given == {name for name in HouseGame.__annotations__ if not hasattr(HouseGame, name)}
