"""docs/keys.md says what is declared; no key is without words for people."""

from __future__ import annotations

import re

import pytest

from controller.games import GAMES, every_key
from controller.table.keys import keys_of
from tools.keys_page import PAGE, ROOT, page


def test_docs_keys_md_is_what_is_declared() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run `make keys`"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_key_of_a_table_stands_there_once(game: str) -> None:
    names = [key.name for key in keys_of(GAMES[game])]
    assert len(set(names)) == len(names)
    text = page()
    for key in keys_of(GAMES[game]):
        assert all(written.split(" ")[0] == key.name for written in key.written)
        assert re.search(rf"^\| `{key.name}[ `]", text, re.MULTILINE)


def test_every_key_says_something_to_people() -> None:
    assert all(key.says and not key.says.endswith(".") for key in every_key())
