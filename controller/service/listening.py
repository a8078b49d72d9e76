"""Listeners that nobody outside can starve the table through: bounded connections, bounded patience, our own answers.

The daemon needs its file descriptors for devices and the journal first; a listener gets a share of what is left.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import structlog
from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from controller.service.error_place import error_place

RESERVED: Final = 128  # descriptors for devices, journal, meter and log, which no listener may take
HEADER: Final = 5.0  # seconds for a whole request header, from the first byte on or before it
IDLE: Final = 15.0  # seconds that a connection may wait for its next request
LINGER: Final = 2.0  # seconds for the rest of a body that nobody reads
STUCK: Final = 10.0  # seconds for a client that does not take what is streamed to it
SHUTDOWN: Final = 1.0  # seconds for answers under way
BACKLOG: Final = 32  # accepted at once; the kernel keeps others waiting
POLICY: Final = "Content-Security-Policy"
_CREDENTIALS: Final = struct.Struct("3i")

log = structlog.get_logger()
Body = Callable[[int, str], tuple[str, str]]  # status and reason -> content type and text


@dataclass
class Limits:
    """The numbers of connections that a listener takes, in all and from one peer.

    A peer is an address, or an account on a Unix socket.
    """

    name: str
    most: int
    of_one: int
    headers: Mapping[str, str]  # of every answer, those of the framework too
    body: Body
    open: Counter[str] = field(default_factory=Counter)
    refused: int = 0

    def enter(self, peer: str) -> bool:
        """Counts a connection; False when it is one too many."""
        if self.open.total() >= self.most or self.open[peer] >= self.of_one:
            self.refused += 1
            log.warning("listener.full", listener=self.name, open=self.open.total())
            return False
        self.open[peer] += 1
        return True

    def leave(self, peer: str) -> None:
        """Counts a connection that ended."""
        self.open[peer] -= 1
        if not self.open[peer]:
            del self.open[peer]


def share(most: int, part: int, soft: int | None = None) -> int:
    """Returns how many connections a listener may have: `most`, or its part of the descriptors that are left.

    >>> share(128, 2, soft=1024), share(128, 2, soft=192), share(128, 2, soft=64)
    (128, 32, 4)
    """
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if soft is None else soft
    if soft == resource.RLIM_INFINITY:
        return most
    return min(most, max(4, (soft - RESERVED) // part))


def peer_of(transport: asyncio.BaseTransport) -> str:
    """Returns who is at the other end: an address, or an account."""
    end = transport.get_extra_info("socket")
    if end is not None and end.family == socket.AF_UNIX:
        _, uid, _ = _CREDENTIALS.unpack(end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
        return f"account {uid}"
    name = transport.get_extra_info("peername")
    return str(name[0]) if name else "?"


class Guarded(RequestHandler):
    """One connection that must come to the point, and whose errors are answered in our words."""

    __slots__ = ("_late", "_limits", "_peer")

    def __init__(self, limits: Limits, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits
        self._peer: str | None = None  # None: it was not let in
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = peer_of(transport)
        if not self._limits.enter(peer):
            transport.write(self._refusal())
            transport.close()
            return
        self._peer = peer
        self._late = asyncio.get_running_loop().call_later(HEADER, transport.abort)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._peer is None:
            return
        super().data_received(data)
        if self._late is not None and self._request_count:
            self._late.cancel()  # from now on the time between requests is what counts
            self._late = None

    def eof_received(self) -> None:
        if self._peer is not None:
            super().eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._peer is None:
            return
        if self._late is not None:
            self._late.cancel()
        self._limits.leave(self._peer)
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answers what is no request, and what went wrong before our own handlers were asked."""
        if exc is not None:
            log.warning("listener.request", listener=self._limits.name, status=status, what=error_place(exc))
        if request.writer.output_size > 0:
            raise ConnectionError("an answer was begun already")
        kind, text = self._limits.body(status, HTTPStatus(status).phrase)
        answer = web.Response(status=status, text=text, content_type=kind, headers=self._limits.headers)
        answer.force_close()
        return answer

    def _refusal(self) -> bytes:
        kind, text = self._limits.body(503, "too many connections")
        headers = {**self._limits.headers, "Content-Type": kind, "Retry-After": "10", "Connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        body = text.encode()
        head = f"HTTP/1.1 503 Service Unavailable\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


class _Site(web.SockSite):
    """A site like its base, with connections of ours."""

    def __init__(self, runner: web.AppRunner, listening: socket.socket, limits: Limits) -> None:
        super().__init__(runner, listening, backlog=BACKLOG)
        self._limits = limits

    async def start(self) -> None:
        await web.BaseSite.start(self)
        server, loop = self._runner.server, asyncio.get_running_loop()
        assert server is not None

        def connection() -> Guarded:
            return Guarded(self._limits, server, loop=loop, **server._kwargs)

        self._server = await loop.create_server(connection, sock=self._sock, backlog=self._backlog)


async def listen(app: web.Application, listening: socket.socket, limits: Limits) -> web.AppRunner:
    """Serves until `cleanup` of what is returned; the socket is closed when it cannot be done."""

    async def dressed(_request: web.Request, response: web.StreamResponse) -> None:
        policy = response.headers.get(POLICY)  # of an answer that has its own style, such as a receipt
        response.headers.update(limits.headers)
        if policy is not None:
            response.headers[POLICY] = policy

    app.on_response_prepare.append(dressed)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=SHUTDOWN,
        keepalive_timeout=IDLE,
        lingering_time=LINGER,
    )
    try:
        await runner.setup()
        await _Site(runner, listening, limits).start()
    except BaseException:
        listening.close()
        await runner.cleanup()
        raise
    return runner


async def send(request: web.Request, response: web.StreamResponse, data: bytes) -> None:
    """Writes to a stream; raises ConnectionResetError when the client does not take it in time."""
    try:
        async with asyncio.timeout(STUCK):
            await response.write(data)
    except TimeoutError:
        log.warning("listener.stuck", path=request.path)
        if request.transport is not None:
            request.transport.abort()  # what is still to be sent is not worth a descriptor
        raise ConnectionResetError("the client does not read") from None
