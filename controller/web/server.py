"""The public listener: pages for screens, and the narrow streams that feed them.  Nothing else is reached here."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import structlog
from aiohttp import web

from controller.errors import FeltError
from controller.service import deck_routes, float_routes, floor_routes, tournament_routes
from controller.service.deck_door import DeckDoor
from controller.service.displays import milliseconds
from controller.service.error_place import error_place
from controller.service.listening import Limits, listen, send, share
from controller.service.mounting import DECLARED, Answered, mount
from controller.service.openapi import index
from controller.service.protection_door import protecting
from controller.service.routes import INDEX
from controller.service.table import TableService
from controller.service.tournament_door import TournamentDoor
from controller.service.tournaments import Tournaments
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.views import pages
from controller.views.meter_face import OFFERED
from controller.views.words import TEST_WORDS
from controller.web import plain_pages, routes
from controller.web.alerts import AlertLook
from controller.web.decks import DeckLook
from controller.web.devices import DeviceLook, DeviceSource, resetting
from controller.web.felt import FeltFeed, KeysLook
from controller.web.frame import framed, marked
from controller.web.people import PageDoor

if TYPE_CHECKING:
    from controller.service.figures import TableFigures
    from controller.service.float_desk import FloatDesk
    from controller.service.floor_watch import FloorWatch
    from controller.service.own_table import OwnTable
    from controller.service.witness_door import Cosigning
    from controller.web.chips import Chips

BEAT: Final = 0.75  # seconds: a page that hears nothing for two of them says that it is cut off
PATIENCE: Final = 10_000  # milliseconds for a client that does not read, or is not there any more
PAUSE: Final = 0.05  # seconds between two pictures of the console: a deal brings many facts in one moment
MOST: Final = 128  # connections
MOST_STREAMS: Final = 64
LONGEST: Final = 18  # digits of a number that a page says it had last
METER: Final = "jackpot"
PAGES: Final = {METER: "Gives the display of the prize meter.", "limits": "Gives the limit sign."}
TITLE: Final = "The pages of a table"
MOUNTS: Final = b"<!-- extensions -->"  # where the felt page names what others add to it
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


class Extension(NamedTuple):
    """What somebody adds to the felt page: files of its own, and what these may ask.

    `files` are served beside ours; scripts and style sheets among them are loaded by the page.
    """

    files: Mapping[str, bytes]
    routes: Sequence[Answered]


class Pages:
    """Serves the pages of one table."""

    def __init__(
        self,
        service: TableService,
        extension: Extension | None = None,
        names: Collection[str] = (),
        devices: DeviceSource | None = None,
        own: OwnTable | None = None,
        floor: FloorWatch | None = None,
        figures: TableFigures | None = None,
        float_desk: FloatDesk | None = None,
        witness: Cosigning | None = None,
    ) -> None:
        self._service = service
        self._figures, self._float_desk = figures, float_desk
        self._own, self._floor, self._witness = own, floor, witness
        self._extension = extension
        self._devices = devices
        self._door = PageDoor(service.doorkeeper, names)
        self._decks = DeckDoor(service.engine, self._door, named=True)
        self._files = _static() | _extended(extension)
        if service.test:
            self._files = marked(self._files, TEST_WORDS)
        self._version = _version(self._files.values())
        self._felt = FeltFeed(service)
        self._news = asyncio.Event()
        self._closing = False
        self._streams = 0
        self._runner: web.AppRunner | None = None
        service.outputs.displays.listeners.append(self._wake)
        service.storage.listeners.append(self._wake)
        service.engine.listeners.append(self._followed)

    async def start(self, host: str, port: int) -> str:
        """Listens, and returns the address for a browser.  Raises FeltError when the port cannot be had."""
        app = web.Application(middlewares=[_guarded, self._door.only_our_pages_write])
        mount(
            app,
            TITLE,
            [
                (INDEX, self._entrance),
                (routes.STATIC, self._static),
                (routes.DISPLAY, self._page),
                (routes.DISPLAY_EVENTS, self._stream),
                (routes.TABLE, self._table),
                (routes.TABLE_EVENTS, self._table_stream),
                (routes.DEVICES, self._devices_page),
                (routes.DEVICES_EVENTS, self._devices_stream),
                resetting(self._service, self._door),
                (routes.CONSOLE, self._console),
                (routes.CONSOLE_EVENTS, self._console_stream),
                (deck_routes.PAGE, self._decks_page),
                (deck_routes.EVENTS, self._decks_stream),
                *self._decks.looking(),
                *self._decks.doing(),
                *(self._own.routes() if self._own is not None else ()),
                *(self._witness.routes() if self._witness is not None else ()),
                *self._floor_routes(),
                *self._report_routes(),
                *self._tournament_routes(),
                *(self._extension.routes if self._extension is not None else ()),
                *protecting(self._service.protection, self._service.engine, self._door, private=True),
                *self._door.routes(),
            ],
        )
        self._felt.begin()
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

    async def _entrance(self, request: web.Request) -> web.StreamResponse:
        """Lists what there is here; the page of the prize meter only where the table has one."""
        offered = self._service.outputs.displays.face.offer in OFFERED
        routes_here = request.app[DECLARED]
        if plain_pages.wants_page(request):
            shown = {name: says for name, says in PAGES.items() if offered or name != METER}
            return plain_pages.index_page(TITLE, routes_here, shown)
        return web.Response(body=msgspec.json.encode(index(TITLE, routes_here)), content_type="application/json")

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

    async def _table(self, _request: web.Request) -> web.StreamResponse:
        return self._file("table.html")

    async def _devices_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("devices.html")

    async def _console(self, _request: web.Request) -> web.StreamResponse:
        return self._file("console.html")

    # ---- numbers

    def _report_routes(self) -> list[Answered]:
        answered: list[Answered] = []
        if self._figures is not None:
            from controller.web.report import reporting  # not before somebody may ask

            answered += [(routes.REPORT, self._report_page), reporting(self._figures, self._door)]
        if self._figures is not None and self._float_desk is not None:
            from controller.web.chips import Chips

            chips = Chips(self._service.engine, self._figures, self._float_desk, self._door)
            answered.append((float_routes.PAGE, self._chips_page))
            answered.append((float_routes.EVENTS, partial(self._chips_stream, chips)))
            answered += self._float_desk.routes(self._door)
        return answered

    async def _chips_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("chips.html")

    async def _chips_stream(self, chips: Chips, request: web.Request) -> web.StreamResponse:
        return await self._streamed(request, partial(self._feed_chips, chips, request))

    async def _feed_chips(self, chips: Chips, request: web.Request, response: web.StreamResponse) -> None:
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        await chips.feed(request, response, lambda: self._closing, BEAT)

    async def _report_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("report.html")

    async def _decks_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("decks.html")

    # ---- the floor, at a table that watches others

    def _floor_routes(self) -> list[Answered]:
        if self._floor is None:
            return []
        from controller.service.floor_door import acknowledging  # a table that watches nobody has no need of it

        page, stream = (floor_routes.PAGE, self._floor_page), (floor_routes.EVENTS, self._floor_stream)
        return [page, stream, acknowledging(self._floor, self._door)]

    async def _floor_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("floor.html")

    async def _floor_stream(self, request: web.Request) -> web.StreamResponse:
        return await self._streamed(request, partial(self._feed_floor, request))

    async def _feed_floor(self, request: web.Request, response: web.StreamResponse) -> None:
        from controller.web.floor import feed_floor

        assert self._floor is not None
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        await feed_floor(self._floor, request, response, lambda: self._closing, BEAT)

    # ---- tournaments

    def _tournament_routes(self) -> list[Answered]:
        cups = self._service.tournaments
        if cups is None:
            return []
        return [
            *TournamentDoor(cups, self._door, private=True).routes(),
            (tournament_routes.LIST_PAGE, partial(self._cups_page, cups)),
            (tournament_routes.OPEN_PAGE, self._terms_page),
            (tournament_routes.ROOM_PAGE, partial(self._cup_page, cups, "tournament.html")),
            (tournament_routes.DESK_PAGE, partial(self._cup_page, cups, "desk.html")),
            (tournament_routes.EVENTS, partial(self._cup_stream, cups)),
        ]

    async def _cups_page(self, cups: Tournaments, _request: web.Request) -> web.StreamResponse:
        try:
            known = await cups.all()
        except FeltError:
            raise web.HTTPServiceUnavailable from None
        return plain_pages.cups_page((kept.head.name, kept.head.game) for kept in known)

    async def _terms_page(self, _request: web.Request) -> web.StreamResponse:
        return self._file("terms.html")

    async def _cup_page(self, cups: Tournaments, page: str, request: web.Request) -> web.StreamResponse:
        await _find_cup(cups, request)
        return self._file(page)

    async def _cup_stream(self, cups: Tournaments, request: web.Request) -> web.StreamResponse:
        await _find_cup(cups, request)
        return await self._streamed(request, partial(self._feed_cup, cups, request))

    async def _feed_cup(self, cups: Tournaments, request: web.Request, response: web.StreamResponse) -> None:
        from controller.web.tournament import feed_cup

        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        await feed_cup(cups, request, response, lambda: self._closing, BEAT)

    # ---- streams

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        page = request.match_info["page"]
        if page not in PAGES:
            raise web.HTTPNotFound
        return await self._streamed(request, lambda response: self._feed(request, response, page))

    async def _table_stream(self, request: web.Request) -> web.StreamResponse:
        return await self._streamed(request, partial(self._feed_table, request, _had(request), self._felt.picture))

    async def _console_stream(self, request: web.Request) -> web.StreamResponse:
        return await self._streamed(request, partial(self._feed_console, request))

    async def _decks_stream(self, request: web.Request) -> web.StreamResponse:
        picture = DeckLook(self._decks, self._door, request).picture
        return await self._streamed(request, lambda response: self._feed_pictures(request, response, picture))

    async def _feed_console(self, request: web.Request, response: web.StreamResponse) -> None:
        """Sends the keys as they are declared, again when there are others, as in a tournament; and how they stand.

        Who could clear alerts of game protection is told those that wait.
        """
        alerts, keys = AlertLook(self._service.engine, self._door, request).news, KeysLook(self._felt).news
        await self._feed_table(
            request, _had(request), self._felt.console, response, pause=PAUSE, also=lambda: keys() + alerts()
        )

    async def _devices_stream(self, request: web.Request) -> web.StreamResponse:
        if self._devices is None:
            raise web.HTTPNotFound
        try:
            look = DeviceLook(self._service, self._devices, self._door, request)
        except FeltError:  # a browser that was led here by a name of others
            raise web.HTTPForbidden from None
        return await self._streamed(request, lambda response: self._feed_devices(request, response, look))

    async def _streamed(
        self, request: web.Request, feed: Callable[[web.StreamResponse], Awaitable[None]]
    ) -> web.StreamResponse:
        if self._streams >= MOST_STREAMS or self._closing:
            raise web.HTTPServiceUnavailable
        self._streams += 1
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        try:
            await response.prepare(request)
            await feed(response)
        except ConnectionResetError:
            pass  # the client went away
        finally:
            self._streams -= 1
        return response

    async def _feed(self, request: web.Request, response: web.StreamResponse, page: str) -> None:
        await self._feed_pictures(request, response, lambda: msgspec.json.encode(self._picture(page)))

    async def _feed_pictures(
        self, request: web.Request, response: web.StreamResponse, picture: Callable[[], bytes]
    ) -> None:
        """Sends a picture whenever it is another one, and something at least every beat."""
        last = b""
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        while not self._closing:
            news = self._news  # taken before looking, so that nothing can happen unheard in between
            data = picture()
            if data != last:
                last = data
                await send(request, response, b"event: picture\ndata: %s\n\n" % data)
            else:
                await send(request, response, b"event: beat\ndata: .\n\n")
            try:
                async with asyncio.timeout(BEAT):
                    await self._changed(picture, last, news)
            except TimeoutError:
                continue

    async def _feed_table(
        self,
        request: web.Request,
        after: int | None,
        picture: Callable[[], bytes],
        response: web.StreamResponse,
        *,
        pause: float = 0.0,
        also: Callable[[], bytes] = bytes,
    ) -> None:
        """Sends what happened and the picture that it led to together: no page is told of one without the other.

        `pause`: seconds between two pictures, for one that takes some time to draw; `also`: further events.
        """
        last = b""
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        while not self._closing:
            news, seq = self._news, self._felt.seq  # taken before looking
            happened, data = b"".join(self._felt.events(after)), picture()
            event = b"beat\ndata: ." if data == last else b"picture\ndata: %s" % data
            after, last = seq, data
            await send(request, response, b"%s%sid: %d\nevent: %s\n\n" % (also(), happened, seq, event))
            try:
                async with asyncio.timeout(BEAT):
                    await news.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(pause)

    async def _feed_devices(self, request: web.Request, response: web.StreamResponse, look: DeviceLook) -> None:
        await send(request, response, b"retry: 1000\nevent: version\ndata: %s\n\n" % self._version.encode())
        while not self._closing:
            await send(request, response, b"event: picture\ndata: %s\n\n" % look.picture())
            await asyncio.sleep(BEAT)

    async def _changed(self, picture: Callable[[], bytes], last: bytes, news: asyncio.Event) -> None:
        """Waits until the picture is another one: most of what happens at a table does not show here."""
        while not self._closing:
            await news.wait()
            news = self._news
            if picture() != last:
                return

    def _picture(self, page: str) -> pages.Json:
        service = self._service
        if page == "jackpot":
            return pages.jackpot(service.outputs.displays.face, milliseconds(), service.outputs.displays.style)
        table = service.engine.table
        sign = pages.limits(table, service.engine.game if table.game else None, service.engine.table_time())
        return sign if service.storage.error is None else pages.out_of_service(sign)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._felt.followed(seq, fact, table, effects)
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


async def _find_cup(cups: Tournaments, request: web.Request) -> None:
    """Raises an error of HTTP when there is no such tournament; while nobody can tell, the page says so itself."""
    try:
        await cups.look(request.match_info["name"])
    except FeltError as error:
        if error.code == "tournament.unknown":
            raise web.HTTPNotFound from None


@web.middleware
async def _guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers errors with no more than a public port must say."""
    try:
        return await handler(request)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        response = plain_pages.refusal(request, answer.status, answer.reason)
        if isinstance(answer, web.HTTPMethodNotAllowed):
            response.headers["Allow"] = answer.headers["Allow"]
        return response
    except ConnectionResetError:
        raise  # the client went away
    except Exception as bug:
        log.error("web.defect", path=request.path, what=error_place(bug))
        return plain_pages.refusal(request, 500, "a mistake of the daemon")


def _had(request: web.Request) -> int | None:
    """Returns the event that a page says it had last; None when it knows nothing yet."""
    had = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    return int(had) if had.isascii() and had.isdigit() and len(had) <= LONGEST else None


def _limits() -> Limits:
    most = share(MOST, 2)
    return Limits("pages", most, max(4, most // 2), HEADERS, _words)


def _words(status: int, reason: str) -> tuple[str, str]:
    """Returns the answer to what is no request, or one too many."""
    step = "Ask again later." if status == 503 else "Ask as HTTP/1.1 has it."
    error = {"code": "web.request", "cause": reason, "next_step": step}
    return "application/json", msgspec.json.encode({"error": error}).decode()


def _static() -> dict[str, bytes]:
    contents = {entry.name: entry.read_bytes() for entry in (files("controller.web") / "static").iterdir()}
    return dict(sorted(framed(contents).items()))


def _extended(extension: Extension | None) -> dict[str, bytes]:
    """Returns the files of an extension, and the felt page that loads them."""
    page = (files("controller.web") / "static" / "table.html").read_bytes()
    added = extension.files if extension is not None else {}
    tags = {
        ".css": '<link rel="stylesheet" href="/display/static/{}">',
        ".js": '<script type="module" src="/display/static/{}"></script>',
    }
    mounted = [tag.format(name) for name in added for end, tag in tags.items() if name.endswith(end)]
    return {"table.html": page.replace(MOUNTS, "\n".join(mounted).encode()), **added}


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
