"""docs/commands.md says what the commands are; each example can be typed."""

from __future__ import annotations

import shlex

import pytest

from controller.cli.group import cli
from tools.commands_page import EXAMPLES, PAGE, ROOT, every, page


def test_docs_commands_md_is_what_is_declared() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run `make commands`"


def test_every_command_has_an_example() -> None:
    assert {name for name, _ in every(cli)} == set(EXAMPLES)


@pytest.mark.parametrize(("name", "typed"), EXAMPLES.items())
def test_an_example_can_be_typed(name: str, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    monkeypatch.setattr(dict(every(cli))[name], "callback", lambda *_, **words: called.append(words))
    cli.main(shlex.split(typed.partition(" >")[0])[1:], standalone_mode=False)
    assert len(called) == 1
