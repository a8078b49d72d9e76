"""What holds for every script of ours.

Whatever the table cites is a rule that the document has, and whatever is told and shown is what was kept.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from controller.script.play import Played
from controller.script.report import to_json
from controller.testing.plugin import ScriptItem
from tests.rules.keep import difference, document, kept, run_name
from tests.rules.spectator import Digests, digests
from tools.citations import covers, spelled

LIST = Path(__file__).parents[2] / "docs" / "rules.toml"
RULES = Path(__file__).parent
OF_THE_ACT = re.compile(r"s\d+(\(\d+\))*")  # Casino Control Act


@cache
def numbers(document: str) -> frozenset[str]:
    """Returns the numbers of a document's rules."""
    listed = next(each for each in tomllib.loads(LIST.read_text("utf-8"))["document"] if each["number"] == document)
    return frozenset(rule.split()[0] if rule[0].isdigit() else rule for row in listed["rows"] for rule in row["rules"])


@cache
def is_known(document: str, cited: str) -> bool:
    """Tells whether a document has this rule, or the list names one above or below it."""
    number = spelled(cited)
    return any(covers(rule, number) or covers(number, rule) for rule in numbers(document))


def cited_by(told: object) -> Iterator[str]:
    """Yields the rules that the JSON of a run cites."""
    if isinstance(told, Mapping):
        for name, value in told.items():
            if name == "rule" and isinstance(value, str):
                yield value
            yield from cited_by(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from cited_by(value)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Looks at what a run of a script has told and shown."""
    if not isinstance(item, ScriptItem) or not item.path.is_relative_to(RULES):
        return (yield)
    item.spectator = seen = Digests()
    result = yield
    if item.played is not None:
        _check(item.path, item.played, seen)
    return result


def _check(path: Path, played: Played, seen: Digests) -> None:
    cited = {rule for rule in cited_by(json.loads(to_json(played))) if rule and not OF_THE_ACT.fullmatch(rule)}
    unknown = sorted(rule for rule in cited if not is_known(document(path), rule))
    assert not unknown, f"document {document(path)} has no rule {', '.join(unknown)}"
    name = run_name(path, played.case)
    otherwise = difference(name, kept(document(path)).get(name), digests(played, seen))
    assert not otherwise, otherwise
