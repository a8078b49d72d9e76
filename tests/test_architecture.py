"""docs/architecture.md says what is there: its files exist, and its layers are those that are enforced."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"`((?:controller|drivers|firmware_bridge|hw_sim|docs|tests)/[\w/.-]*)`", PAGE))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_layers_are_those_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    enforced = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawing = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[0]
    assert [re.split(r"\s{2,}", line)[0] for line in drawing.splitlines()] == enforced
