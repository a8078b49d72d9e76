"""Plays every script of this suite through `felt run --json`: one test for each run, with what failed in its words."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

Run = dict[str, Any]  # one object of the JSON, as docs/scripts.md of feltd describes it

SCRIPTS = sorted(Path(__file__).parent.rglob("*.felt"))


def play(scripts: list[Path]) -> list[Run]:
    """Returns every run of these scripts; they are played once, all together."""
    command = ["felt", "run", "--json", *map(str, scripts)]
    played = subprocess.run(command, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in played.stdout.splitlines()]


def name_of(run: Run) -> str:
    """Returns the script's name, with that of the case."""
    return f"{Path(run['script']).stem}: {run.get('case', 'the whole script')}"


RUNS = play(SCRIPTS)


def test_every_script_was_played() -> None:
    assert {Path(run["script"]) for run in RUNS} == set(SCRIPTS)


@pytest.mark.parametrize("run", RUNS, ids=name_of)
def test_what_the_script_expects(run: Run) -> None:
    assert run["ok"], run.get("error") or run["failed"]


@pytest.mark.parametrize("run", RUNS, ids=name_of)
def test_every_payment_names_its_rule(run: Run) -> None:
    """Checks what our auditors want, whatever a script expects."""
    wagers = [wager for played in run.get("rounds", ()) for wager in played["wagers"]]
    assert [wager for wager in wagers if wager["result"] != "open" and not wager["rule"]] == []
