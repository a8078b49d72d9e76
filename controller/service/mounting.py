"""The one way in which something is answered over HTTP: a declaration with its handler, mounted on a door."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Final, TypeAlias

import msgspec
from aiohttp import web

from controller.service.openapi import document, index
from controller.service.routes import INDEX, OPENAPI, AnyRoute
from controller.service.snapshots import our_version

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
Answered: TypeAlias = tuple[AnyRoute, Handler]
DECLARED: Final = web.AppKey("declared", tuple[AnyRoute, ...])


def mount(app: web.Application, title: str, answered: Iterable[Answered], otherwise: Handler | None = None) -> None:
    """Lets a door answer these, and tell of itself what it answers.

    The index is at `/`, unless the door has something else there.  `otherwise`: answers whatever else is asked.
    """
    pairs = list(answered)

    @cache
    def described() -> bytes:
        return msgspec.json.encode(document(title, our_version() or "unknown", routes))

    async def describe(_request: web.Request) -> web.Response:
        return web.Response(body=await asyncio.to_thread(described), content_type="application/json")

    async def tell(_request: web.Request) -> web.Response:
        return web.Response(body=msgspec.json.encode(index(title, routes)), content_type="application/json")

    pairs.append((OPENAPI, describe))
    if INDEX.path not in {route.path for route, _ in pairs}:
        pairs.append((INDEX, tell))
    routes = tuple(sorted((route for route, _ in pairs), key=lambda route: (route.path, route.method)))
    for route, handler in pairs:
        add = app.router.add_get if route.method == "GET" else app.router.add_post
        add(route.path, _taking(route, handler))
    if otherwise is not None:
        app.router.add_route("*", "/{anything:.*}", otherwise)
    app[DECLARED] = routes


def _taking(route: AnyRoute, handler: Handler) -> Handler:
    """Returns a handler that is asked only with a body of the declared kind; others are answered with 415."""
    if route.takes is None:
        return handler

    async def take(request: web.Request) -> web.StreamResponse:
        if request.content_type != route.body_media:
            raise web.HTTPUnsupportedMediaType(reason=f"the Content-Type must be {route.body_media}")
        return await handler(request)

    return take
