"""Names and texts with markup in them, on every page that there is: each is shown as text, and no script runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
from playwright.async_api import expect

from controller.table.facts import AlertRaised, BadgePresented, DeckDeed, DeviceFault, FloatMoved, Hold, SignedIn
from controller.web.people import COOKIE
from controller.web.server import HEADERS
from tests.api.doors import Doors, three_doors
from tests.searches import times
from tests.web.conftest import NewPage

SHOWING = ("/console", "/floor", "/table")  # who is signed in, or what is wrong, stands on these
RUN = "window.hostile=1"
MARKUP = (
    f"<script>{RUN}</script>",
    f'<img src="x" onerror="{RUN}">',
    f"<svg onload={RUN}>",
    f'"><b onmouseover="{RUN}" id="hostile">x</b>',
    f"</title></style></textarea><script>{RUN}</script>",
    f"javascript:{RUN}",
    f"${{{RUN}}} {{{{7*7}}}} <!-- -->",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"\u202e<a href='//elsewhere/{RUN}'>x</a>\u0007",
)


@pytest_asyncio.fixture(loop_scope="session")
async def doors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Doors]:
    async with three_doors(tmp_path, monkeypatch) as doors:
        yield doors


async def say(doors: Doors, r: Random) -> None:
    """Lets everything that has a text have a hostile one."""
    engine = doors.floor.engine
    one, two = r.sample(MARKUP, 2)
    for fact in (
        SignedIn(one, "77", "dealer", "console"),
        BadgePresented(two, one),
        DeviceFault("shoe", "shoe.jam", two),
        Hold("shoe.jam", one, "shoe"),
        AlertRaised(two, "fault", one, two, 5, one),
        DeckDeed("open", one, "supervisor", "page", deck=1, colour=two, serial=one, note=two),
        FloatMoved("opening", 5_000, one, "supervisor", "page", slip=two, note=one, witness=two),
    ):
        await engine.submit(fact)


async def test_markup_is_text_on_every_page(doors: Doors, new_page: NewPage) -> None:
    for n in range(times(3)):
        await say(doors, Random(n))
    sessions = doors.floor.daemon.service.doorkeeper.sessions
    token, _ = sessions.open(MARKUP[0], "casino-manager", "page 127.0.0.1", -1)
    paths = [each.path for each in doors.pages.routes if each.media == "text/html" and not each.names]
    assert set(SHOWING) <= set(paths)
    for path in paths:
        page = await new_page()
        await page.context.add_cookies([{"name": COOKIE, "value": token, "url": doors.pages.at}])
        answer = await page.goto(doors.pages.at + path)
        assert answer is not None and answer.status == 200, path
        assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
        if path in SHOWING:
            await expect(page.locator("body")).to_contain_text("hostile")
        assert await page.evaluate("window.hostile") is None, path
        for made in ("#hostile", "img[src=x]", "svg[onload]", "iframe", "a[href*=elsewhere]", "[onerror]"):
            assert await page.locator(made).count() == 0, (path, made)
