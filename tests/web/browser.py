"""A real browser without a window, for the fixtures `page` and `new_page`: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

BINARY = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "no chromium on this machine (Debian: apt install chromium)"
PATIENCE = 30_000  # milliseconds on a busy machine; what has not come by then never will
DESK = (1024, 600)  # the screens that a page must look right on: at the table, and on a wall
TABLET = (768, 1024)
WALL = (1920, 1080)
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # a page that needs another computer fails here
    "--disable-dev-shm-usage",  # containers have little of it
)
CUT_OFF = "Failed to load resource: net::ERR_"  # a page may lose its daemon: many tests are about that
STATUS = "Failed to load resource: the server responded with a status of "
# What a table refuses is an answer like any other: a wrong PIN, a role, a key that is not due, too many wrong PINs.
REFUSED = tuple(f"{STATUS}{n} " for n in (401, 403, 409, 429))
ENDING = f"{STATUS}503 "  # to a page that asks for its stream while the daemon stops
# Comes to an end when the page is in a scene; an observer misses none, however short.
SCENE = """([name, hold]) => new Promise((done) => {
  const look = () => {
    if (document.body.dataset.scene !== name) return;
    observer.disconnect();
    for (let timer = hold ? setTimeout(() => {}) : 0; timer > 0; timer--) clearTimeout(timer);
    done();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {attributes: true});
  look();
})"""
# Pictures are gone, and letters that a picture filled have their own colour.
PLAIN = """() => {
  const plain = new CSSStyleSheet();
  const none = "background-image: none !important; -webkit-text-fill-color: currentcolor !important;";
  plain.replaceSync(`*, ::before, ::after { ${none} }`);
  document.adoptedStyleSheets.push(plain);
}"""

expect.set_options(timeout=PATIENCE)


@asynccontextmanager
async def started() -> AsyncIterator[Browser]:
    """Starts a browser, and ends it.

    Without its sandbox, which root and most containers cannot have: it meets no pages but ours.
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=BINARY, args=FLAGS, chromium_sandbox=False, timeout=PATIENCE
        )
        yield browser
        await browser.close()


async def opened_page(browser: Browser, complaints: list[str]) -> Page:
    """Returns an empty page with nothing in its past, as if in a browser of its own.

    What it logs as an error goes to the complaints: also exceptions, and what the security policy blocked.
    """

    def logged(message: ConsoleMessage) -> None:
        at = message.location["url"]
        ending = message.text.startswith(ENDING) and at.endswith("/events")
        if message.type == "error" and not ending and not message.text.startswith((CUT_OFF, *REFUSED)):
            complaints.append(f"{message.text} {at}".strip())

    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    page.on("console", logged)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


async def scene(page: Page, name: str, hold: bool = False) -> None:
    """Waits until the page is in this scene, if only for a moment: `expect` looks once a second and may miss it.

    `hold` stops the timers of the page at that moment, so that scenes which take turns do so no more until it is loaded
    again.
    """
    try:
        async with asyncio.timeout(PATIENCE / 1000):
            await page.evaluate(SCENE, [name, hold])
    except TimeoutError:
        now = await page.locator("body").get_attribute("data-scene")
        raise AssertionError(f"the page never came to {name!r}; it is in {now!r}") from None


async def size(page: Page, screen: tuple[int, int]) -> None:
    """Makes the screen so many pixels wide and high, and waits until the page has laid itself out anew."""
    await page.set_viewport_size({"width": screen[0], "height": screen[1]})
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def no_motion(page: Page) -> None:
    """Makes the browser ask for pages without motion, as a person can: every state is there at once."""
    await page.emulate_media(reduced_motion="reduce")


async def check_accessible(page: Page, part: str | None = None) -> None:
    """Fails with what axe finds on the page as it stands, or on a part of it.

    Call `no_motion` first, or it meets letters half faded in.

    Axe cannot tell whether letters stand out from a picture.  So pictures are taken away for a moment, and the letters
    must stand out from the plain colour below.
    """
    await page.evaluate(PLAIN)
    found = await Axe().run(page, context=part)
    await page.evaluate("document.adoptedStyleSheets.pop()")
    assert found.violations_count == 0, found.generate_report()
    unsure = [node["html"] for rule in found.response["incomplete"] for node in rule["nodes"]]
    assert unsure == [], unsure  # what axe cannot decide, a person would have to
