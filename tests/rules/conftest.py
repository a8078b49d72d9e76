"""What holds for every script of ours.

Whatever the table cites is a rule that the document has, and whatever is told and shown is what was kept.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from controller.script.play import Played
from controller.script.report import to_json
from controller.testing.plugin import ScriptItem
from tests.citing import unknown
from tests.rules import detours
from tests.rules.keep import difference, document, kept, run_name
from tests.rules.spectator import Digests, digests

RULES = Path(__file__).parent


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
    unlisted = unknown(document(path), json.loads(to_json(played)))
    assert not unlisted, f"document {document(path)} has no rule {', '.join(unlisted)}"
    name = run_name(path, played.case)
    now = digests(name, played, seen, beside=detours.wanted(name))
    otherwise = difference(name, kept(document(path)).get(name), now)
    assert not otherwise, otherwise
