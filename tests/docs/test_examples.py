"""Every example in the documents is run, or says why it cannot be: what a person reads there is what happens."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.script import parse
from controller.script.play import play
from tests.docs.blocks import KINDS, NOT_RUN, PAGES, ROOT, TESTED_BY, Block, blocks, every_block, name_of
from tests.docs.console import Person, exchanges
from tests.docs.shape import differs
from tests.docs.toml_parts import wrong_in_people, wrong_in_table

NEVER_RUN = {"sh", "sql"}  # for a real machine
EVERY = list(every_block())


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    person = Person(monkeypatch)
    yield person
    person.close()


def in_a_console(block: Block, person: Person) -> str:
    """Types each command of the block."""
    if "table" in block.words:
        person.sit_down()
    return "\n".join(wrong for command, shown in exchanges(block.text) if (wrong := person.types(command, shown)))


def played(block: Block, _: Person) -> str:
    """Plays a script."""
    results = [play("example", run) for run in parse(block.text, "example").runs]
    return "\n".join(str(result.failed) for result in results if result.failed)


def read_toml(block: Block, person: Person) -> str:
    """Reads a part of a configuration as whoever it is for does."""
    if "pyproject" in block.words:
        tomllib.loads(block.text)
        return ""
    if "people" in block.words:
        return wrong_in_people(block.text)
    return wrong_in_table(person.here(block.text), block.game, person.home)


def read_json(block: Block, person: Person) -> str:
    """Reads each object; one that is the answer of a route has the shape of what the table answers."""
    objects, rest = [], block.text.replace("[...]", "[]").strip()
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        objects.append(value)
        rest = rest[end:].strip()
    if "GET" not in block.words:
        return ""
    return differs(objects[0], person.table.client.get(block.words[-1]))


def python(block: Block, person: Person) -> str:
    """Runs Python in a process of its own, as a file of tests or as it stands; a file that is kept is run below it."""
    if block.file:
        return ""
    file = person.home / "test_example.py"
    file.write_text(block.text)
    tests = ["-m", "pytest", "-q", "--felt", "-p", "no:cacheprovider"] if "pytest" in block.words else []
    command = [sys.executable, *tests, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr if done.returncode else ""


RUN: dict[str, Callable[[Block, Person], str]] = {
    "console": in_a_console,
    "felt": played,
    "toml": read_toml,
    "json": read_json,
    "python": python,
}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name_of)
def test_the_examples_hold(page: Path, person: Person) -> None:
    """In their order and in one folder: one may build on the one before."""
    if "examples" in page.parts:  # its reader sits in that folder
        shutil.copytree(page.parent, person.home, dirs_exist_ok=True)
    wrong = []
    for block in blocks(page):
        if block.file:
            person.keep(block.file, block.text)
        if block.kind in RUN and not block.reason and (said := RUN[block.kind](block, person)):
            wrong.append(f"{block.place}: {said}")
    assert not wrong, "\n\n".join(wrong)


def test_every_block_says_what_it_is() -> None:
    assert [f"{block.place}: {block.kind!r}" for block in EVERY if block.kind not in KINDS] == []


def test_nothing_is_left_out_silently() -> None:
    assert [block.place for block in EVERY if block.kind in NEVER_RUN and not block.reason] == []
    reasons = {block.place: block.reason.removeprefix(NOT_RUN) for block in EVERY if block.reason.startswith(NOT_RUN)}
    assert [place for place, reason in reasons.items() if len(reason.split()) < 2] == []
    named = [path for reason in reasons.values() for path in re.findall(r"tests/[\w./]+\w", reason)]
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_whoever_tests_a_block_instead_names_its_page() -> None:
    for block in EVERY:
        if block.reason.startswith(TESTED_BY):
            test = ROOT / block.reason.removeprefix(TESTED_BY).strip()
            assert block.page.name in test.read_text(), block.place


def test_so_many_are_run(record_property: Callable[[str, object], None]) -> None:
    """Most are; the numbers go to the report of the tests."""
    run = Counter(block.kind for block in EVERY if block.kind in RUN and not block.reason)
    elsewhere = Counter(block.kind for block in EVERY if block.reason.startswith(TESTED_BY))
    left = [f"{block.place}: {block.reason}" for block in EVERY if block.reason.startswith(NOT_RUN)]
    record_property("run here, run by other tests, not run", f"{dict(run)}, {dict(elsewhere)}, {len(left)}")
    assert run.total() > 2 * len(left), left
