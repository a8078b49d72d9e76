"""docs/terms.md says what is declared; no item is without words for people."""

from __future__ import annotations

from controller.tournament.items import ITEMS
from tools.terms_page import PAGE, ROOT, page


def test_docs_terms_md_is_what_is_declared() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run `make terms`"


def test_every_item_stands_there_and_says_something() -> None:
    text = page()
    assert [item.name for item in ITEMS if f"`{item.name}`" not in text] == []
    assert [item.name for item in ITEMS if not item.says] == []
