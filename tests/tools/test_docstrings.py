"""Docstrings that do not begin with what a function does are found; properties and commands are left alone."""

from __future__ import annotations

import tomllib

import pytest

from tools.docstrings import ROOT, begins_well, check, check_packages

SOURCE = '''
class Shoe:
    """A shoe."""

    @property
    def size(self):
        """How many cards it holds."""

    @functools.cached_property
    def first(self):
        """The first card."""

    @size.setter
    def size(self, size):
        """A new size."""

    async def draw(self):
        """One card."""

        def inner():
            """This too."""

    def lock(self):
        """Locks the shoe.

        Never blocks.
        """

    def undocumented(self):
        return 1

@click.group(name="shoe")
def group():
    """Work on a shoe."""

@group.command()
@with_json
def show():
    """What is in it."""

@cache
def count():
    """Return how many."""
'''


@pytest.mark.parametrize("words", ["Returns it.", "Sends, once.", "Does nothing: it is shut.", "Locks"])
def test_a_verb_in_the_third_person_is_a_good_beginning(words: str) -> None:
    assert begins_well(words)


@pytest.mark.parametrize("words", ["Return it.", "`x` is kept.", "Whether it is.", "This is it.", "Chips", "returns"])
def test_anything_else_is_not(words: str) -> None:
    assert not begins_well(words)


def test_functions_are_named_and_properties_and_commands_are_not() -> None:
    found = [(finding.name, finding.words) for finding in check(SOURCE)]
    assert found == [("draw", "One card."), ("inner", "This too."), ("count", "Return how many.")]


def test_every_limit_is_of_a_room_that_there_is() -> None:
    limits = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["docstrings"]
    assert limits.keys() <= check_packages(ROOT).keys()
