"""Every paragraph of docs/protocol.md has a number, and a trial or a reason why there is none."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge.conform.suite import ordered
from firmware_bridge.conform.untried import UNTRIED
from tests.conform.firmware import PLANTED
from tests.conform.firmware_answers import ANSWERS
from tests.conform.firmware_speed import SPEEDS

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
NUMBER = re.compile(r'<a id="p([0-9.]+)">([0-9.]+)</a> ')
BESIDE = {
    "1.3",
    "1.6",
    "1.7",
    "1.8",
    "3.6",
    "6.5",
    "6.6",
    "7.4",
    "7.5",
    "8.2",
    "8.17",
    "10.1",
    "11.1",
}  # without a fault of their own
LEADS = {"The device", "The controller"}  # what a list is of
PROMISES = re.split(r"^## (?=Prove your firmware$)", PAGE, flags=re.MULTILINE)[0]


def paragraphs() -> list[str]:
    return [number for number, _ in NUMBER.findall(PAGE)]


def blocks() -> list[str]:
    """Returns what stands in the numbered sections: each paragraph, each point of a list."""
    text = re.sub(r"^```.*?^```", "", PROMISES, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!-- .*?begin -->.*?<!-- .*?end -->", "", text, flags=re.DOTALL)
    sections = re.split(r"^## [0-9]+\..*$", text, flags=re.MULTILINE)[1:]
    parts = [part for section in sections for part in re.split(r"\n\s*\n|\n(?=- )", section)]
    return [part.strip() for part in parts if part.strip()]


def test_every_paragraph_begins_with_its_number() -> None:
    bare = [
        block.splitlines()[0]
        for block in blocks()
        if not block.startswith(("|", "#")) and block not in LEADS and not NUMBER.match(block.removeprefix("- "))
    ]
    assert bare == []


def test_numbers_are_anchors_and_none_stands_twice() -> None:
    assert [number for number, shown in NUMBER.findall(PAGE) if number != shown] == []
    assert len(set(paragraphs())) == len(paragraphs()) > 80
    for number in paragraphs():  # each in the section whose number it has
        before = PAGE[: PAGE.index(f'<a id="p{number}">')]
        assert re.findall(r"^## ([0-9]+)\.", before, re.MULTILINE)[-1] == number.partition(".")[0]


def test_every_paragraph_has_a_trial_or_a_reason() -> None:
    tried = {paragraph for trial in ordered() for paragraph in trial.paragraphs}
    assert tried | UNTRIED.keys() == set(paragraphs())
    assert not tried & UNTRIED.keys()


def test_every_trial_would_find_a_planted_fault() -> None:
    """A paragraph without one of its own stands beside another one, which names what that trial finds."""
    planted = {each.paragraph for each in (*PLANTED, *ANSWERS, *SPEEDS)}
    beside: dict[str, list[str]] = {}
    for trial in ordered():
        assert planted & set(trial.paragraphs), trial.name
        for paragraph in set(trial.paragraphs) - planted:
            beside.setdefault(paragraph, []).append(trial.name)
    assert beside.keys() == BESIDE


def test_every_trial_says_what_is_promised_and_what_is_done() -> None:
    trials = ordered()
    assert len({trial.name for trial in trials}) == len(trials)
    for trial in trials:
        assert trial.promised.endswith(".") and trial.done.endswith("."), trial.name
