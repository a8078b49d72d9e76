"""The testers' reference is complete and true: it names every word, and its examples can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.games import GAMES, every_key
from controller.script import parse
from controller.script.catalogue import FAMILIES, GATES, OUTCOMES, RESULTS, ROLES, every_lamp, every_spot
from controller.script.engines import ENGINES
from controller.script.expects import FORMS
from controller.script.options import every_option
from controller.script.verbs import VERBS

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "scripts.md").read_text(encoding="utf-8")
LEADS_TO = {  # the pages that are made of the declarations
    "key": (DOCS / "keys.md").read_text(encoding="utf-8"),
    **dict.fromkeys(("game", "spot", "option"), (DOCS / "options.md").read_text(encoding="utf-8")),
}
EXAMPLES = re.findall(r"^```felt\n(.*?)^```$", REFERENCE, re.MULTILINE | re.DOTALL)

WORDS = {
    "verb": ["table", "case", "expect", *VERBS],
    "game": GAMES,
    "spot": every_spot(),
    "option": every_option(),
    "key": [key.name for key in every_key() if not key.anyone],
    "role": ROLES,
    "act": [act for engine in ENGINES.values() for act in engine.acts],
    "device": FAMILIES,
    "fault": [fault for family in FAMILIES.values() for fault in family.faults],
    "form": FORMS,
    "result": RESULTS,
    "outcome": OUTCOMES,
    "lamp": every_lamp(),
    "gate": GATES,
}


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_is_in_the_reference(kind: str) -> None:
    text = REFERENCE + LEADS_TO.get(kind, "")
    code = {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.split(r"[^a-z-]+", span)}
    assert not set(WORDS[kind]) - code


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_reference_can_be_read(example: str) -> None:
    assert parse(example).runs
