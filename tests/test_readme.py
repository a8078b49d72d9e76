"""The README's first script prints what the README says, and every script in the documents can be played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.script.files import Complaint, play_file
from controller.script.report import to_text

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
EXAMPLES = [
    pytest.param(text, id=f"{path.name}-{number}")
    for path in sorted((ROOT / "docs").glob("*.md"))
    for number, text in enumerate(re.findall(r"^```felt\n(.*?)^```$", path.read_text(), re.DOTALL | re.MULTILINE), 1)
]


def test_the_first_script_prints_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    script = next(block for block in blocks if block.startswith("table "))
    shown = next(block for block in blocks if block.startswith("ok   war.felt"))
    (tmp_path / "war.felt").write_text(script)
    monkeypatch.chdir(tmp_path)
    (played,) = play_file("war.felt")
    assert not isinstance(played, Complaint)
    assert "\n".join(to_text(played)).rstrip() == shown.rstrip()


@pytest.mark.parametrize("script", EXAMPLES)
def test_the_scripts_in_the_documents_hold(script: str, tmp_path: Path) -> None:
    file = tmp_path / "example.felt"
    file.write_text(script)
    runs = list(play_file(str(file)))
    assert runs
    for run in runs:
        assert not isinstance(run, Complaint), run
        assert not run.failed
