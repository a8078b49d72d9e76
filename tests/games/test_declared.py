"""What is declared is what was kept of it; when it was meant to change: `python -m tests.games.declared`."""

from __future__ import annotations

import re
from enum import IntEnum
from fractions import Fraction

import msgspec

from tests.games.declared import digests, kept, plain


def test_what_is_declared_is_what_was_kept() -> None:
    before, now = kept(), digests()
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    assert not changed, "if that is meant: python -m tests.games.declared"


def test_a_value_is_written_down_with_all_that_it_is_made_of() -> None:
    class Colour(IntEnum):
        RED = 1

    class Chip(msgspec.Struct, frozen=True):
        worth: int
        colours: frozenset[str] = frozenset()
        beside: Chip | None = None

    assert plain(Chip(5, frozenset("ba"), Chip(1))) == ["Chip", 5, ["a", "b"], ["Chip", 1, [], None]]
    assert plain({Colour.RED: (Fraction(1, 3), re.compile("a+"))}) == [["<Colour.RED: 1>", ["Fraction(1, 3)", "a+"]]]
    assert plain([Chip, len]) == [[Chip.__qualname__, [], None], "len"]
