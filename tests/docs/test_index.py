"""A reader finds every page: the index names them all, and the first page of the repository is short."""

from __future__ import annotations

import re

from tests.docs.blocks import ROOT

DOCS = ROOT / "docs"
MOST = 250  # lines that somebody reads who only wants to know what this is


def links(path: str) -> set[str]:
    return set(re.findall(r"\]\(([^)#:]+)\)", (ROOT / path).read_text(encoding="utf-8")))


def test_the_index_names_every_page() -> None:
    pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    assert pages - links("docs/README.md") == set()


def test_the_first_page_is_short_and_leads_on() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST
    assert "docs/README.md" in links("README.md")
    first_screen = text.partition("\n## ")[0]
    assert "make demo" in first_screen and "![" in first_screen
