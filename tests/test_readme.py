"""The README's first script prints what the README says, and every script in the documents can be played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.script import parse
from controller.script.play import play
from controller.script.report import to_text

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
EXAMPLES = [
    pytest.param(text, id=f"{path.name}-{number}")
    for path in sorted((ROOT / "docs").glob("*.md"))
    for number, text in enumerate(re.findall(r"^```felt\n(.*?)^```$", path.read_text(), re.DOTALL | re.MULTILINE), 1)
]


def test_the_first_script_prints_what_the_readme_shows() -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    script = next(block for block in blocks if block.startswith("table "))
    shown = next(block for block in blocks if block.startswith("ok   war.felt"))
    (run,) = parse(script, "war.felt").runs
    assert "\n".join(to_text(play("war.felt", run))).rstrip() == shown.rstrip()


@pytest.mark.parametrize("script", EXAMPLES)
def test_the_scripts_in_the_documents_hold(script: str) -> None:
    for run in parse(script, "example").runs:
        assert not play("example", run).failed
