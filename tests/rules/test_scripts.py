"""The approved documents, told as scripts: every .felt file below this folder is played, and what it expects must hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.simulated.play import play
from controller.simulated.report import to_text
from hw_sim.script import parse
from hw_sim.script.model import Run

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.rglob("*.felt"))


def runs() -> list[object]:
    """Every run of every script; a malformed one is reported as itself instead of stopping the collection."""
    return [pytest.param(path, id=path.relative_to(HERE).with_suffix("").as_posix()) for path in SCRIPTS]


def tell(path: Path, run: Run) -> str:
    """The readable report of a run in which an expectation failed; empty when all held."""
    played = play(path.relative_to(HERE).as_posix(), run)
    return "\n".join(to_text(played)) if played.failed else ""


@pytest.mark.parametrize("path", runs())
def test_what_the_script_expects_holds(path: Path) -> None:
    script = parse(path.read_text(encoding="utf-8"), path.name)
    failed = [told for run in script.runs if (told := tell(path, run))]
    if failed:
        pytest.fail("\n\n" + "\n\n".join(failed), pytrace=False)


def test_there_are_scripts() -> None:
    assert SCRIPTS, "no scripts were found: the folder moved, or the files were not packed"
