"""How every API of a table answers: JSON, errors with code, cause and next step, a socket of its own."""

from __future__ import annotations

import asyncio
import socket
import stat
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path

import msgspec
import structlog
from aiohttp import web
from aiohttp.typedefs import Middleware

from controller.api import correct, routes, views
from controller.api.answers import answer
from controller.api.jackpot import JackpotRefused, JackpotUnfit
from controller.api.query import BadRequest, NotFound
from controller.api.technician import Forbidden
from controller.api.workshop import LARGEST_IMAGE
from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.service.error_place import error_place
from controller.service.listening import Limits, share
from controller.service.statuses import STATUS, UNAUTHENTICATED

MODE, READ_MODE = 0o660, 0o666
MOST, MOST_READERS = 64, 32  # connections
LARGEST_BODY = 64 * 1024  # bytes of a request that brings no firmware
BODY = 60.0  # seconds for the body of a request
HEADERS = {"Server": "feltd", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
PROBE = 0.5  # seconds for whoever may own a socket that is already there

log = structlog.get_logger()
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


# ---- refusals


KINDS: dict[type[Exception], int] = {  # of errors whose code is not among the statuses
    correct.CorrectionRefused: 409,
    correct.CorrectionUnfit: 422,
    JackpotRefused: 409,
    JackpotUnfit: 422,
    BadRequest: 400,
    NotFound: 404,
    Forbidden: 403,
    JournalError: 503,
    FeltError: 503,
}


@web.middleware
async def explained(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers every error with code, cause and next step; a body has its bounds and its time."""
    late = asyncio.get_running_loop().call_later(BODY, _hang_up, request) if request.can_read_body else None
    try:
        if (length := request.content_length or 0) > (most := _largest(request)):
            raise web.HTTPRequestEntityTooLarge(most, length)
        return await handler(request.clone(client_max_size=most))  # one in chunks does not say how long it is
    except (FeltError, JournalError) as error:
        body = views.error(error)
        if isinstance(error, correct.CorrectionRefused | JackpotRefused):
            body["rule"] = error.rule
        response = answer({"error": body}, status_of(error))
        if response.status == HTTPStatus.UNAUTHORIZED:
            response.headers.update(UNAUTHENTICATED)
        return response
    except web.HTTPException as error:
        cause = f"{request.method} {request.path}: {error.reason}"
        step = "See docs/api.md for what can be asked."
        response = answer({"error": {"code": "api.request", "cause": cause, "next_step": step}}, error.status)
        if isinstance(error, web.HTTPMethodNotAllowed):
            response.headers["Allow"] = error.headers["Allow"]
        return response
    except ConnectionResetError:
        raise  # the client went away
    except Exception as bug:  # a defect in an answer must not hide behind a bare 500
        log.error("api.defect", path=request.path, what=error_place(bug))
        step = "Keep the daemon's log and call the technician."
        return answer({"error": {"code": "api.defect", "cause": error_place(bug), "next_step": step}}, 500)
    finally:
        if late is not None:
            late.cancel()


def only_shows(whole: Path) -> Middleware:
    """Returns what lets a door that only shows say so of what it does not answer; `whole` is the socket that may."""

    @web.middleware
    async def shown(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            cause = f"{request.method} {request.path}: this socket only shows the table, and does not answer that"
            raise FeltError("api.read-only", cause, f"Ask at {whole}: name it with --socket or FELT_SOCKET.") from None

    return shown


def status_of(error: FeltError | JournalError) -> int:
    """Returns the status with which an error is answered: that of its code, or else of its kind."""
    return STATUS.get(error.code) or next(status for kind, status in KINDS.items() if isinstance(error, kind))


def _largest(request: web.Request) -> int:
    """Returns how large the body of a request may be."""
    resource = request.match_info.route.resource
    return LARGEST_IMAGE if resource is not None and resource.canonical == routes.FLASH.path else LARGEST_BODY


def _hang_up(request: web.Request) -> None:
    """Ends a connection whose body does not come."""
    if not request.content.is_eof() and request.transport is not None:
        request.transport.abort()


# ---- the socket


def limits(name: str, most: int) -> Limits:
    least = share(most, 4)
    return Limits(name, least, max(2, least * 3 // 4), HEADERS, _words)


def _words(status: int, reason: str) -> tuple[str, str]:
    step = "Ask again later." if status == 503 else "See docs/api.md for what can be asked."
    error = {"code": "api.request", "cause": reason, "next_step": step}
    return "application/json", msgspec.json.encode({"error": error}).decode()


def bound(path: Path, mode: int) -> socket.socket:
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
