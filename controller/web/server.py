"""The public listener: pages for screens, and the narrow streams that feed them.  Nothing else is reached here."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec
import structlog
from aiohttp import web

from controller.errors import FeltError
from controller.service.displays import milliseconds
from controller.service.error_place import error_place
from controller.service.listening import Limits, listen, send, share
from controller.service.table import TableService
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.views import pages
from controller.views.meter_face import OFFERED

BEAT: Final = 0.75  # seconds: a page that hears nothing for two of them says that it is cut off
PATIENCE: Final = 10_000  # milliseconds for a client that does not read, or is not there any more
MOST: Final = 128  # connections
MOST_STREAMS: Final = 64
PAGES: Final = ("jackpot", "limits")
KINDS: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Server": "feltd",
}

log = structlog.get_logger()
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages:
    """Serves the pages of one table."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._files = _static()
        self._version = _version(self._files.values())
        self._news = asyncio.Event()
        self._closing = False
        self._streams = 0
        self._runner: web.AppRunner | None = None
        service.outputs.displays.listeners.append(self._wake)
        service.storage.listeners.append(self._wake)
        service.engine.listeners.append(self._followed)

    async def start(self, host: str, port: int) -> str:
        """Listens, and returns the address for a browser.  Raises FeltError when the port cannot be had."""
        app = web.Application(middlewares=[_guarded])
        app.add_routes(
            [
                web.get("/", self._entrance),
                web.get("/display/static/{name}", self._static),
                web.get("/display/{page}", self._page),
                web.get("/display/{page}/events", self._stream),
            ]
        )
        listening = _bound(host, port)
        at = listening.getsockname()
        self._runner = await listen(app, listening, _limits())
        return f"http://[{at[0]}]:{at[1]}" if ":" in at[0] else f"http://{at[0]}:{at[1]}"

    async def stop(self) -> None:
        """Ends every stream and closes the port; harmless twice."""
        self._closing = True
        self._wake()
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    # ---- pages

    async def _entrance(self, _request: web.Request) -> web.StreamResponse:
        offered = self._service.outputs.displays.face.offer in OFFERED
        raise web.HTTPFound(f"/display/{'jackpot' if offered else 'limits'}")

    async def _page(self, request: web.Request) -> web.StreamResponse:
        page = request.match_info["page"]
        if page not in PAGES:
            raise web.HTTPNotFound
        return self._file(f"{page}.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return self._file(request.match_info["name"])

    def _file(self, name: str) -> web.Response:
        if name not in self._files:
            raise web.HTTPNotFound
        kind = KINDS[name[name.rindex(".") :]]
        return web.Response(body=self._files[name], content_type=kind, charset="utf-8")

    # ---- streams

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        page = request.match_info["page"]
        if page not in PAGES:
            raise web.HTTPNotFound
        if self._streams >= MOST_STREAMS or self._closing:
            raise web.HTTPServiceUnavailable
        self._streams += 1
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        try:
            await response.prepare(request)
            await self._feed(request, response, page)
        except ConnectionResetError:
            pass  # the client went away
        finally:
            self._streams -= 1
        return response

    async def _feed(self, request: web.Request, response: web.StreamResponse, page: str) -> None:
        last = b""
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        while not self._closing:
            news = self._news  # taken before looking, so that nothing can happen unheard in between
            data = msgspec.json.encode(self._picture(page))
            if data != last:
                last = data
                await send(request, response, b"event: picture\ndata: %s\n\n" % data)
            else:
                await send(request, response, b"event: beat\ndata: .\n\n")
            try:
                async with asyncio.timeout(BEAT):
                    await self._changed(page, last, news)
            except TimeoutError:
                continue

    async def _changed(self, page: str, last: bytes, news: asyncio.Event) -> None:
        """Waits until the picture is another one: most of what happens at a table does not show here."""
        while not self._closing:
            await news.wait()
            news = self._news
            if msgspec.json.encode(self._picture(page)) != last:
                return

    def _picture(self, page: str) -> pages.Json:
        service = self._service
        if page == "jackpot":
            return pages.jackpot(service.outputs.displays.face, milliseconds(), service.outputs.displays.style)
        table = service.engine.table
        sign = pages.limits(table, service.engine.game if table.game else None, service.engine.table_time())
        return sign if service.storage.error is None else pages.out_of_service(sign)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


@web.middleware
async def _guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers errors with no more than a public port must say."""
    try:
        return await handler(request)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        return web.Response(status=answer.status, text=f"{answer.reason}\n")
    except ConnectionResetError:
        raise  # the client went away
    except Exception as bug:
        log.error("web.defect", path=request.path, what=error_place(bug))
        return web.Response(status=500, text="a mistake of the daemon\n")


def _limits() -> Limits:
    most = share(MOST, 2)
    return Limits("pages", most, max(4, most // 2), HEADERS, lambda status, reason: ("text/plain", f"{reason}\n"))


def _static() -> dict[str, bytes]:
    contents = {entry.name: entry.read_bytes() for entry in (files("controller.web") / "static").iterdir()}
    return dict(sorted(contents.items()))


def _version(contents: Iterable[bytes]) -> str:
    """Returns a word for these files: with another one a page that was loaded earlier is out of date."""
    return sha256(b"\0".join(contents)).hexdigest()[:16]


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, PATIENCE)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise FeltError("web.listen", f"{host}:{port}: {error.strerror or error}") from None
    return listening
