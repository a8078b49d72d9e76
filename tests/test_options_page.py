"""docs/options.md says what is declared; no option is without words for people."""

from __future__ import annotations

import pytest

from controller.games import GAMES
from controller.table.options import fields
from tools.options_page import PAGE, ROOT, page


def test_docs_options_md_is_what_is_declared() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run `make options`"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_and_spot_of_a_game_stands_there(game: str) -> None:
    rules, text = GAMES[game], page()
    assert [name for name in fields(rules.options) if f"\n| `{name}` |" not in text] == []
    assert [spot for spot in rules.spots if f"`{spot}`" not in text] == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_says_something_to_people(game: str) -> None:
    assert [field.name for field in fields(GAMES[game].options).values() if not field.meaning] == []
