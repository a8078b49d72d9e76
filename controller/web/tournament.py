"""The stream behind the pages of a tournament: how it stands, whenever something about it is different."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from aiohttp import web

from controller.errors import FeltError
from controller.service.listening import send
from controller.service.tournaments import Tournaments
from controller.views.tournament import room


async def feed_cup(
    cups: Tournaments, request: web.Request, response: web.StreamResponse, closing: Callable[[], bool], beat: float
) -> None:
    """Sends how a tournament stands until the page goes away or `closing`; something at least every `beat` seconds.

    While the record cannot be reached nothing is sent, so that the page says so.
    """
    last = b""
    name = request.match_info["name"]
    while not closing():
        event = b"trouble\ndata: ."
        try:
            kept = await cups.look(name)
            data = msgspec.json.encode({"line": kept.last, "room": room(kept.at(cups.now()))})
            event = b"beat\ndata: ." if data == last else b'picture\ndata: {"now":%d,"cup":%s}' % (cups.now(), data)
            last = data
        except FeltError:
            last = b""
        await send(request, response, b"event: %s\n\n" % event)
        await asyncio.sleep(beat)
