"""The README's first script is played, and prints what the README says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.simulated.files import Complaint, play_file
from controller.simulated.report import to_text

README = Path(__file__).parent.parent / "README.md"


def test_the_first_script_prints_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    script = next(block for block in blocks if block.startswith("table "))
    shown = next(block for block in blocks if block.startswith("ok   war.felt"))
    (tmp_path / "war.felt").write_text(script)
    monkeypatch.chdir(tmp_path)
    (played,) = play_file("war.felt")
    assert not isinstance(played, Complaint)
    assert "\n".join(to_text(played)).rstrip() == shown.rstrip()
