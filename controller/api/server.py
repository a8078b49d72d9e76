"""The daemon's API: JSON over HTTP on a Unix socket, for `felt` and whoever else belongs to the socket's group."""

from __future__ import annotations

import asyncio
import socket
import stat
import time
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path

import msgspec
import structlog
from aiohttp import web

from controller.api import correct, views, wires
from controller.api.counters import Counters, LoopLag
from controller.api.events import Events
from controller.api.faults import Faults
from controller.api.jackpot import JackpotRefused, Jackpots, JackpotUnfit
from controller.api.reports import report_json
from controller.api.technician import Forbidden
from controller.api.trace import Traces
from controller.api.workshop import LARGEST_IMAGE, Workshop
from controller.errors import FeltError
from controller.games import find
from controller.journal.errors import JournalError
from controller.journal.records import Anchor
from controller.journal.store import Journal
from controller.journal.verify import export_anchor
from controller.service.audit import verify
from controller.service.error_place import error_place
from controller.service.listening import Limits, listen, share
from controller.service.table import TableService
from controller.table.view import meter_shown, sign_text
from firmware_bridge.can_health import bus_health

MODE, READ_MODE = 0o660, 0o666
MOST, MOST_READERS = 64, 32  # connections
BODY = 60.0  # seconds for the body of a request
HEADERS = {"Server": "feltd", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
TAIL, LONGEST_TAIL = 20, 1000
PROBE = 0.5  # seconds for whoever may own a socket that is already there

log = structlog.get_logger()
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Api:
    """The API of one table: it asks the running table and reads the journal through the one connection there is."""

    def __init__(
        self,
        name: str,
        service: TableService,
        journal: Journal,
        addresses: Mapping[str, str],
        workshop: Workshop,
        *,
        whole_captures: bool = False,
    ) -> None:
        self._name = name
        self._service = service
        self._journal = journal
        self._addresses = addresses
        self._workshop = workshop
        self._began = time.monotonic()
        self._events = Events(service.engine, journal)
        self._traces = Traces(service, whole=whole_captures)
        self._counters = Counters(service.engine)
        self._lag = LoopLag()
        self._runner: web.AppRunner | None = None
        self._reader: web.AppRunner | None = None
        self._paths: list[Path] = []

    async def start(self, path: Path, read: Path | None = None) -> None:
        """Opens the sockets; raises FeltError when one cannot be had.

        `read`: a second socket where one can look and nothing else.
        """
        app = web.Application(middlewares=[_explained], client_max_size=LARGEST_IMAGE)
        app.add_routes(
            [
                *self._looking(),
                web.get("/journal/tail", self._tail),
                web.get("/journal/verify", self._verify),
                web.get("/journal/anchor", self._anchor),
                web.get("/events", self._events.stream),
                web.post("/correct", self._correct),
                *self._traces.routes(),
                *Faults(self._service, self._workshop.accounts).routes(),
                *self._workshop.routes(),
                *Jackpots(self._service, self._workshop.accounts).routes(),
            ]
        )
        self._runner = await listen(app, self._bound_at(path, MODE), _limits("api", MOST))
        if read is not None:
            look = web.Application(middlewares=[_explained], client_max_size=1)
            look.add_routes([*self._looking(), web.get("/displays", self._displays)])
            try:
                self._reader = await listen(look, self._bound_at(read, READ_MODE), _limits("api read", MOST_READERS))
            except FeltError as error:  # who only looks stops no table
                self._service.closed_doors["read socket"] = error
                log.error(error.code, cause=error.cause, next_step=error.next_step)
        self._lag.start()

    async def stop(self) -> None:
        """Ends every stream, closes the sockets and removes them; harmless twice."""
        self._events.close()
        self._traces.close()
        self._lag.stop()
        runners, self._runner, self._reader = (self._runner, self._reader), None, None
        for runner in runners:
            if runner is not None:
                await runner.cleanup()
        while self._paths:
            self._paths.pop().unlink(missing_ok=True)

    def _looking(self) -> list[web.RouteDef]:
        """Returns the paths that anybody may ask who reaches a socket at all."""
        return [
            web.get("/status", self._status),
            web.get("/devices", self._devices),
            web.get("/metrics", self._metrics),
        ]

    def _bound_at(self, path: Path, mode: int) -> socket.socket:
        listening = _bound(path, mode)
        self._paths.append(path)
        return listening

    # ---- answers

    async def _status(self, _request: web.Request) -> web.Response:
        uptime = time.monotonic() - self._began
        return _json(views.status(self._name, self._service, self._journal.head, uptime))

    async def _devices(self, _request: web.Request) -> web.Response:
        service = self._service
        devices = [
            views.device(
                supervisor,
                self._addresses.get(name, ""),
                service.engine.pending_from(name),
                tampered=name in service.fleet.tampering,
                faults=service.engine.table.faults.get(name),
            )
            for name, supervisor in service.fleet.devices.items()
        ]
        offset = time.time() - asyncio.get_running_loop().time()
        buses = [wires.bus(health, self._addresses, offset) for health in bus_health()]
        return _json({"devices": devices, "buses": buses})

    async def _displays(self, _request: web.Request) -> web.Response:
        table = self._service.engine.table
        return _json(
            {
                "sign": sign_text(table, find(table.game)) if table.game else [],
                "meter": meter_shown(table) if table.game else None,
            }
        )

    async def _metrics(self, _request: web.Request) -> web.Response:
        metrics = await asyncio.to_thread(import_module, "controller.api.metrics")
        body = metrics.render(self._service, self._counters, self._lag)
        return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})

    async def _tail(self, request: web.Request) -> web.Response:
        head = self._service.engine.seq
        limit = min(_number(request, "n", TAIL), LONGEST_TAIL)
        after = _number(request, "after", max(0, head - limit))
        facts = await self._events.read(after, limit)
        return _json({"head": head, "facts": facts})

    async def _verify(self, request: web.Request) -> web.Response:
        anchor = _anchor(request.query.get("anchor"))
        replay = request.query.get("replay", "") in ("1", "true", "yes")
        return _json(report_json(await asyncio.to_thread(verify, self._journal, anchor, replay=replay)))

    async def _anchor(self, _request: web.Request) -> web.Response:
        return _json({"anchor": export_anchor(self._journal).to_text()})

    async def _correct(self, request: web.Request) -> web.Response:
        """Makes a correction, by a supervisor's ruling; or only tries it out, which shows what would change."""
        account = self._workshop.accounts.admit(request)
        try:
            wish = msgspec.json.decode(await request.read(), type=correct.Correction)
        except msgspec.DecodeError as error:
            raise _bad_request(f"the request is not understood: {error}") from None
        engine = self._service.engine
        if engine.defect is not None:
            raise engine.defect
        if wish.preview:
            return _json({"preview": True, "changes": correct.preview(engine, wish)})
        return _json({"preview": False, "changes": await correct.commit(engine, wish, account), "seq": engine.seq})


# ---- requests and refusals


class BadRequest(FeltError):
    """The error of a client that asked for something that does not exist or makes no sense."""


def _bad_request(cause: str) -> BadRequest:
    return BadRequest("api.request", cause)


def _number(request: web.Request, name: str, default: int) -> int:
    text = request.query.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise _bad_request(f"{name} must be a whole number, not {text!r}")
    return int(text)


def _anchor(text: str | None) -> Anchor | None:
    try:
        return None if text is None else Anchor.from_text(text)
    except ValueError:
        raise BadRequest("anchor.invalid", "this is no anchor") from None


_STATUS: dict[type[Exception], int] = {
    correct.CorrectionRefused: 409,
    correct.CorrectionUnfit: 422,
    JackpotRefused: 409,
    JackpotUnfit: 422,
    BadRequest: 400,
    Forbidden: 403,
    JournalError: 503,
    FeltError: 503,
}


@web.middleware
async def _explained(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers every error with code, cause and next step; a body has its bounds and its time."""
    late = asyncio.get_running_loop().call_later(BODY, _hang_up, request) if request.can_read_body else None
    try:
        if (length := request.content_length or 0) > LARGEST_IMAGE:
            raise web.HTTPRequestEntityTooLarge(LARGEST_IMAGE, length)
        return await handler(request)
    except (FeltError, JournalError) as error:
        body = views.error(error)
        if isinstance(error, correct.CorrectionRefused | JackpotRefused):
            body["rule"] = error.rule
        return _json({"error": body}, next(code for kind, code in _STATUS.items() if isinstance(error, kind)))
    except web.HTTPException as error:
        cause = f"{request.method} {request.path}: {error.reason}"
        step = "See docs/api.md for what can be asked."
        return _json({"error": {"code": "api.request", "cause": cause, "next_step": step}}, error.status)
    except ConnectionResetError:
        raise  # the client went away
    except Exception as bug:  # a defect in an answer must not hide behind a bare 500
        log.error("api.defect", path=request.path, what=error_place(bug))
        step = "Keep the daemon's log and call the technician."
        return _json({"error": {"code": "api.defect", "cause": error_place(bug), "next_step": step}}, 500)
    finally:
        if late is not None:
            late.cancel()


def _hang_up(request: web.Request) -> None:
    """Ends a connection whose body does not come."""
    if not request.content.is_eof() and request.transport is not None:
        request.transport.abort()


def _json(data: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(data), status=status, content_type="application/json")


# ---- the socket


def _limits(name: str, most: int) -> Limits:
    least = share(most, 4)
    return Limits(name, least, max(2, least * 3 // 4), HEADERS, _words)


def _words(status: int, reason: str) -> tuple[str, str]:
    step = "Ask again later." if status == 503 else "See docs/api.md for what can be asked."
    error = {"code": "api.request", "cause": reason, "next_step": step}
    return "application/json", msgspec.json.encode({"error": error}).decode()


def _bound(path: Path, mode: int) -> socket.socket:
    """Returns a socket for the group; one that nobody answers on any more is replaced, anything else left alone."""
    _clear_stale(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(path))
        path.chmod(mode)  # nobody can connect before it listens
    except OSError as error:
        listening.close()
        raise FeltError("api.socket", f"{path}: {error.strerror or error}") from None
    return listening


def _clear_stale(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # nothing there, or nothing that we may see: binding will tell
    if not stat.S_ISSOCK(mode):
        raise FeltError("api.not-a-socket", f"{path} is there and is not a socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError:
            pass  # somebody is there, too busy to answer or not for us
    raise FeltError("api.in-use", f"another process answers on {path}")
