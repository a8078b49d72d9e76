"""The pictures in the documents show what the pages show now.

What is compared is the page as a screen reader finds it: its parts and their words, which every picture carries with
it.  Pixels are not compared, as fonts differ between machines; nor are times of day, as machines live in several zones.
`make pictures` takes all pictures anew.
"""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.web.browser import DESK
from tests.web.pictures import STORIES
from tests.web.png import size_of, words_in, write_picture

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
ANEW = os.environ.get("FELT_PICTURES") == "anew"
CALM = 0.3  # seconds after which nothing more comes, when nobody does anything
AT_LAST = 5.0
AT_MOST = 1_500_000  # bytes of all pictures: everybody who clones the repository gets them


async def words_of(page: Page) -> str:
    """The parts of a page and their words, without days and times of day."""
    snapshot = re.sub(r"\b\d\d:\d\d\b", "--:--", await page.locator("body").aria_snapshot())
    return re.sub(r"\b\d\d/\d\d(?=,? --:--)", "--/--", snapshot)


async def says(page: Page, wanted: str) -> None:
    """Waits until the page says this, or no longer: what happened last may come a moment after what lies there."""
    with suppress(TimeoutError):
        async with asyncio.timeout(AT_LAST):
            while await words_of(page) != wanted:  # noqa: ASYNC110
                await asyncio.sleep(CALM)


@pytest.mark.parametrize("story", STORIES)
async def test_a_picture_shows_what_the_page_shows(story: str, page: Page, tmp_path: Path) -> None:
    play, names = STORIES[story]
    seen = []
    async for name in play(page, tmp_path):
        seen.append(name)
        picture = PICTURES / f"{name}.png"
        if ANEW:
            await asyncio.sleep(CALM)
            await write_picture(picture, page, await words_of(page))
        wanted = words_in(picture)
        await says(page, wanted)
        assert await words_of(page) == wanted, f"{name} shows what is no more: make pictures, and look at it"
    assert tuple(seen) == names


def test_every_picture_is_taken_and_used_and_all_are_small() -> None:
    taken = {f"{name}.png" for _, names in STORIES.values() for name in names}
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    used = {name for page in pages for name in re.findall(r"!\[[^\]]+\]\([\w/.]*pictures/([^)]+)\)", page.read_text())}
    there = {path.name for path in PICTURES.iterdir()}
    assert there == taken
    assert used == taken
    assert {size_of(path) for path in PICTURES.iterdir()} == {DESK}
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < AT_MOST
